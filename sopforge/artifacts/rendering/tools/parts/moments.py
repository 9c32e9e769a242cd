"""The kinds of parameters that are days, and days with a time."""

from __future__ import annotations

import re
from datetime import date

from sopforge.artifacts.rendering.tools.parts.refusals import invalid, tidied


def minute_number(text: str) -> int:
    """Return the minutes from the first of year 1 to a date and time."""
    hour, minute = int(text[11:13]), int(text[14:16])
    if hour > 23 or minute > 59:
        raise ValueError(text)
    return (date.fromisoformat(text[:10]).toordinal() - 1) * 1440 + hour * 60 + minute


class Day:
    """A calendar day, held as its number; the first of year 1 is 1."""

    SHAPE = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")

    def __init__(self, name: str, first: str, last: str) -> None:
        self.name = name
        self.first = self.read(first)
        self.last = self.read(last)
        self.allowed = f"a date written as year-month-day, from {first} to {last}"

    def check(self, value: object) -> int:
        day = self.number(value)
        if day is not None:
            return day
        raise invalid(self.name, value, self.allowed, self.meant(value))

    def number(self, value: object) -> int | None:
        """Return the number of a day, None for what is no such day."""
        if not isinstance(value, str) or not self.SHAPE.fullmatch(value):
            return None
        try:
            day = self.read(value)
        except ValueError:
            return None
        return day if self.first <= day <= self.last else None

    def meant(self, value: object) -> str | None:
        """Return the day that a text seems to mean, written as it should be."""
        parts = re.findall("[0-9]+", tidied(value))
        text = "-".join(part.zfill(2) for part in parts[:3])
        return None if self.number(text) is None else text

    def read(self, cell: str) -> int:
        return date.fromisoformat(cell).toordinal()

    def write(self, value: int) -> str:
        return date.fromordinal(value).isoformat()


class Minute:
    """A date and time, held as the minutes from the first of year 1."""

    SHAPE = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}")

    def __init__(self, name: str, first: str, last: str) -> None:
        self.name = name
        self.first = self.read(first)
        self.last = self.read(last)
        self.allowed = f"a time written as year-month-day hour:minute, from {first} to {last}"

    def check(self, value: object) -> int:
        minute = self.number(value)
        if minute is not None:
            return minute
        raise invalid(self.name, value, self.allowed, self.meant(value))

    def number(self, value: object) -> int | None:
        """Return the number of a minute, None for what is no such time."""
        if not isinstance(value, str) or not self.SHAPE.fullmatch(value):
            return None
        try:
            minute = self.read(value)
        except ValueError:
            return None
        return minute if self.first <= minute <= self.last else None

    def meant(self, value: object) -> str | None:
        """Return the time that a text seems to mean, written as it should be."""
        parts = [part.zfill(2) for part in re.findall("[0-9]+", tidied(value))]
        text = f"{'-'.join(parts[:3])} {':'.join(parts[3:5])}"
        return None if self.number(text) is None else text

    def read(self, cell: str) -> int:
        return minute_number(cell)

    def write(self, value: int) -> str:
        day, minute = divmod(value, 1440)
        return f"{date.fromordinal(day + 1).isoformat()} {minute // 60:02d}:{minute % 60:02d}"
