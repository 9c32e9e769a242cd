"""Value types: which integers a field can hold, and how they are written for people and JSON.

Inside SOPForge every decidable value is an integer: numbers are scaled by their places, dates are
day numbers (proleptic Gregorian ordinals), enums are positions in their list, sets are bit masks,
booleans are 0 or 1. Text is opaque and stays a string. A missing value is ``None``.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Context, Decimal, Inexact, InvalidOperation, Overflow
from typing import TypeAlias, assert_never

Value: TypeAlias = int | str
Json: TypeAlias = str | int | float | list[str]


@dataclass(frozen=True, slots=True)
class NumberType:
    """Exact decimals with ``places`` digits after the point; bounds are scaled integers."""

    minimum: int
    maximum: int
    places: int = 0
    unit: str = ""


@dataclass(frozen=True, slots=True)
class BooleanType:
    """Yes or no."""


@dataclass(frozen=True, slots=True)
class EnumType:
    """One of the named values."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetType:
    """Any subset of the named values; ``empty`` is the word shown for none of them."""

    values: tuple[str, ...]
    empty: str


@dataclass(frozen=True, slots=True)
class DateType:
    """A calendar day between two day numbers, both included."""

    minimum: int
    maximum: int


@dataclass(frozen=True, slots=True)
class TextType:
    """Opaque text: carried and shown, never compared."""

    pattern: str = ""
    pool: tuple[str, ...] = ()


ValueType: TypeAlias = NumberType | BooleanType | EnumType | SetType | DateType | TextType

BOOLEAN = BooleanType()
ANY_DAY = DateType(1, date.max.toordinal())
SET_SEPARATOR = "; "
BOOLEAN_WORDS = ("no", "yes")
# Refuses what it would have to round, and exponents that would make integers of any length.
_EXACT = Context(prec=60, Emin=-60, Emax=60, traps=[InvalidOperation, Overflow, Inexact])


class ValueNotAllowedError(ValueError):
    """A raw value is not one of its type; the text says what would be allowed."""


def encode(kind: ValueType, raw: object) -> Value:
    """Return the stored form of a value as written in YAML, in a CSV cell or in JSON.

    Raises:
        ValueNotAllowedError: the value is not one of the type.
    """
    match kind:
        case NumberType():
            return _encode_number(kind, raw)
        case BooleanType():
            return _encode_boolean(raw)
        case EnumType():
            return _encode_label(kind.values, raw)
        case SetType():
            return _encode_set(kind, raw)
        case DateType():
            return _encode_date(kind, raw)
        case TextType():
            return str(raw)
        case _:
            assert_never(kind)


def to_json(kind: ValueType, value: Value) -> Json:
    """Return the value as a tool parameter or result carries it."""
    match kind:
        case NumberType() if kind.places:
            return float(to_cell(kind, value))
        case NumberType() | TextType():
            return value
        case SetType():
            return set_members(kind, value)
        case BooleanType() | EnumType() | DateType():
            return to_cell(kind, value)
        case _:
            assert_never(kind)


def to_cell(kind: ValueType, value: Value) -> str:
    """Return the value as a person reads it, and as a CSV cell holds it."""
    if isinstance(kind, TextType) or isinstance(value, str):
        return str(value)
    match kind:
        case NumberType():
            return f"{Decimal(value).scaleb(-kind.places):f}"
        case BooleanType():
            return BOOLEAN_WORDS[value]
        case EnumType():
            return kind.values[value]
        case SetType():
            return SET_SEPARATOR.join(set_members(kind, value)) or kind.empty
        case DateType():
            return date.fromordinal(value).isoformat()
        case _:
            assert_never(kind)


def set_members(kind: SetType, value: Value) -> list[str]:
    """Return the labels whose bits are set, in declared order."""
    return [label for bit, label in enumerate(kind.values) if int(value) >> bit & 1]


def bounds(kind: ValueType) -> tuple[int, int]:
    """Return the least and the greatest stored integer of a type; (0, 0) for text."""
    match kind:
        case NumberType() | DateType():
            return kind.minimum, kind.maximum
        case BooleanType():
            return 0, 1
        case EnumType():
            return 0, len(kind.values) - 1
        case SetType():
            return 0, (1 << len(kind.values)) - 1
        case TextType():
            return 0, 0
        case _:
            assert_never(kind)


def scale(raw: object, places: int) -> int:
    """Return a decimal as an integer of 10^-places; refuses digits beyond ``places``."""
    try:
        scaled = _EXACT.scaleb(Decimal(str(raw)), places)
        whole = int(scaled)
    except (Overflow, Inexact) as cause:
        raise ValueNotAllowedError(f"{raw!r} has too many digits") from cause
    except (InvalidOperation, ValueError, OverflowError) as cause:
        raise ValueNotAllowedError(f"{raw!r} is not a number") from cause
    if whole != scaled:
        raise ValueNotAllowedError(f"{raw} has more than {places} decimal places")
    return whole


def _encode_number(kind: NumberType, raw: object) -> int:
    if isinstance(raw, bool):
        raise ValueNotAllowedError(f"{raw!r} is not a number")
    value = scale(raw, kind.places)
    return _within(kind, value, raw)


def _encode_date(kind: DateType, raw: object) -> int:
    try:
        value = date.fromisoformat(str(raw)).toordinal()
    except ValueError as cause:
        raise ValueNotAllowedError(f"{raw!r} is not a date; dates look like 2026-03-31") from cause
    return _within(kind, value, raw)


def _within(kind: NumberType | DateType, value: int, raw: object) -> int:
    if not kind.minimum <= value <= kind.maximum:
        low, high = (to_cell(kind, bound) for bound in (kind.minimum, kind.maximum))
        raise ValueNotAllowedError(f"{raw} is outside {low} to {high}")
    return value


def _encode_boolean(raw: object) -> int:
    word = BOOLEAN_WORDS[raw] if isinstance(raw, bool) else raw
    return _encode_label(BOOLEAN_WORDS, word)


def _encode_label(values: tuple[str, ...], raw: object) -> int:
    if str(raw) not in values:
        raise ValueNotAllowedError(f"{raw!r} is not one of: {', '.join(values)}")
    return values.index(str(raw))


def _encode_set(kind: SetType, raw: object) -> int:
    if isinstance(raw, str):
        labels = [] if raw == kind.empty else raw.split(SET_SEPARATOR)
    elif isinstance(raw, list):
        labels = raw
    else:
        raise ValueNotAllowedError(f"{raw!r} is not a list of values")
    return sum({1 << _encode_label(kind.values, label) for label in labels})
