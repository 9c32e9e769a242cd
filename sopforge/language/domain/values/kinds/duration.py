"""Durations: whole minutes, which sentences say in hours and minutes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from sopforge.language.domain.values.kinds.number import NumberType

MINUTES = "minutes"
HOURS_AND_MINUTES = "hours and minutes"
"""The unit of a duration in sentences: "1 hour and 30 minutes" is a figure with this unit."""
_MINUTES_AN_HOUR = 60
_SAID = re.compile(
    r"(?:(?P<hours>[0-9]+) hours?(?: and (?=[0-9])|$))?(?:(?P<minutes>-?[0-9]+) minutes?)?"
)


@dataclass(frozen=True, slots=True)
class DurationType(NumberType):
    """A number of minutes between two, both included: rules calculate with it as with numbers."""

    name: ClassVar[str] = "duration"
    noun: ClassVar[str] = "a duration"

    places: int = 0
    unit: str = MINUTES


def say_duration(minutes: int) -> str:
    """Return a number of minutes as people say it.

    >>> [say_duration(minutes) for minutes in (0, 60, 90, 1501)]
    ['0 minutes', '1 hour', '1 hour and 30 minutes', '25 hours and 1 minute']
    """
    hours, rest = divmod(minutes, _MINUTES_AN_HOUR) if minutes > 0 else (0, minutes)
    said = [_count(hours, "hour")] if hours else []
    return " and ".join([*said, *([_count(rest, "minute")] if rest or not hours else [])])


def read_duration(text: str) -> int | None:
    """Return the minutes of a duration as people say it, None for any other text.

    >>> [read_duration(text) for text in ("1 hour and 30 minutes", "25 hours", "-1 minute", "2")]
    [90, 1500, -1, None]
    """
    found = _SAID.fullmatch(text)
    if found is None or not text:
        return None
    return int(found["hours"] or 0) * _MINUTES_AN_HOUR + int(found["minutes"] or 0)


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'s' * (abs(number) != 1)}"
