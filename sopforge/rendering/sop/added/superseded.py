"""Superseded passages: what an earlier edition said, in frames by which a reader knows it is void.

Each frame says up to which day the passage held; ``is_void`` knows each of them again from the
words alone. The reason stands last, so that whatever is written there, the frame is read first.
"""

from __future__ import annotations

import re

SUPERSEDED = "superseded"
"""Why such a passage states no model item."""

OF_LIMITS = (
    "Until {until}, the figure was {value} ({meaning}). {reason}",
    "The figure was changed from {value} on {since} ({meaning}). {reason}",
    "Cases received before {since} were decided by {value} ({meaning}). {reason}",
    "Edition {edition}, in force until {until}, had {value} ({meaning}). {reason}",
    "Prints made before {since} still show {value} ({meaning}). {reason}",
)
OF_NAMED_LIMITS = (
    "The {meaning} was {value} until {until}. {reason}",
    "The {meaning} was changed from {value} on {since}. {reason}",
    "In edition {edition}, in force until {until}, the {meaning} was {value}. {reason}",
)
"""For limits whose meaning is the name of one thing, such as the lowest score that is high."""
OF_COMPARISONS = (
    "Until {until}, the test was as follows: {condition}. {reason}",
    "Edition {edition}, in force until {until}, had another test: {condition}. {reason}",
    "Cases received before {since} were tested as follows: {condition}. {reason}",
)
OF_CONDITIONS = (
    "Until {until}, the {label} did not depend on whether {condition}. {reason}",
    (
        "Edition {edition}, in force until {until}, did not ask for the {label} whether"
        " {condition}. {reason}"
    ),
    "Before {since}, the {label} was established without asking whether {condition}. {reason}",
)
OF_HAND_OVERS = (
    "Before {since}, the {role} decided the cases in which {condition}. {reason}",
    "Until {until}, the {role} was consulted if {condition}. {reason}",
    (
        "Edition {edition}, in force until {until}, left the cases in which {condition} to the"
        " {role}. {reason}"
    ),
)
OF_SHORTER_RULES = (
    "Until {until}, a shorter rule was in force: {result} if {condition}. {reason}",
    (
        "Edition {edition}, in force until {until}, had a shorter rule: {result} if {condition}."
        " {reason}"
    ),
    "The rule was extended on {since}; until then it was: {result} if {condition}. {reason}",
)
FRAMES = (
    *OF_LIMITS, *OF_NAMED_LIMITS, *OF_COMPARISONS, *OF_CONDITIONS, *OF_HAND_OVERS,
    *OF_SHORTER_RULES,
)  # fmt: skip
_DAY = r"\d{1,2} [A-Z][a-z]+ \d{4}"
_SLOT = re.compile(r"\\\{(\w+)\\\}")
_MARK = re.compile(
    r"\b(?:superseded|withdrawn|no longer in force"
    rf"|(?:[Uu]ntil|[Bb]efore) {_DAY}|(?:changed|extended) (?:from .+ )?on {_DAY})"
)


def _compile_slot(found: re.Match[str]) -> str:
    # Days in full: what names none might be in force.
    return _DAY if found[1] in {"until", "since"} else ".+"


_VOID = re.compile(
    "|".join(f"(?:{_SLOT.sub(_compile_slot, re.escape(frame))})" for frame in FRAMES)
)


def is_void(text: str) -> bool:
    """Return whether a line is one of these passages, whatever fills its frame."""
    return _VOID.fullmatch(text) is not None


def is_marked_void(text: str) -> bool:
    """Return whether a passage says of itself, outside of labels, that it does not apply.

    It does so if it names the day on which it ended.
    """
    return _MARK.search(re.sub(r'"[^"]*"', "", text)) is not None
