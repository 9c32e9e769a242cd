"""Value types: which integers a field can hold, and how they are written for people and JSON.

Inside SOPForge every decidable value is an integer: numbers are scaled by their places, dates are
day numbers (proleptic Gregorian ordinals), enums are positions in their list, sets are bit masks,
booleans are 0 or 1, date-times are minutes. Text stays a string and is compared for equality
only; a list is a tuple of items. A missing value is ``None``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import partial
from typing import TypeAlias, assert_never

from sopforge.domain.values.likeness import Likeness
from sopforge.session import score as reading

Atom: TypeAlias = int | str
Item: TypeAlias = Mapping[str, Atom]
Value: TypeAlias = Atom | tuple[Item, ...]
JsonAtom: TypeAlias = str | int | float | list[str]
Json: TypeAlias = JsonAtom | list[dict[str, JsonAtom]]


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
class DateTimeType:
    """A minute between two, both included, counted from the first of year 1; no time zone."""

    minimum: int
    maximum: int


@dataclass(frozen=True, slots=True)
class TextType:
    """Text of a pattern, from a pool or like something, compared for equality only.

    Free text is not even that.
    """

    pattern: str = ""
    pool: tuple[str, ...] = ()
    is_free: bool = False
    like: Likeness | None = None


AtomType: TypeAlias = (
    NumberType | BooleanType | EnumType | SetType | DateType | DateTimeType | TextType
)


@dataclass(frozen=True, slots=True)
class ListType:
    """Up to ``size`` items of the same fields; ``empty`` is the word shown for no item."""

    fields: tuple[tuple[str, AtomType], ...]
    size: int
    empty: str

    def find_field_type(self, name: str) -> AtomType | None:
        """Return the type of an item's field, None if items have no such field."""
        return dict(self.fields).get(name)


ValueType: TypeAlias = AtomType | ListType

BOOLEAN = BooleanType()
ANY_DAY = DateType(1, date.max.toordinal())
MINUTES_A_DAY = 1_440
ANY_MINUTE = DateTimeType(0, date.max.toordinal() * MINUTES_A_DAY - 1)
_EPOCH = datetime(1, 1, 1)  # noqa: DTZ001 - no zones
SET_SEPARATOR, BOOLEAN_WORDS = reading.SET_SEPARATOR, reading.BOOLEAN_WORDS
scale_decimal = reading.scale_decimal
ValueNotAllowedError = reading.ValueNotAllowedError


def encode(kind: ValueType, raw: object) -> Value:  # noqa: C901, PLR0911 - one case per type
    """Return the stored form of a value as written in YAML, in a CSV cell or in JSON.

    However letters with marks are written, they are the same letters.

    Raises:
        ValueNotAllowedError: the value is not one of the type.
    """
    raw = reading.compose_raw(raw)
    match kind:
        case NumberType():
            return _require_in_range(kind, reading.read_number(raw, kind.places), raw)
        case BooleanType():
            return reading.read_boolean(raw)
        case EnumType():
            return reading.read_label(kind.values, raw)
        case SetType():
            return reading.read_set(kind.values, kind.empty, raw)
        case DateType():
            return _require_in_range(kind, reading.read_day(raw), raw)
        case DateTimeType():
            return _require_in_range(kind, reading.read_minute(raw), raw)
        case TextType():
            return str(raw)
        case ListType():
            return _encode_list(kind, raw)
        case _:
            assert_never(kind)


def to_json(kind: ValueType, value: Value) -> Json:
    """Return the value as a tool parameter or result carries it."""
    if isinstance(kind, ListType):
        return [_convert_item_to_json(kind, item) for item in list_items(value)]
    return _convert_atom_to_json(kind, value)


def to_cell(kind: ValueType, value: Value) -> str:  # noqa: C901, PLR0911 - one case per type
    """Return the value as a person reads it, and as a CSV cell holds it."""
    match kind:
        case TextType():
            return str(value)
        case NumberType():
            return f"{Decimal(require_integer(value)).scaleb(-kind.places):f}"
        case BooleanType():
            return BOOLEAN_WORDS[require_integer(value)]
        case EnumType():
            return kind.values[require_integer(value)]
        case SetType():
            return SET_SEPARATOR.join(list_set_members(kind, value)) or kind.empty
        case DateType():
            return date.fromordinal(require_integer(value)).isoformat()
        case DateTimeType():
            return (_EPOCH + timedelta(minutes=require_integer(value))).isoformat(" ", "minutes")
        case ListType():
            return json.dumps(to_json(kind, value), ensure_ascii=False) if value else kind.empty
        case _:
            assert_never(kind)


def require_integer(value: Value) -> int:
    """Return a value that is known to be an integer."""
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is not an integer")
    return value


def list_items(value: Value | None) -> tuple[Item, ...]:
    """Return the items of a list; none where it is missing."""
    return value if isinstance(value, tuple) else ()


def list_set_members(kind: SetType, value: Value) -> list[str]:
    """Return the labels whose bits are set, in declared order."""
    return [label for bit, label in enumerate(kind.values) if require_integer(value) >> bit & 1]


def get_bounds(kind: ValueType) -> tuple[int, int]:
    """Return the least and the greatest stored integer of a type; (0, 0) for text and lists."""
    match kind:
        case NumberType() | DateType() | DateTimeType():
            return kind.minimum, kind.maximum
        case BooleanType():
            return 0, 1
        case EnumType():
            return 0, len(kind.values) - 1
        case SetType():
            return 0, (1 << len(kind.values)) - 1
        case TextType() | ListType():
            return 0, 0
        case _:
            assert_never(kind)


def derive_day_type(kind: DateTimeType) -> DateType:
    """Return the type of the days of a date-time."""
    return DateType(kind.minimum // MINUTES_A_DAY + 1, kind.maximum // MINUTES_A_DAY + 1)


def _convert_atom_to_json(kind: AtomType, value: Value) -> JsonAtom:
    match kind:
        case NumberType() if kind.places:
            return float(to_cell(kind, value))
        case NumberType():
            return require_integer(value)
        case SetType():
            return list_set_members(kind, value)
        case TextType() | BooleanType() | EnumType() | DateType() | DateTimeType():
            return to_cell(kind, value)
        case _:
            assert_never(kind)


def _convert_item_to_json(kind: ListType, item: Item) -> dict[str, JsonAtom]:
    return {name: _convert_atom_to_json(part, item[name]) for name, part in kind.fields}


def _require_in_range(kind: NumberType | DateType | DateTimeType, value: int, raw: object) -> int:
    bounds = kind.minimum, kind.maximum
    if bounds[0] <= value <= bounds[1]:
        return value
    return reading.require_in_range(value, bounds, [to_cell(kind, item) for item in bounds], raw)


def _encode_list(kind: ListType, raw: object) -> tuple[Item, ...]:
    readers = {name: partial(encode, part) for name, part in kind.fields}
    items = reading.read_items(kind.size, kind.empty, raw)
    return tuple(reading.read_item(readers, item) for item in items)
