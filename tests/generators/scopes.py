"""Scopes with a field of every type, at bounds that differ from scope to scope."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from fractions import Fraction
from random import Random
from typing import Any

from sopforge.language.domain.expressions.expressions import Constant
from sopforge.language.domain.expressions.operators import Calendar
from sopforge.language.domain.parsing import Scope
from sopforge.language.domain.values.types import (
    BOOLEAN,
    AtomType,
    BooleanType,
    DateTimeType,
    DateType,
    DurationType,
    EnumType,
    ListType,
    NumberType,
    SetType,
    TextType,
    Value,
    ValueType,
)

HUGE = 1 << 61
EPOCH = datetime(1, 1, 1)  # noqa: DTZ001 - no zones
MINUTE = timedelta(minutes=1)
LEAP_DAY = (2, 29)
ERAS = (
    (date(2024, 1, 15), date(2024, 4, 15)),
    (date(1999, 12, 1), date(2000, 3, 15)),
    (date(1900, 1, 20), date(1900, 3, 20)),
    (date(2025, 12, 20), date(2026, 3, 10)),
    (date(1, 1, 1), date(1, 4, 10)),
    (date(9999, 10, 20), date(9999, 12, 31)),
    (date(2023, 6, 1), date(2024, 12, 31)),
)
OPTIONAL = frozenset(
    {
        *("may_whole", "may_price", "may_divisor", "may_flag", "may_label", "may_tags"),
        *("may_day", "may_time", "may_text", "may_lines"),
    }
)


def make_scope(random: Random, first: date, last: date) -> Scope:
    """Return a scope whose dates lie between two days."""
    days = DateType(first.toordinal(), last.toordinal())
    times = DateTimeType(*(minutes(EPOCH + timedelta(days=day)) for day in _range_of(days)))
    labels = EnumType(("Red", "Sea green", "O'Brien blue"), is_ordered=True)
    many = random.choice((2, 3, 5, 70))
    tags = SetType(("Urgent", "Fragile", "Kept cold")[: random.randint(1, 3)], "no tag")
    pool = ("north", "south", "it's", "x y")
    lines: tuple[tuple[str, AtomType], ...] = (
        ("pieces", _integer(random)),
        ("amount", _number(random)),
        ("per", NumberType(1, random.choice((3, 8, 40)), random.choice((0, 0, 1)))),
        ("paid", BOOLEAN),
        ("kind", labels),
        ("marks", tags),
        ("due", days),
        ("at", times),
        ("note", TextType(pool=pool)),
    )
    fields: dict[str, ValueType] = {
        "whole_a": _integer(random),
        "whole_b": _integer(random),
        "price_a": _number(random),
        "price_b": _number(random),
        "pause": DurationType(-30, 1_500),
        "divisor": NumberType(1, random.choice((4, 12, 500)), random.choice((0, 0, 1, 2))),
        "huge_a": NumberType(1 - HUGE, HUGE - 1),
        "huge_b": NumberType(-HUGE, HUGE + 5, 2),
        "flag_a": BOOLEAN,
        "label_a": labels,
        "label_b": labels,
        "label_c": EnumType(tuple(f"Kind {number}" for number in range(many))),
        "tags_a": tags,
        "tags_c": tags,
        "marks_a": SetType(("Urgent", "Fragile", "Kept cold"), "no mark"),
        "tag_a": EnumType(tags.values),
        "tags_b": SetType(tuple(f"Part {n}" for n in range(random.randint(2, 6))), "no part"),
        "day_a": days,
        "day_b": days,
        "time_a": times,
        "time_b": times,
        "text_a": TextType(pool=pool),
        "text_b": TextType(pool=(*pool[1:], "west")),
        "text_c": TextType(pattern="W-[0-9]{2}"),
        "lines": ListType(lines, random.randint(1, 4), "no line"),
        "events": ListType(lines[: random.randint(1, 9)], random.randint(1, 3), "no event"),
        "may_whole": _integer(random),
        "may_price": _number(random),
        "may_divisor": NumberType(2, 9),
        "may_flag": BOOLEAN,
        "may_label": labels,
        "may_tags": tags,
        "may_day": days,
        "may_time": times,
        "may_text": TextType(pool=pool),
        "may_lines": ListType(lines, 2, "no line"),
    }
    limit, rate = random.randint(-9, 40), random.randint(-500, 500)
    cutoff = random.randint(days.minimum, days.maximum)
    constants = {
        "limit": Constant(NumberType(limit, limit), limit, "limit"),
        "rate": Constant(NumberType(rate, rate, 2, "USD"), rate, "rate"),
        "cutoff": Constant(DateType(cutoff, cutoff), cutoff, "cutoff"),
    }
    free = sorted(random.sample(range(days.minimum, days.maximum + 1), 6))
    return Scope(fields, constants, OPTIONAL, {"bank": Calendar("bank", tuple(free))})


def _range_of(days: DateType) -> tuple[int, int]:
    return days.minimum - 1, days.maximum - 1


def _integer(random: Random) -> NumberType:
    low, high = random.choice(
        ((-5, 40), (-40, -1), (0, 9), (3, 120), (-1_000_000, 1_000_000), (-3, 3))
    )
    return NumberType(low, high, 0, random.choice(("", "kg")))


def _number(random: Random) -> NumberType:
    low, high = random.choice(
        ((0, 9_999), (-1_500, 2_500), (-905, -5), (125, 90_000), (-(10**9), 10**9))
    )
    return NumberType(low, high, random.randint(1, 4), random.choice(("", "USD")))


def word_of(kind: ValueType) -> str:  # noqa: C901, PLR0911 - one case per type
    """Return the word for a type, as the table of cells names it."""
    match kind:
        case NumberType():
            if kind.maximum >= HUGE // 2:
                return "huge"
            return "number" if kind.places else "integer"
        case BooleanType():
            return "boolean"
        case EnumType():
            return "enum"
        case SetType():
            return "set"
        case DateType():
            return "date"
        case DateTimeType():
            return "date-time"
        case TextType():
            return "text"
        case _:
            return "list"


def natural(kind: ValueType, value: Value | None) -> Any:  # noqa: ANN401, PLR0911 - of any kind
    """Return a stored value as people have it."""
    match kind, value:
        case _, None | str():
            return value
        case ListType(), tuple():
            parts = dict(kind.fields)
            return tuple(
                {name: natural(parts[name], part) for name, part in item.items()} for item in value
            )
        case NumberType(), int():
            return Fraction(value, 10**kind.places)
        case EnumType(), int():
            return kind.values[value]
        case SetType(), int():
            return frozenset(label for bit, label in enumerate(kind.values) if value >> bit & 1)
        case DateType(), int():
            return date.fromordinal(value)
        case DateTimeType(), int():
            return EPOCH + MINUTE * value
        case _:
            return bool(value)


def minutes(moment: datetime) -> int:
    """Return a date-time as minutes since the first of year 1."""
    return (moment - EPOCH) // MINUTE


def choices_of(kind: ValueType) -> Sequence[str]:
    """Return the texts that a field can be compared with."""
    match kind:
        case EnumType() | SetType():
            return kind.values
        case TextType(pool=()):
            return ("W-00", "W-17", "W-99")
        case TextType():
            return kind.pool
        case _:
            raise TypeError(f"{kind!r} has no labels")


def special_days(first: date, last: date) -> list[date]:
    """Return the ends of a range, and the leap days and the ends of months in it."""
    days = [date.fromordinal(day) for day in range(first.toordinal(), last.toordinal() + 1)]
    last_day = date.max.toordinal()
    found = [
        day
        for day in days
        if day.day == 1
        or (day.month, day.day) == LEAP_DAY
        or day.toordinal() == last_day
        or (day + timedelta(days=1)).day == 1
    ]
    return [first, last, *found]
