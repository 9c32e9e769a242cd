"""Superseded passages: what an earlier edition said, in frames by which a reader knows it is void.

Each frame says up to which day the passage held. Where cases state a day, it is a rule for cases of
days before that one; elsewhere it speaks of the past. ``is_void`` knows each of them
again from the words alone. The reason stands last, so that whatever is written there, the frame is
read first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

from sopforge.domain.model import DomainModel
from sopforge.domain.values.types import DateType

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
    "Until {until}, the condition read as follows: {condition}. {reason}",
    "Edition {edition}, in force until {until}, had another condition: {condition}. {reason}",
    "Cases received before {since} had to meet another condition: {condition}. {reason}",
)
OF_CONDITIONS = (
    "Until {until}, the {label} did not depend on this condition: {condition}. {reason}",
    (
        "Edition {edition}, in force until {until}, did not have this condition of the {label}:"
        " {condition}. {reason}"
    ),
    "Before {since}, the {label} was established without this condition: {condition}. {reason}",
)
OF_HAND_OVERS = (
    "Before {since}, the {role} decided such cases: {condition}. {reason}",
    "Until {until}, this step began differently: consult the {role} if {condition}. {reason}",
    (
        "Edition {edition}, in force until {until}, had a further instruction here: consult the"
        " {role} if {condition}. {reason}"
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
DATED: Mapping[tuple[str, ...], tuple[str, ...]] = {
    OF_LIMITS: (
        "Where the {entry} is before {day}, the figure is {value} ({meaning}).",
        "If the {entry} is before {day}, apply {value} instead ({meaning}).",
        "For cases in which the {entry} is before {day}, {value} applies ({meaning}).",
        "A figure of {value} applies ({meaning}) if the {entry} is before {day}.",
    ),
    OF_NAMED_LIMITS: (
        "Where the {entry} is before {day}, the {meaning} is {value}.",
        "If the {entry} is before {day}, use {value} as the {meaning}.",
        "The {meaning} is {value} if the {entry} is before {day}.",
    ),
    OF_COMPARISONS: (
        "If the {entry} is before {day}, the condition is this one instead: {condition}.",
        "Where the {entry} is before {day}, ask instead whether {condition}.",
        "In cases in which the {entry} is before {day}, what counts is whether {condition}.",
    ),
    OF_CONDITIONS: (
        "Where the {entry} is before {day}, the {label} does not depend on whether {condition}.",
        "If the {entry} is before {day}, establish the {label} without asking whether {condition}.",
        "Do not ask for the {label} whether {condition} if the {entry} is before {day}.",
    ),
    OF_HAND_OVERS: (
        "Where the {entry} is before {day}, consult the {role} first if {condition}.",
        "If the {entry} is before {day}, consult the {role} in cases in which {condition}.",
        "Consult the {role} in cases in which the {entry} is before {day} if {condition}.",
    ),
    OF_SHORTER_RULES: (
        "Where the {entry} is before {day}, {result} if {condition}.",
        "If the {entry} is before {day}, {result} whenever {condition}.",
        "In cases in which the {entry} is before {day}, {result} if {condition}.",
    ),
}
"""For domains whose cases state a day: the frames that take the place of others."""
_DAY = r"\d{1,2} [A-Z][a-z]+ \d{4}"
_SLOT = re.compile(r"\\\{(\w+)\\\}")
_MARK = re.compile(
    r"\b(?:superseded|withdrawn|no longer in force"
    rf"|(?:[Uu]ntil|[Bb]efore) {_DAY}|(?:changed|extended) (?:from .+ )?on {_DAY})"
)
_ISO = r"\d{4}-\d{2}-\d{2}"


def _compile_slot(found: re.Match[str]) -> str:
    # Days in full: what names none might be in force.
    named = {"until": _DAY, "since": _DAY, "day": f"(?P<day>{_ISO})", "entry": "(?P<entry>.+?)"}
    return named.get(found[1], ".+")


def _compile_frame(frame: str) -> str:
    return _SLOT.sub(_compile_slot, re.escape(frame))


_VOID = re.compile("|".join(f"(?:{_compile_frame(frame)})" for frame in FRAMES))
# After a comma stands what holds besides the day; without one, none of it is an alternative.
_BEFORE_DAY = (
    rf"the (?P<entry>.+?) is before (?P<day>{_ISO})(?:, and (?:(?!, or ).)+| and (?:(?! or ).)+)"
)
_OLD_RULES = (
    re.compile(rf'"[^"]+" if {_BEFORE_DAY}\.'),
    re.compile(rf"If {_BEFORE_DAY}, (?:then )?go to step \d[^)]*\)\."),
)
_DATED = tuple(
    re.compile(rf"{_compile_frame(frame)}(?: .+)?") for frames in DATED.values() for frame in frames
)


def collect_first_days(model: DomainModel) -> dict[str, date]:
    """Return before which day no case lies, by the label of each day that cases state."""
    return {
        item.label: date.fromordinal(item.type.minimum)
        for item in model.inputs
        if isinstance(item.type, DateType) and model.find_owner(item.name) is model.case
    }


def is_void(text: str, first_days: Mapping[str, date]) -> bool:
    """Return whether a line is one of these passages, whatever fills its frame.

    A rule for cases before a day is void where no case lies before that day.
    """
    return _VOID.fullmatch(text) is not None or _is_before_every_case(text, first_days)


def _is_before_every_case(text: str, first_days: Mapping[str, date]) -> bool:
    forms = (*_OLD_RULES, *_DATED)
    found = next(filter(None, (form.fullmatch(text) for form in forms)), None)
    if found is None or found["entry"] not in first_days:
        return False
    # Dates of one width: those that are no days of the calendar come after none by mistake.
    return found["day"] <= first_days[found["entry"]].isoformat()


def is_marked_void(text: str, first_days: Mapping[str, date]) -> bool:
    """Return whether a passage says of itself, outside of labels, that it does not apply.

    It does so if it names the day on which it ended.
    """
    bare = re.sub(r'"[^"]*"', "", text)
    return _MARK.search(bare) is not None or _is_before_every_case(text, first_days)
