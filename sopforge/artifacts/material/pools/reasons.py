"""Reasons for which offices change their procedures, in frames that the names of a domain fill."""

from __future__ import annotations

OF_FIGURES = (
    "The {owner} set the new figure after a review of closed cases.",
    "The internal audit had recommended the change.",
    "The {workers} had found the old figure hard to explain.",
    "The old figure dated from the time before the {system} was introduced.",
    "Too many cases had fallen just short of it.",
    "The change came with the new release of the {system}.",
    "The {role} had reported that the old figure led to too many questions.",
    "A complaint about the old figure had been upheld.",
    "The figure was brought into line with that of the other sites.",
    "The {owner} and the {role} agreed on the new figure after a trial of six months.",
    "The new edition of the {paper} required it.",
    "The trade association had revised its recommendation.",
    "Costs had risen since the old figure was set.",
    "The new figure follows the experience of the previous year.",
)
OF_RULES = (
    "The {owner} changed this after a review of closed cases.",
    "The earlier practice had led to repeated questions from the {role}.",
    "The {system} did not yet show the necessary data.",
    "A complaint about the earlier practice had been upheld.",
    "The internal audit had found that shifts handled such cases differently.",
    "The earlier practice dated from the time when {papers} were handled by post.",
    "The {role} had asked for the change.",
    "The change came with the new edition of the {paper}.",
    "A trial of six months had given good results.",
    "The {owner} adopted the practice of the other sites.",
    "The change was agreed with the {role}.",
    "The insurers of the house had asked for the change.",
)
OF_DAYS = (
    "The {system} was replaced on that day.",
    "The present {paper} was introduced on that day.",
    "The agreement with the {role} took effect on that day.",
    "On that day the {owner} approved the present rule.",
    "The other sites adopted the present rule on the same day.",
    "The insurers of the house required the present rule from that day on.",
    "The internal audit recommended the present rule from that day on.",
    "A trial of the present rule had ended well by that day.",
    "The {workers} have worked with the present {paper} since that day.",
    "The {role} took over such cases on that day.",
)
"""Why a rule for cases before a day ends with that day."""
