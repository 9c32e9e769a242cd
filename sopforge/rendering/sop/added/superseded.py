"""Superseded passages: what an earlier edition said, in frames by which a reader knows it is void.

Each frame says from which day on the passage is void; ``is_void`` knows each of them again from
the words alone. The reason stands last, so that whatever is written there, the frame is read first.
"""

from __future__ import annotations

import re

SUPERSEDED = "superseded"
"""Why such a passage states no model item."""

OF_LIMITS = (
    (
        "Until {until} another figure held here: {meaning}, {value}. It is no longer in force."
        " {reason}"
    ),
    "Edition {edition}, withdrawn on {since}, had {value} here ({meaning}). {reason}",
    (
        "Change of {since}: the figure of edition {edition} ({meaning}: {value}) is withdrawn."
        " {reason}"
    ),
    (
        "Older printouts still show {value} ({meaning}); that figure was superseded on {since}."
        " {reason}"
    ),
    (
        "Cases closed before {since} went by {value} ({meaning}), which is no longer in force."
        " {reason}"
    ),
    "{meaning}: {value} up to and including {until}, and superseded since. {reason}",
)
OF_NAMED_LIMITS = (
    "The {meaning} was {value} up to and including {until}; that is superseded. {reason}",
    "In edition {edition} the {meaning} was {value}. It was withdrawn on {since}. {reason}",
)
"""For limits whose meaning is the name of one thing, such as the lowest score that is high."""
OF_COMPARISONS = (
    "Until {until} the question here was whether {condition}; that is superseded. {reason}",
    "Edition {edition} asked whether {condition}, and was withdrawn on {since}. {reason}",
)
OF_CONDITIONS = (
    (
        "Up to {until} the rules on the {label} did not ask whether {condition}; that edition is"
        " superseded. {reason}"
    ),
    (
        "That {condition} made no difference to the {label} in edition {edition}, which was"
        " withdrawn on {since}. {reason}"
    ),
)
OF_HAND_OVERS = (
    (
        "Before {since} the {role} was asked wherever {condition}; that practice is withdrawn."
        " {reason}"
    ),
    (
        "Edition {edition} left it to the {role} what follows where {condition}. It was"
        " superseded on {since}. {reason}"
    ),
)
OF_SHORTER_RULES = (
    (
        "Until {until} it was enough for {result} that {condition}; that shorter rule is withdrawn."
        " {reason}"
    ),
    "Edition {edition}, superseded on {since}, gave {result} wherever {condition}. {reason}",
)
FRAMES = (
    *OF_LIMITS, *OF_NAMED_LIMITS, *OF_COMPARISONS, *OF_CONDITIONS, *OF_HAND_OVERS,
    *OF_SHORTER_RULES,
)  # fmt: skip
_SLOT = re.compile(r"\\\{\w+\\\}")
_VOID = re.compile("|".join(f"(?:{_SLOT.sub('.+', re.escape(frame))})" for frame in FRAMES))
_MARK = re.compile(r"\b(?:superseded|withdrawn|no longer in force)\b")


def is_void(text: str) -> bool:
    """Return whether a line is one of these passages, whatever fills its frame."""
    return _VOID.fullmatch(text) is not None


def is_marked_void(text: str) -> bool:
    """Return whether a passage says of itself, outside of labels, that it does not apply."""
    return _MARK.search(re.sub(r'"[^"]*"', "", text)) is not None
