"""How a value that somebody wrote is compared with a cell: 12.5 is 12.50, sets have no order."""

from __future__ import annotations

from enum import StrEnum

from sopforge.language.domain.values.types import NumberType, SetType, ValueType
from sopforge.session.layers import fits


class Matching(StrEnum):
    """As what a value is compared with a cell."""

    TEXT = "text"
    NUMBER = "number"
    SET = "set"

    def fits(self, cell: str, given: str) -> bool:
        """Return whether a cell has a value, however that is written."""
        return fits(self.value, cell, given)


def choose_matching(kind: ValueType) -> Matching:
    """Return how values of a type are compared."""
    if isinstance(kind, NumberType):
        return Matching.NUMBER
    return Matching.SET if isinstance(kind, SetType) else Matching.TEXT
