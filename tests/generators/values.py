"""Values that rows are made from: bounds, and what lies at and beside constants."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from fractions import Fraction
from random import Random
from typing import TypeAlias

from sopforge.language.domain.values.types import (
    BooleanType,
    DateTimeType,
    DateType,
    EnumType,
    ListType,
    NumberType,
    SetType,
    ValueType,
)
from tests.generators.expressions import Maker, Question
from tests.generators.scopes import (
    EPOCH,
    LEAP_DAY,
    MINUTE,
    OPTIONAL,
    choices_of,
    minutes,
    special_days,
)
from tests.judges.reference_interpreter import Natural, Part

Pool: TypeAlias = "list[Natural | None]"


def make_pools(maker: Maker, questions: Sequence[Question]) -> dict[str, Pool]:
    """Return the values of each field that rows are made from."""
    edges = _Edges(maker, " ".join(question.text for question in questions))
    pools: dict[str, Pool] = {}
    for name, kind in maker.scope.fields.items():
        values: Pool = [*edges.values(name, kind)]
        if name in OPTIONAL:
            values += [None] * (1 + len(values) // 4)
        pools[name] = values
    return pools


@dataclass
class _Edges:
    """Which values of a type are worth asking about."""

    maker: Maker
    text: str
    written: list[Fraction] = field(default_factory=list)

    def __post_init__(self) -> None:
        plain = re.sub(r"'[^']*'", "", self.text)
        found = {Fraction(number) for number in re.findall(r"\d+(?:\.\d+)?", plain)}
        self.written = sorted(found | {-number for number in found})

    def values(self, name: str, kind: ValueType) -> Sequence[Natural]:
        if isinstance(kind, ListType):
            return self.lists(name, kind)
        return self.parts(name, kind)

    def parts(self, name: str, kind: ValueType) -> Sequence[Part]:  # noqa: PLR0911 - by type
        random = self.maker.random
        match kind:
            case NumberType():
                return self.numbers(kind, self.maker.marks[name])
            case BooleanType():
                return [False, True]
            case EnumType():
                return kind.values if len(kind.values) < 9 else [kind.values[0], *kind.values[-8:]]
            case SetType():
                some = [
                    frozenset(label for label in kind.values if random.random() < 0.5)
                    for _ in range(4)
                ]
                return [frozenset(), frozenset(kind.values), *some]
            case DateType():
                return self.days(kind, self.maker.marks[name])
            case DateTimeType():
                return self.times(kind, self.maker.marks[name])
            case _:
                return choices_of(kind)

    def numbers(self, kind: NumberType, marks: Sequence[Fraction | date]) -> list[Part]:
        random, unit = self.maker.random, 10**kind.places
        low, high = kind.minimum, kind.maximum
        own = [int(mark * unit) for mark in marks if isinstance(mark, Fraction)]
        near = random.sample(self.written, min(6, len(self.written)))
        found = [low, low + 1, high - 1, high, 0, -1, 1, 5, -5, 15, -25, 125, *_cheap(random)]
        found += [value + step for value in (*own, *own) for step in (-1, 0, 1)]
        found += [int(value * unit) + step for value in near for step in (-1, 0, 1)]
        found += [random.randint(low, high) for _ in range(4)]
        found += [random.randint(low, high) // 10 * 10 + 5 for _ in range(2)]
        return [Fraction(value, unit) for value in found if low <= value <= high]

    def days(self, kind: DateType, marks: Sequence[Fraction | date]) -> list[Part]:
        random, maker = self.maker.random, self.maker
        own = [mark.toordinal() for mark in marks if isinstance(mark, date)]
        holidays = [day.toordinal() for day in sorted(maker.calendars["bank"])]
        special = [day.toordinal() for day in special_days(maker.first, maker.last)]
        leap = [day for day in special if date.fromordinal(day).timetuple()[1:3] == LEAP_DAY]
        found = [day + step for day in (*own, *own, *leap) for step in (-1, 0, 1)]
        found += [*random.sample(special, 3), special[0], special[1], *leap]
        found += random.sample(holidays, 2)
        found += [random.randint(kind.minimum, kind.maximum) for _ in range(5)]
        cutoff = maker.scope.constants["cutoff"].value
        found += [cutoff] if isinstance(cutoff, int) else []
        return [date.fromordinal(day) for day in found if kind.minimum <= day <= kind.maximum]

    def times(self, kind: DateTimeType, marks: Sequence[Fraction | date]) -> list[Part]:
        random = self.maker.random
        own = [minutes(mark) for mark in marks if isinstance(mark, datetime)]
        found = [kind.minimum, kind.minimum + 1, kind.maximum - 1, kind.maximum]
        found += [time + step for time in (*own, *own) for step in (-1, 0, 1)]
        found += [random.randint(kind.minimum, kind.maximum) for _ in range(4)]
        midnights = [random.randint(kind.minimum, kind.maximum) // 1440 * 1440 for _ in range(3)]
        found += [time + step for time in midnights for step in (-1, 0, 1)]
        found += [minutes(self.maker.some_time()) for _ in range(2)]
        days = special_days(self.maker.first, self.maker.last)
        leap = [day for day in days if (day.month, day.day) == LEAP_DAY]
        found += [(day.toordinal() - 1) * 1440 + step for day in leap for step in (0, 845, 1439)]
        return [EPOCH + MINUTE * time for time in found if kind.minimum <= time <= kind.maximum]

    def lists(self, name: str, kind: ListType) -> list[Natural]:
        random = self.maker.random
        parts = {item: self.parts(f"{name}.{item}", inner) for item, inner in kind.fields}
        sizes = [0, 1, kind.size, *(random.randint(0, kind.size) for _ in range(17))]
        return [
            tuple(
                {item: random.choice(values) for item, values in parts.items()} for _ in range(size)
            )
            for size in sizes
        ]


def _cheap(random: Random) -> list[int]:
    return [random.randint(-60, 60) for _ in range(4)]
