"""Well-typed numbers, days and times over a scope, written as a brief would write them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from random import Random

from sopforge.language.domain.parsing import Scope
from sopforge.language.domain.values.types import (
    AtomType,
    DateTimeType,
    DateType,
    EnumType,
    ListType,
    NumberType,
    ValueType,
)
from tests.generators.scopes import OPTIONAL, choices_of, special_days, word_of
from tests.judges.reference_interpreter import Calendars

NUMBER_FORMS = (
    *("total", "total", "product", "negative", "quotient", "rounded", "absolute", "extreme"),
    *("chosen", "guarded_number", "aggregate", "aggregate", "leaf"),
)
DATE_FORMS = ("day", "days_later", "months_later", "day_of_time", "chosen_day")


@dataclass(frozen=True)
class ReadPlace:
    """What may be read somewhere: optional fields known to be present, and the item at hand."""

    present: frozenset[str] = frozenset()
    variable: str = ""
    list: str = ""
    items: tuple[tuple[str, AtomType], ...] = ()


ANYWHERE = ReadPlace()
NUMBERS_OF_ITEMS = ("count", "sum", "min", "max", "first", "last", "median", "average")


class ValueMaker(ABC):
    """Writes values over a scope; ``marks`` are the constants fields are compared with."""

    def __init__(self, random: Random, scope: Scope, first: date, last: date) -> None:
        self.random = random
        self.scope = scope
        self.first, self.last = first, last
        self.marks: defaultdict[str, list[Fraction | date]] = defaultdict(list)
        holidays = (date.fromordinal(day) for day in scope.calendars["bank"].holidays)
        self.calendars: Calendars = {"bank": frozenset(holidays)}
        kinds = [kind for kind in scope.fields.values() if isinstance(kind, EnumType)]
        self.orders = [kind.values for kind in dict.fromkeys(kinds) if kind.is_ordered]

    @abstractmethod
    def condition(self, depth: int, place: ReadPlace = ANYWHERE) -> str:
        """Return a condition, as choices and filters have it."""

    # names and literals

    def kinds(self, place: ReadPlace) -> dict[str, ValueType]:
        """Return what may be read at a place, by name; items come as ``i.name``."""
        known = {
            name: kind
            for name, kind in self.scope.fields.items()
            if name not in OPTIONAL or name in place.present
        }
        return known | {f"{place.variable}.{name}": kind for name, kind in place.items}

    def name(self, word: str, place: ReadPlace) -> str:
        """Return a field of a type; within an aggregate mostly one of the item."""
        kinds = self.kinds(place)
        names = [name for name, kind in kinds.items() if word_of(kind) == word]
        inner = [name for name in names if "." in name]
        return self.random.choice(inner if inner and self.random.random() < 0.8 else names)

    def near(self, name: str, place: ReadPlace) -> str:
        """Return a literal to compare a field with, and remember it."""
        kind = self.kinds(place)[name]
        key = name.replace(f"{place.variable}.", f"{place.list}.") if place.items else name
        match kind:
            case NumberType():
                value = self.whole_near(kind)
                self.marks[key].append(Fraction(value, 10**kind.places))
                return written(value, kind.places)
            case DateType():
                day = self.some_day()
                self.marks[key].append(day)
                return f"'{day.isoformat()}'"
            case DateTimeType():
                time = self.some_time()
                self.marks[key].append(time)
                return f"'{shown(time)}'"
            case _:
                return repr(self.random.choice(choices_of(kind)))

    def whole_near(self, kind: NumberType) -> int:
        low, high = kind.minimum, kind.maximum
        between = self.random.randint(low, high)
        return self.random.choice((low, high, between, between, between, max(low, min(0, high))))

    def some_day(self) -> date:
        special = special_days(self.first, self.last)
        span = (self.last - self.first).days
        anyday = self.first + timedelta(days=self.random.randint(0, span))
        return self.random.choice([anyday, self.random.choice(special)])

    def some_time(self) -> datetime:
        day = self.some_day()
        hour, minute = self.random.choice(((0, 0), (23, 59), (14, 5), (9, 30)))
        return datetime(day.year, day.month, day.day, hour, minute)  # noqa: DTZ001 - no zones

    def literal(self) -> str:
        """Return a number as written, with up to three places."""
        whole = str(self.random.choice((0, 1, 2, 3, 4, 7, 10, 12, 60, 99)))
        return self.random.choice((whole, whole, f"{whole}.5", f"{whole}.25", f"{whole}.005"))

    # numbers

    def number(self, depth: int, place: ReadPlace = ANYWHERE) -> str:
        form = self.random.choice(NUMBER_FORMS) if depth else "leaf"
        made: Callable[[int, ReadPlace], str] = getattr(self, form)
        return made(max(0, depth - 1), place)

    def leaf(self, depth: int, place: ReadPlace) -> str:  # noqa: ARG002 - as all forms
        chance = self.random.random()
        if chance < 0.4:
            return self.name(self.random.choice(("integer", "number")), place)
        if chance < 0.55:
            return self.literal()
        if chance < 0.65:
            return self.random.choice(("limit", "rate"))
        if chance < 0.68:
            return self.name("huge", place)
        return self.measured(place)

    def measured(self, place: ReadPlace) -> str:
        """Return a number that is had from dates, date-times or a set."""
        days = [self.date(self.random.randint(0, 1), place) for _ in range(2)]
        return self.random.choice(
            (
                f"count({self.name('set', place)})",
                f"days_between({days[0]}, {days[1]})",
                f"workdays_between({days[0]}, {days[1]}, bank)",
                f"minutes_between({self.time(place)}, {self.time(place)})",
                f"hour_of({self.name('date-time', place)})",
            )
        )

    def total(self, depth: int, place: ReadPlace) -> str:
        left, right = self.number(depth, place), self.number(depth, place)
        return f"({left} {self.random.choice('+-')} {right})"

    def product(self, depth: int, place: ReadPlace) -> str:
        return f"{self.number(min(depth, 1), place)} * {self.leaf(0, place)}"

    def negative(self, depth: int, place: ReadPlace) -> str:
        return f"(-{self.number(depth, place)})"

    def divisor(self, place: ReadPlace) -> str:
        known = self.kinds(place)
        names = [name for name in ("divisor", "may_divisor", "i.per") if name in known]
        return self.random.choice(
            (
                *names,
                *names,
                self.random.choice(("2", "3", "4", "8", "0.5", "1.25")),
                f"max({self.leaf(0, place)}, 1)",
                f"(abs({self.leaf(0, place)}) + 0.5)",
            )
        )

    def quotient(self, depth: int, place: ReadPlace) -> str:
        places = self.random.randint(0, 4)
        return f"round({self.number(depth, place)} / {self.divisor(place)}, {places})"

    def rounded(self, depth: int, place: ReadPlace) -> str:
        return f"round({self.number(depth, place)}, {self.random.randint(0, 3)})"

    def absolute(self, depth: int, place: ReadPlace) -> str:
        return f"abs({self.number(depth, place)})"

    def extreme(self, depth: int, place: ReadPlace) -> str:
        parts = [self.number(depth, place) for _ in range(self.random.randint(2, 3))]
        return f"{self.random.choice(('min', 'max'))}({', '.join(parts)})"

    def chosen(self, depth: int, place: ReadPlace) -> str:
        then, otherwise = self.number(depth, place), self.number(depth, place)
        return f"({then} if {self.condition(depth, place)} else {otherwise})"

    def guarded_number(self, depth: int, place: ReadPlace) -> str:
        name = self.random.choice(("may_whole", "may_price", "may_divisor", "may_lines", "may_day"))
        inner = ReadPlace(place.present | {name}, place.variable, place.list, place.items)
        reading = {
            "may_divisor": f"round({self.number(depth, place)} / may_divisor, 2)",
            "may_lines": "count(j for j in may_lines if j.paid)",
            "may_day": f"days_between(may_day, {self.date(0, inner)})",
        }.get(name, f"({name} + {self.number(depth, inner)})")
        if place.items and name == "may_lines":
            reading = self.literal()
        if self.random.random() < 0.5:
            return f"({reading} if present({name}) else {self.number(depth, place)})"
        return f"({self.number(depth, place)} if not present({name}) else {reading})"

    def aggregate(self, depth: int, place: ReadPlace) -> str:
        if place.items:
            return self.leaf(depth, place)
        return self.aggregated(self.random.choice(NUMBERS_OF_ITEMS), depth)

    def aggregated(self, name: str, depth: int = 1) -> str:
        """Return an aggregate that gives a number."""
        inner = self.inside(ANYWHERE)
        source = self.source(inner, depth)
        if name == "count":
            return f"count(i {source})"
        value = self.number(min(depth, 1), inner)
        if self.random.random() < 0.6:
            value = self.random.choice([name for name in self.kinds(inner) if _counts(name, inner)])
        if name == "sum":
            return f"sum({value} {source})"
        places = f", places={self.random.randint(0, 3)}" if name == "average" else ""
        default = self.random.choice(("0", "-1", "7"))
        return f"{name}(({value} {source}){places}, default={default})"

    def inside(self, place: ReadPlace, wanted: str = "") -> ReadPlace:
        """Return the place of an item of a list."""
        known = self.kinds(place)
        lists = [name for name in ("lines", "events", "may_lines") if name in known]
        name = wanted or self.random.choice(lists)
        kind = self.scope.fields[name]
        assert isinstance(kind, ListType)
        return ReadPlace(place.present, "i", name, kind.fields)

    def source(self, inner: ReadPlace, depth: int) -> str:
        """Return the rest of an aggregate: where its items are from, and which of them count."""
        count = self.random.choice((0, 1, 1, 2))
        tests = [f" if {self.condition(min(depth, 1), inner)}" for _ in range(count)]
        return f"for i in {inner.list}{''.join(tests)}"

    # dates and date-times

    def date(self, depth: int, place: ReadPlace = ANYWHERE) -> str:
        form = self.random.choice(DATE_FORMS) if depth else "day"
        made: Callable[[int, ReadPlace], str] = getattr(self, form)
        return made(max(0, depth - 1), place)

    def day(self, depth: int, place: ReadPlace) -> str:  # noqa: ARG002 - as all forms
        chance = self.random.random()
        if chance < 0.2:
            return f"'{self.some_day().isoformat()}'"
        return "cutoff" if chance < 0.3 else self.name("date", place)

    def count(self, most: int, place: ReadPlace) -> str:
        """Return a small whole number: written, or from a field."""
        amount = self.random.randint(-most, most)
        fitting = [
            name
            for name, kind in self.kinds(place).items()
            if isinstance(kind, NumberType) and not kind.places and kind.maximum <= most * 3
        ]
        return self.random.choice([str(amount), str(amount), *fitting[:2]])

    def days_later(self, depth: int, place: ReadPlace) -> str:
        return f"add_days({self.date(depth, place)}, {self.count(40, place)})"

    def months_later(self, depth: int, place: ReadPlace) -> str:
        return f"add_months({self.date(depth, place)}, {self.count(14, place)})"

    def day_of_time(self, depth: int, place: ReadPlace) -> str:  # noqa: ARG002 - as all forms
        return f"date_of({self.name('date-time', place)})"

    def chosen_day(self, depth: int, place: ReadPlace) -> str:
        then, otherwise = self.date(depth, place), self.name("date", place)
        return f"({then} if {self.condition(0, place)} else {otherwise})"

    def time(self, place: ReadPlace) -> str:
        if self.random.random() < 0.3:
            return f"'{shown(self.some_time())}'"
        name = self.name("date-time", place)
        return self.time_later(name, place) if self.random.random() < 0.4 else name

    def time_later(self, time: str, place: ReadPlace) -> str:
        unit, most = self.random.choice((("minutes", 3_000), ("hours", 72), ("days", 40)))
        return f"add_{unit}({time}, {self.count(most, place)})"


def written(value: int, places: int) -> str:
    """Return a scaled integer as a brief writes it."""
    return f"{Decimal(value).scaleb(-places):f}"


def shown(moment: datetime) -> str:
    """Return a date-time as a brief writes it; years before 1000 keep their zeros."""
    return moment.isoformat(sep=" ", timespec="minutes")


def _counts(name: str, place: ReadPlace) -> bool:
    kinds = {f"{place.variable}.{item}": kind for item, kind in place.items}
    return isinstance(kinds.get(name), NumberType)
