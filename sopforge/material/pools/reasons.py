"""Reasons for which offices change their procedures, in frames that the names of a domain fill."""

from __future__ import annotations

OF_FIGURES = (
    "The {owner} changed the figure after a review of closed cases.",
    (
        "It had been taken over from the printed instructions, and nobody could say where it"
        " came from."
    ),
    "Two audits had asked why it was set where it was.",
    "The {workers} had asked for a figure that is easier to explain.",
    "It dated from the time before the {system} was brought in.",
    "Too many {cases} had come to lie right beside it.",
    "It was changed when the {system} was renewed.",
    "The {role} had pointed out that the old figure no longer fitted the {cases} of the year.",
    "The figure was looked at anew after a complaint that was upheld.",
    (
        "Colleagues at another site had long worked with a different figure, and the two were"
        " brought into line."
    ),
)
OF_RULES = (
    "The {owner} changed it after a review of closed cases.",
    "It had led to questions from the {role} in almost every week.",
    "The {system} did not show as much at that time.",
    "The change followed a complaint that was upheld.",
    "An audit had found that the {workers} handled it differently from shift to shift.",
    "It came from the time when {papers} were still handled by post.",
    "The {role} had asked for it, so as to see fewer {cases} twice.",
    "The change came with the new layout of the {paper}.",
    "It was tried for half a year, and had no good result.",
)
