"""Well-typed expressions over a scope, written as a brief would write them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from random import Random

from sopforge.language.domain.expressions.expressions import Expression
from sopforge.language.domain.parsing import ExpressionError, Scope, parse_condition, parse_value
from sopforge.language.domain.rules import Decision
from sopforge.language.domain.values.types import (
    AtomType,
    BooleanType,
    DateTimeType,
    DateType,
    EnumType,
    ListType,
    NumberType,
    ValueType,
)
from tests.generators.scopes import OPTIONAL, choices_of, special_days, word_of
from tests.judges.reference_interpreter import Calendars, Verdict, meaning

WIDEST = (1 << 62) - 1
MOST_PLACES = 9
ATTEMPTS = 60
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
RELATIONS = ("==", "!=", "<", "<=", ">", ">=")
# What the type rules may refuse of an expression that is well-typed otherwise.
REFUSED = frozenset(
    {
        *("interval-too-large", "too-many-places", "degree-too-high", "date-out-of-range"),
        *("out-of-range", "divisor-not-positive", "expression-too-long"),
    }
)
CONDITION_FORMS = ("fact", "negation", "joined", "joined", "guarded", "compared", "quantified")
NUMBER_FORMS = (
    *("total", "total", "product", "negative", "quotient", "rounded", "absolute", "extreme"),
    *("chosen", "guarded_number", "aggregate", "aggregate", "leaf"),
)
DATE_FORMS = ("day", "days_later", "months_later", "day_of_time", "chosen_day")


@dataclass(frozen=True)
class Question:
    """What is asked of each row: as text, as an expression, and as the reference means it.

    The reference gives None where there is nothing to ask.
    """

    text: str
    expression: Expression
    meaning: Verdict
    decision: Decision | None = None


@dataclass(frozen=True)
class Place:
    """What may be read somewhere: optional fields known to be present, and the item at hand."""

    present: frozenset[str] = frozenset()
    variable: str = ""
    list: str = ""
    items: tuple[tuple[str, AtomType], ...] = ()


ANYWHERE = Place()


class Maker:
    """Writes expressions over a scope; ``marks`` are the constants fields are compared with."""

    def __init__(self, random: Random, scope: Scope, first: date, last: date) -> None:
        self.random = random
        self.scope = scope
        self.first, self.last = first, last
        self.marks: defaultdict[str, list[Fraction | date]] = defaultdict(list)
        holidays = (date.fromordinal(day) for day in scope.calendars["bank"].holidays)
        self.calendars: Calendars = {"bank": frozenset(holidays)}

    # names and literals

    def kinds(self, place: Place) -> dict[str, ValueType]:
        """Return what may be read at a place, by name; items come as ``i.name``."""
        known = {
            name: kind
            for name, kind in self.scope.fields.items()
            if name not in OPTIONAL or name in place.present
        }
        return known | {f"{place.variable}.{name}": kind for name, kind in place.items}

    def name(self, word: str, place: Place) -> str:
        """Return a field of a type; within an aggregate mostly one of the item."""
        kinds = self.kinds(place)
        names = [name for name, kind in kinds.items() if word_of(kind) == word]
        inner = [name for name in names if "." in name]
        return self.random.choice(inner if inner and self.random.random() < 0.8 else names)

    def near(self, name: str, place: Place) -> str:
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

    # conditions

    def condition(self, depth: int, place: Place = ANYWHERE) -> str:
        form = self.random.choice(CONDITION_FORMS) if depth else "fact"
        made: Callable[[int, Place], str] = getattr(self, f"condition_{form}")
        return made(max(0, depth - 1), place)

    def condition_fact(self, depth: int, place: Place) -> str:
        word = self.random.choice(
            ("integer", "number", "date", "date-time", "enum", "text", "set", "boolean", "present")
        )
        if word == "date" and self.random.random() < 0.2:
            return self.weekday(depth, place)
        return self.fact(word, self.random.choice(RELATIONS), place)

    def weekday(self, depth: int, place: Place) -> str:
        """Return what is asked of the weekday of a day."""
        days = self.random.sample(WEEKDAYS, self.random.randint(1, 3))
        asked = self.random.choice((f"== {days[0]!r}", f"!= {days[0]!r}", f"in {days!r}"))
        return f"weekday_of({self.date(depth, place)}) {asked}"

    def condition_negation(self, depth: int, place: Place) -> str:
        return f"not ({self.condition(depth, place)})"

    def condition_joined(self, depth: int, place: Place) -> str:
        parts = [self.condition(depth, place) for _ in range(self.random.randint(2, 3))]
        return f"({self.random.choice((' and ', ' or ')).join(parts)})"

    def condition_guarded(self, depth: int, place: Place) -> str:
        lists = {"may_lines"} if place.items else set()  # no aggregate inside another
        name = self.random.choice(sorted(OPTIONAL - lists))
        inner = Place(place.present | {name}, place.variable, place.list, place.items)
        form = self.random.choice(("(present({0}) and {1})", "(not present({0}) or {1})"))
        return form.format(name, self.about(name, depth, inner))

    def condition_compared(self, depth: int, place: Place) -> str:
        relation = self.random.choice(RELATIONS)
        if self.random.random() < 0.3:
            return self.ratio(relation, place)
        text = f"{self.number(depth, place)} {relation} {self.number(depth, place)}"
        if self.random.random() < 0.2:
            text += f" {self.random.choice(RELATIONS)} {self.number(0, place)}"
        return f"({text})"

    def condition_quantified(self, depth: int, place: Place) -> str:
        if place.items:
            return self.condition(depth, place)
        inner = self.inside(place)
        quantifier = self.random.choice(("any", "all"))
        return f"{quantifier}({self.condition(depth, inner)} {self.source(inner, depth)})"

    def about(self, name: str, depth: int, place: Place) -> str:
        """Return a condition about a field that is known to be present."""
        kind = self.scope.fields[name]
        if isinstance(kind, ListType):
            inner = Place(place.present, "i", name, kind.fields)
            return self.random.choice(
                (
                    f"any({self.condition(0, inner)} {self.source(inner, depth)})",
                    f"sum(i.pieces {self.source(inner, depth)}) > {self.literal()}",
                )
            )
        if self.random.random() < 0.3:
            return f"({self.condition(depth, place)})"
        relation = self.random.choice(RELATIONS)
        return self.fact(word_of(kind), relation, place, name)

    def fact(self, word: str, relation: str, place: Place = ANYWHERE, name: str = "") -> str:
        """Return a comparison of a field of a type, or what is said of it instead."""
        if word == "present":
            return f"present({self.random.choice(sorted(OPTIONAL))})"
        name = name or self.name(word, place)
        if word == "boolean":
            return name
        if word == "set":
            return self.membership(name, place)
        if word in {"enum", "text"}:
            return self.equality(word, relation, name, place)
        other = self.near(name, place)
        if self.random.random() < 0.3:
            other = self.name(word, place)
        sides = (name, other) if self.random.random() < 0.8 else (other, name)
        return f"{sides[0]} {relation} {sides[1]}"

    def made_set(self, name: str, place: Place, depth: int = 1) -> str:
        """Return a set of the labels of a field, made of fields and written ones."""
        kinds = self.kinds(place)
        labels = choices_of(kinds[name])
        if not depth or self.random.random() < 0.3:
            return self.random.choice((name, self.written_set(labels)))
        sides = [self.made_set(name, place, depth - 1) for _ in range(2)]
        sides[self.random.randrange(2)] = name
        if self.random.random() < 0.2:
            return f"({sides[0]} if {self.condition(0, place)} else {sides[1]})"
        return f"({sides[0]} {self.random.choice('|&-')} {sides[1]})"

    def whole_set(self, name: str, place: Place) -> str:
        """Return a set in which the field itself is read."""
        other = self.made_set(name, place)
        sides = (name, other) if self.random.random() < 0.5 else (other, name)
        return f"({sides[0]} {self.random.choice('|&-')} {sides[1]})"

    def written_set(self, labels: Sequence[str]) -> str:
        return repr(self.random.sample(labels, self.random.randint(1, len(labels))))

    def membership(self, name: str, place: Place) -> str:
        kinds = self.kinds(place)
        labels, draw = choices_of(kinds[name]), self.random.random()
        if draw < 0.3:
            return self.inclusion(name, labels, place)
        enums = [
            other
            for other, kind in kinds.items()
            if word_of(kind) == "enum" and choices_of(kind) == labels
        ]
        names = enums if enums and draw < 0.6 else [repr(label) for label in labels]
        label = self.random.choice(names)
        if draw > 0.9:
            return f"count({self.whole_set(name, place)}) {self.random.choice(RELATIONS)} 1"
        if draw > 0.7:
            name = self.whole_set(name, place)
        return f"{label} {self.random.choice(('in', 'not in'))} {name}"

    def inclusion(self, name: str, labels: Sequence[str], place: Place) -> str:
        """Return that all of a set lies in another, or the other one in it."""
        kinds = self.kinds(place)
        others = [
            other
            for other, kind in kinds.items()
            if word_of(kind) == "set" and choices_of(kind) == labels and other != name
        ]
        listed = self.written_set(labels)
        other = self.random.choice([*others, listed, listed])
        if self.random.random() < 0.3:
            name = self.whole_set(name, place)
        sides = (name, other) if self.random.random() < 0.7 else (other, name)
        return f"{sides[0]} {self.random.choice(('<=', '>='))} {sides[1]}"

    def equality(self, word: str, relation: str, name: str, place: Place) -> str:
        relation = relation if relation in {"==", "!="} else "=="
        kinds = self.kinds(place)
        alike = [
            other
            for other, kind in kinds.items()
            if word_of(kind) == word and (word == "text" or kind == kinds[name])
        ]
        if self.random.random() < 0.3:
            return f"{name} {relation} {self.random.choice(alike)}"
        labels = choices_of(kinds[name])
        if self.random.random() < 0.5:
            return f"{name} {relation} {self.random.choice(labels)!r}"
        count = self.random.randint(1, min(3, len(labels)))
        listed = ", ".join(map(repr, self.random.sample(labels, count)))
        return f"{name} {self.random.choice(('in', 'not in'))} [{listed}]"

    def mixed(self, relation: str, place: Place = ANYWHERE) -> str:
        """Return a comparison of numbers of different places."""
        number, integer = self.name("number", place), self.name("integer", place)
        self.marks[number].append(Fraction(self.random.randint(-3, 9)))
        self.marks[integer].extend(self.marks[number][-1:])
        return f"{number} {relation} {integer}"

    def ratio(self, relation: str, place: Place = ANYWHERE) -> str:
        """Return a comparison with a division."""
        left = f"{self.leaf(0, place)} / {self.divisor(place)}"
        if self.random.random() < 0.3:
            return f"({left} {relation} {self.leaf(0, place)} / {self.divisor(place)})"
        if self.random.random() < 0.2:
            left = f"{self.literal()} >= {left}"
        return f"({left} {relation} {self.leaf(0, place)})"

    def chain(self) -> str:
        name = self.name("integer", ANYWHERE)
        first, second = self.near(name, ANYWHERE), self.near(name, ANYWHERE)
        return f"{first} {self.random.choice('<>')} {name} <= {second}"

    def item_fact(self, word: str, relation: str) -> str:
        """Return whether some item meets a comparison."""
        inner = self.inside(ANYWHERE, "lines")
        quantifier = self.random.choice(("any", "all"))
        return f"{quantifier}({self.fact(word, relation, inner)} {self.source(inner, 0)})"

    def aimed_ratio(self, relation: str) -> str:
        """Return a comparison of a field's fraction with one that some of its values reach."""
        name = self.name(self.random.choice(("integer", "number")), ANYWHERE)
        kind = self.kinds(ANYWHERE)[name]
        assert isinstance(kind, NumberType)
        value, divisor = (
            self.random.randint(kind.minimum, kind.maximum),
            self.random.choice((2, 3, 4)),
        )
        if self.random.random() < 0.3:
            self.marks[name].append(Fraction(value, 10**kind.places))
            return f"{name} / 0.5 {relation} {written(2 * value, kind.places)}"
        result = value // divisor
        self.marks[name].append(Fraction(result * divisor, 10**kind.places))
        return f"{name} / {divisor} {relation} {written(result, kind.places)}"

    def guarded_fact(self, name: str, relation: str = "") -> str:
        place = Place(frozenset({name}))
        form = self.random.choice(("present({0}) and {1}", "not present({0}) or {1}"))
        if relation:
            word = word_of(self.scope.fields[name])
            return form.format(name, self.fact(word, relation, place, name))
        return form.format(name, self.about(name, 0, place))

    # numbers

    def number(self, depth: int, place: Place = ANYWHERE) -> str:
        form = self.random.choice(NUMBER_FORMS) if depth else "leaf"
        made: Callable[[int, Place], str] = getattr(self, form)
        return made(max(0, depth - 1), place)

    def leaf(self, depth: int, place: Place) -> str:  # noqa: ARG002 - as all forms
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

    def measured(self, place: Place) -> str:
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

    def total(self, depth: int, place: Place) -> str:
        left, right = self.number(depth, place), self.number(depth, place)
        return f"({left} {self.random.choice('+-')} {right})"

    def product(self, depth: int, place: Place) -> str:
        return f"{self.number(min(depth, 1), place)} * {self.leaf(0, place)}"

    def negative(self, depth: int, place: Place) -> str:
        return f"(-{self.number(depth, place)})"

    def divisor(self, place: Place) -> str:
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

    def quotient(self, depth: int, place: Place) -> str:
        places = self.random.randint(0, 4)
        return f"round({self.number(depth, place)} / {self.divisor(place)}, {places})"

    def rounded(self, depth: int, place: Place) -> str:
        return f"round({self.number(depth, place)}, {self.random.randint(0, 3)})"

    def absolute(self, depth: int, place: Place) -> str:
        return f"abs({self.number(depth, place)})"

    def extreme(self, depth: int, place: Place) -> str:
        parts = [self.number(depth, place) for _ in range(self.random.randint(2, 3))]
        return f"{self.random.choice(('min', 'max'))}({', '.join(parts)})"

    def chosen(self, depth: int, place: Place) -> str:
        then, otherwise = self.number(depth, place), self.number(depth, place)
        return f"({then} if {self.condition(depth, place)} else {otherwise})"

    def guarded_number(self, depth: int, place: Place) -> str:
        name = self.random.choice(("may_whole", "may_price", "may_divisor", "may_lines", "may_day"))
        inner = Place(place.present | {name}, place.variable, place.list, place.items)
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

    def aggregate(self, depth: int, place: Place) -> str:
        if place.items:
            return self.leaf(depth, place)
        return self.aggregated(self.random.choice(("count", "sum", "min", "max", "average")), depth)

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

    def inside(self, place: Place, wanted: str = "") -> Place:
        """Return the place of an item of a list."""
        known = self.kinds(place)
        lists = [name for name in ("lines", "events", "may_lines") if name in known]
        name = wanted or self.random.choice(lists)
        kind = self.scope.fields[name]
        assert isinstance(kind, ListType)
        return Place(place.present, "i", name, kind.fields)

    def source(self, inner: Place, depth: int) -> str:
        """Return the rest of an aggregate: where its items are from, and which of them count."""
        count = self.random.choice((0, 1, 1, 2))
        tests = [f" if {self.condition(min(depth, 1), inner)}" for _ in range(count)]
        return f"for i in {inner.list}{''.join(tests)}"

    # dates and date-times

    def date(self, depth: int, place: Place = ANYWHERE) -> str:
        form = self.random.choice(DATE_FORMS) if depth else "day"
        made: Callable[[int, Place], str] = getattr(self, form)
        return made(max(0, depth - 1), place)

    def day(self, depth: int, place: Place) -> str:  # noqa: ARG002 - as all forms
        chance = self.random.random()
        if chance < 0.2:
            return f"'{self.some_day().isoformat()}'"
        return "cutoff" if chance < 0.3 else self.name("date", place)

    def count(self, most: int, place: Place) -> str:
        """Return a small whole number: written, or from a field."""
        amount = self.random.randint(-most, most)
        fitting = [
            name
            for name, kind in self.kinds(place).items()
            if isinstance(kind, NumberType) and not kind.places and kind.maximum <= most * 3
        ]
        return self.random.choice([str(amount), str(amount), *fitting[:2]])

    def days_later(self, depth: int, place: Place) -> str:
        return f"add_days({self.date(depth, place)}, {self.count(40, place)})"

    def months_later(self, depth: int, place: Place) -> str:
        return f"add_months({self.date(depth, place)}, {self.count(14, place)})"

    def day_of_time(self, depth: int, place: Place) -> str:  # noqa: ARG002 - as all forms
        return f"date_of({self.name('date-time', place)})"

    def chosen_day(self, depth: int, place: Place) -> str:
        then, otherwise = self.date(depth, place), self.name("date", place)
        return f"({then} if {self.condition(0, place)} else {otherwise})"

    def time(self, place: Place) -> str:
        if self.random.random() < 0.3:
            return f"'{shown(self.some_time())}'"
        return self.name("date-time", place)

    def label(self) -> str:
        """Return a label of ``label_a``'s list, by a condition."""
        labels = choices_of(self.scope.fields["label_a"])
        then = self.random.choice(("label_a", "label_b"))
        return f"{then} if {self.condition(1)} else {self.random.choice(labels)!r}"

    # lists

    def made_list(self) -> tuple[str, ListType]:
        """Return a list that is made of another, and its type."""
        inner = self.inside(ANYWHERE)
        kind = self.scope.fields[inner.list]
        assert isinstance(kind, ListType)
        size = kind.size + self.random.choice((0, 0, 1))
        copied = self.random.sample(kind.fields, self.random.randint(1, len(kind.fields)))
        if self.random.random() < 0.3:
            return f"[i {self.source(inner, 1)}]", ListType(tuple(copied), size, "nothing")
        parts = [(f"own_{name}", part, f"i.{name}") for name, part in copied]
        parts += [self.made_part(number, inner) for number in range(self.random.randint(0, 2))]
        self.random.shuffle(parts)
        written = ", ".join(f"{name}={text}" for name, _, text in parts)
        made = tuple((name, part) for name, part, _ in parts)
        return f"[item({written}) {self.source(inner, 1)}]", ListType(made, size, "nothing")

    def made_part(self, number: int, inner: Place) -> tuple[str, AtomType, str]:
        """Return a part that is worked out: its name, its type and its text."""
        labels = self.scope.fields["label_a"]
        assert isinstance(labels, EnumType)
        kind, text = self.random.choice(
            (
                (NumberType(-WIDEST, WIDEST, 4), self.number(1, inner)),
                (BooleanType(), self.condition(1, inner)),
                (DateType(1, date.max.toordinal()), self.date(1, inner)),
                (labels, repr(self.random.choice(labels.values))),
            )
        )
        return f"made_{number}", kind, text

    def ask_list(self) -> Question | None:
        """Return the first list of some attempts that the type rules allow."""
        for _ in range(ATTEMPTS):
            text, kind = self.made_list()
            try:
                expression = parse_value(text, self.scope, kind)
            except ExpressionError as refusal:
                if refusal.code not in REFUSED and "decimal places" not in str(refusal):
                    raise
                continue
            return Question(text, expression, meaning(text, self.calendars))
        return None

    # what is kept

    def ask(self, make: Callable[[], str], target: ValueType | None = None) -> Question | None:
        """Return the first expression of some attempts that the type rules allow."""
        for _ in range(ATTEMPTS):
            text = make()
            expression = self.parsed(text, target)
            if expression is not None:
                return Question(text, expression, meaning(text, self.calendars))
        return None

    def parsed(self, text: str, target: ValueType | None) -> Expression | None:
        try:
            if target is None:
                return parse_condition(text, self.scope)
            return parse_value(text, self.scope, target)
        except ExpressionError as refusal:
            if isinstance(target, NumberType) and "decimal places" in str(refusal):
                wider = NumberType(-WIDEST, WIDEST, target.places + 1)
                return self.parsed(text, wider) if wider.places <= MOST_PLACES else None
            if refusal.code not in REFUSED:
                raise
            return None


def written(value: int, places: int) -> str:
    """Return a scaled integer as a brief writes it."""
    return f"{Decimal(value).scaleb(-places):f}"


def shown(moment: datetime) -> str:
    """Return a date-time as a brief writes it; years before 1000 keep their zeros."""
    return moment.isoformat(sep=" ", timespec="minutes")


def _counts(name: str, place: Place) -> bool:
    kinds = {f"{place.variable}.{item}": kind for item, kind in place.items}
    return isinstance(kinds.get(name), NumberType)
