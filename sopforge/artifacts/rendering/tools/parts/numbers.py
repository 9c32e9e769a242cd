"""The kinds of parameters that are numbers."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import TypeGuard

from sopforge.artifacts.rendering.tools.parts.refusals import invalid, tidied


def plain_number(value: object) -> int | float | None:
    """Return the number that a text writes, None where it writes none."""
    try:
        number = float(tidied(value))
    except ValueError:
        return None
    return int(number) if number.is_integer() else number


class Integer:
    """A whole number from ``low`` to ``high``."""

    def __init__(self, name: str, low: int, high: int) -> None:
        self.name = name
        self.low = low
        self.high = high

    def check(self, value: object) -> int:
        if self.has(value):
            return int(value)
        meant = plain_number(value)
        allowed = f"a whole number from {self.low} to {self.high}"
        raise invalid(self.name, value, allowed, meant if self.has(meant) else None)

    def has(self, value: object) -> TypeGuard[int | float]:
        """Tell whether a value is such a number; true and false are none."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        return self.low <= value <= self.high and value == int(value)

    def read(self, cell: str) -> int:
        return int(cell)

    def write(self, value: int) -> int:
        return value


class Number:
    """A number with decimal places, held as a whole number of units of the last place."""

    def __init__(self, name: str, low: str, high: str, places: int) -> None:
        self.name = name
        self.places = places
        self.scale: int = 10**places
        self.low = self.read(low)
        self.high = self.read(high)
        self.allowed = f"a number from {low} to {high} with at most {places} decimal places"

    def check(self, value: object) -> int:
        units = self.units(value)
        if units is not None:
            return units
        meant = plain_number(value)
        raise invalid(self.name, value, self.allowed, None if self.units(meant) is None else meant)

    def units(self, value: object) -> int | None:
        """Return how many units a number is, None for what is no such number."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        try:
            exact = Decimal(str(value)).scaleb(self.places)
            units = int(exact)
        except (InvalidOperation, OverflowError, ValueError):
            return None
        return units if units == exact and self.low <= units <= self.high else None

    def read(self, cell: str) -> int:
        return int(Decimal(cell).scaleb(self.places))

    def write(self, value: int) -> float:
        return value / self.scale
