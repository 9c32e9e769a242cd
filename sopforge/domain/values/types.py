"""Value types: which integers a field can hold, and how they are written for people and JSON.

Inside SOPForge every decidable value is an integer: numbers are scaled by their places, dates are
day numbers (proleptic Gregorian ordinals), enums are positions in their list, sets are bit masks,
booleans are 0 or 1, date-times are minutes. Text stays a string and is compared for equality
only; a list is a tuple of items. A missing value is ``None``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Context, Decimal, Inexact, InvalidOperation, Overflow
from typing import TypeAlias, assert_never

from sopforge.domain.values.composing import compose_raw
from sopforge.domain.values.likeness import Likeness

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
SET_SEPARATOR = "; "
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DATE_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} ([01][0-9]|2[0-3]):[0-5][0-9]")
_DIGITS = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?")
BOOLEAN_WORDS = ("no", "yes")
# Refuses what it would have to round, and exponents that would make integers of any length.
_EXACT = Context(prec=60, Emin=-60, Emax=60, traps=[InvalidOperation, Overflow, Inexact])


_DATE_HINT = "write a valid date as YYYY-MM-DD"
_TIME_HINT = "write a valid date and time as YYYY-MM-DD HH:MM"


class ValueNotAllowedError(ValueError):
    """A raw value is not one of its type; the text says what would be allowed.

    ``hint`` says what to do about it in a brief.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def encode(kind: ValueType, raw: object) -> Value:  # noqa: C901, PLR0911 - one case per type
    """Return the stored form of a value as written in YAML, in a CSV cell or in JSON.

    However letters with marks are written, they are the same letters.

    Raises:
        ValueNotAllowedError: the value is not one of the type.
    """
    raw = compose_raw(raw)
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
        case DateTimeType():
            return _encode_date_time(kind, raw)
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


def scale_decimal(raw: object, places: int) -> int:
    """Return a decimal as an integer of 10^-places; refuses digits beyond ``places``."""
    try:
        # By its text: a float is not quite what was written, 0.1 for one, but its shortest text is.
        scaled = _EXACT.scaleb(Decimal(str(raw)), places)
        units = int(scaled)
    except (Overflow, Inexact) as cause:
        raise ValueNotAllowedError(f"{raw!r} has too many digits") from cause
    except (InvalidOperation, ValueError, OverflowError) as cause:
        raise ValueNotAllowedError(f"{raw!r} is not a number") from cause
    if units != scaled:
        message = f"{raw} has more than {places} decimal places"
        raise ValueNotAllowedError(message, "round the number, or raise 'places' of the field")
    return units


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


def _encode_number(kind: NumberType, raw: object) -> int:
    # Decimal would also read 1e5, 1_000, NaN, blanks around a number and digits of other scripts.
    if isinstance(raw, bool) or (isinstance(raw, str) and not _DIGITS.fullmatch(raw)):
        raise ValueNotAllowedError(f"{raw!r} is not a number")
    value = scale_decimal(raw, kind.places)
    return _require_in_range(kind, value, raw)


def _encode_date(kind: DateType, raw: object) -> int:
    moment = _parse_moment(_DATE, raw)
    if moment is None:
        raise ValueNotAllowedError(f"{raw!r} is not a date in the form 2026-03-31", _DATE_HINT)
    return _require_in_range(kind, moment.toordinal(), raw)


def _encode_date_time(kind: DateTimeType, raw: object) -> int:
    moment = _parse_moment(_DATE_TIME, raw)
    if moment is None:
        message = f"{raw!r} is not a date and time in the form 2026-03-31 14:05"
        raise ValueNotAllowedError(message, _TIME_HINT)
    return _require_in_range(kind, (moment - _EPOCH) // timedelta(minutes=1), raw)


def _parse_moment(shape: re.Pattern[str], raw: object) -> datetime | None:
    """Return what a text of exactly this shape says; other readers allow blanks and short years."""
    try:
        return datetime.fromisoformat(str(raw)) if shape.fullmatch(str(raw)) else None
    except ValueError:
        return None


def _require_in_range(kind: NumberType | DateType | DateTimeType, value: int, raw: object) -> int:
    if not kind.minimum <= value <= kind.maximum:
        low, high = (to_cell(kind, bound) for bound in (kind.minimum, kind.maximum))
        hint = "change the value, or widen 'min' and 'max' of the field"
        raise ValueNotAllowedError(f"{raw} is outside {low} to {high}", hint)
    return value


def _encode_boolean(raw: object) -> int:
    word = BOOLEAN_WORDS[raw] if isinstance(raw, bool) else raw
    return _encode_label(BOOLEAN_WORDS, word)


def _encode_label(values: tuple[str, ...], raw: object) -> int:
    if str(raw) not in values:
        message = f"{raw!r} is not one of: {', '.join(values)}"
        hint = "use one of these values"
        raise ValueNotAllowedError(message, hint)
    return values.index(str(raw))


def _encode_set(kind: SetType, raw: object) -> int:
    if isinstance(raw, str):
        labels = [] if raw == kind.empty else raw.split(SET_SEPARATOR)
    elif isinstance(raw, list):
        labels = raw
    else:
        raise ValueNotAllowedError(f"{raw!r} is not a list of values")
    # A set, for a label that is named twice is one member.
    return sum({1 << _encode_label(kind.values, label) for label in labels})


def _encode_list(kind: ListType, raw: object) -> tuple[Item, ...]:
    given = _parse_list(kind, raw)
    if len(given) > kind.size:
        raise ValueNotAllowedError(
            f"the list has {len(given)} items; at most {kind.size} are allowed"
        )
    return tuple(_encode_item(kind, item) for item in given)


def _parse_list(kind: ListType, raw: object) -> list[object]:
    if raw == kind.empty:
        return []
    try:
        # As decimals: a float would lose places that the cell has.
        given = json.loads(raw, parse_float=Decimal) if isinstance(raw, str) else raw
    except (ValueError, RecursionError, InvalidOperation) as cause:
        raise ValueNotAllowedError(f"{raw!r} is not a list of items") from cause
    if not isinstance(given, list):
        raise ValueNotAllowedError(f"{raw!r} is not a list of items")
    return given


def _encode_item(kind: ListType, raw: object) -> Item:
    names = [name for name, _ in kind.fields]
    if not isinstance(raw, dict) or set(raw) != set(names):
        raise ValueNotAllowedError(f"{raw!r} is not an item with {', '.join(names)}")
    return {name: _encode_atom(part, raw[name]) for name, part in kind.fields}


def _encode_atom(kind: AtomType, raw: object) -> Atom:
    value = encode(kind, raw)
    return value if isinstance(value, str) else require_integer(value)
