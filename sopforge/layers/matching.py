"""How a value that somebody wrote is compared with a cell: 12.5 is 12.50, sets have no order."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from enum import StrEnum

from sopforge.domain.values.composing import compose
from sopforge.domain.values.types import SET_SEPARATOR, NumberType, SetType, ValueType


class Matching(StrEnum):
    """As what a value is compared with a cell."""

    TEXT = "text"
    NUMBER = "number"
    SET = "set"

    def fits(self, cell: str, given: str) -> bool:
        """Return whether a cell has a value, however that is written."""
        cell, given = compose(cell), compose(given)
        if cell == given:
            return True
        match self:
            case Matching.NUMBER:
                one, other = _read_number(cell), _read_number(given)
                return one is not None and one == other
            case Matching.SET:
                return _split(cell) == _split(given)
            case Matching.TEXT:
                return False


def choose_matching(kind: ValueType) -> Matching:
    """Return how values of a type are compared."""
    if isinstance(kind, NumberType):
        return Matching.NUMBER
    return Matching.SET if isinstance(kind, SetType) else Matching.TEXT


def _read_number(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def _split(text: str) -> set[str]:
    return {part.strip() for part in text.split(SET_SEPARATOR.strip())}
