"""Well-typed expressions over a scope, written as a brief would write them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from sopforge.language.domain.expressions.expressions import Expression
from sopforge.language.domain.parsing import ExpressionError, parse_condition, parse_value
from sopforge.language.domain.rules import Decision
from sopforge.language.domain.values.types import (
    AtomType,
    BooleanType,
    DateType,
    EnumType,
    ListType,
    NumberType,
    ValueType,
)
from tests.generators.scopes import OPTIONAL, choices_of, word_of
from tests.generators.written_values import ANYWHERE, ReadPlace, ValueMaker, written
from tests.judges.reference_decisions import DecisionMeaning
from tests.judges.reference_interpreter import meaning

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


@dataclass(frozen=True)
class Question:
    """What is asked of each row: as text, as an expression, and as the reference means it.

    The reference gives None where there is nothing to ask.
    """

    text: str
    expression: Expression
    meaning: DecisionMeaning
    decision: Decision | None = None


class Maker(ValueMaker):
    """Writes expressions over a scope."""

    # conditions

    def condition(self, depth: int, place: ReadPlace = ANYWHERE) -> str:
        form = self.random.choice(CONDITION_FORMS) if depth else "fact"
        made: Callable[[int, ReadPlace], str] = getattr(self, f"condition_{form}")
        return made(max(0, depth - 1), place)

    def condition_fact(self, depth: int, place: ReadPlace) -> str:
        word = self.random.choice(
            ("integer", "number", "date", "date-time", "enum", "text", "set", "boolean", "present")
        )
        if word == "date" and self.random.random() < 0.2:
            return self.weekday(depth, place)
        return self.fact(word, self.random.choice(RELATIONS), place)

    def weekday(self, depth: int, place: ReadPlace) -> str:
        """Return what is asked of the weekday of a day."""
        days = self.random.sample(WEEKDAYS, self.random.randint(1, 3))
        asked = self.random.choice((f"== {days[0]!r}", f"!= {days[0]!r}", f"in {days!r}"))
        return f"weekday_of({self.date(depth, place)}) {asked}"

    def condition_negation(self, depth: int, place: ReadPlace) -> str:
        return f"not ({self.condition(depth, place)})"

    def condition_joined(self, depth: int, place: ReadPlace) -> str:
        parts = [self.condition(depth, place) for _ in range(self.random.randint(2, 3))]
        return f"({self.random.choice((' and ', ' or ')).join(parts)})"

    def condition_guarded(self, depth: int, place: ReadPlace) -> str:
        lists = {"may_lines"} if place.items else set()  # no aggregate inside another
        name = self.random.choice(sorted(OPTIONAL - lists))
        inner = ReadPlace(place.present | {name}, place.variable, place.list, place.items)
        form = self.random.choice(("(present({0}) and {1})", "(not present({0}) or {1})"))
        return form.format(name, self.about(name, depth, inner))

    def condition_compared(self, depth: int, place: ReadPlace) -> str:
        relation = self.random.choice(RELATIONS)
        if self.random.random() < 0.3:
            return self.ratio(relation, place)
        text = f"{self.number(depth, place)} {relation} {self.number(depth, place)}"
        if self.random.random() < 0.2:
            text += f" {self.random.choice(RELATIONS)} {self.number(0, place)}"
        return f"({text})"

    def condition_quantified(self, depth: int, place: ReadPlace) -> str:
        if place.items:
            return self.condition(depth, place)
        inner = self.inside(place)
        quantifier = self.random.choice(("any", "all"))
        return f"{quantifier}({self.condition(depth, inner)} {self.source(inner, depth)})"

    def about(self, name: str, depth: int, place: ReadPlace) -> str:
        """Return a condition about a field that is known to be present."""
        kind = self.scope.fields[name]
        if isinstance(kind, ListType):
            inner = ReadPlace(place.present, "i", name, kind.fields)
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

    def fact(self, word: str, relation: str, place: ReadPlace = ANYWHERE, name: str = "") -> str:
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

    def made_set(self, name: str, place: ReadPlace, depth: int = 1) -> str:
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

    def whole_set(self, name: str, place: ReadPlace) -> str:
        """Return a set in which the field itself is read."""
        other = self.made_set(name, place)
        sides = (name, other) if self.random.random() < 0.5 else (other, name)
        return f"({sides[0]} {self.random.choice('|&-')} {sides[1]})"

    def written_set(self, labels: Sequence[str]) -> str:
        return repr(self.random.sample(labels, self.random.randint(1, len(labels))))

    def membership(self, name: str, place: ReadPlace) -> str:
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

    def inclusion(self, name: str, labels: Sequence[str], place: ReadPlace) -> str:
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

    def equality(self, word: str, relation: str, name: str, place: ReadPlace) -> str:
        kinds = self.kinds(place)
        kind = kinds[name]
        if relation not in {"==", "!="} and isinstance(kind, EnumType) and kind.is_ordered:
            left = self.extreme_label(name, place) if self.random.random() < 0.2 else name
            return f"{left} {relation} {self.ranked(name, place)}"
        relation = relation if relation in {"==", "!="} else "=="
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

    def ranked(self, name: str, place: ReadPlace) -> str:
        """Return a label of the order of a field: a field, a written one, or one of several."""
        if self.random.random() < 0.2:
            return self.extreme_label(name, place)
        return self.random.choice(self.alike_labels(name, place))

    def alike_labels(self, name: str, place: ReadPlace) -> list[str]:
        kinds = self.kinds(place)
        alike = [other for other, kind in kinds.items() if kind == kinds[name]]
        return [*alike, *map(repr, choices_of(kinds[name]))]

    def extreme_label(self, name: str, place: ReadPlace) -> str:
        """Return the lower or higher of labels, or the lowest or highest of items."""
        extreme = self.random.choice(("min", "max"))
        other = self.random.choice(self.alike_labels(name, place))
        if not place.items and self.random.random() < 0.4:
            inner = self.inside(place, "lines")
            taken = self.random.choice((extreme, extreme, "first", "last", "median"))
            return f"{taken}((i.kind {self.source(inner, 0)}), default={other})"
        return f"{extreme}({name}, {other})"

    def mixed(self, relation: str, place: ReadPlace = ANYWHERE) -> str:
        """Return a comparison of numbers of different places."""
        number, integer = self.name("number", place), self.name("integer", place)
        self.marks[number].append(Fraction(self.random.randint(-3, 9)))
        self.marks[integer].extend(self.marks[number][-1:])
        return f"{number} {relation} {integer}"

    def ratio(self, relation: str, place: ReadPlace = ANYWHERE) -> str:
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
        place = ReadPlace(frozenset({name}))
        form = self.random.choice(("present({0}) and {1}", "not present({0}) or {1}"))
        if relation:
            word = word_of(self.scope.fields[name])
            return form.format(name, self.fact(word, relation, place, name))
        return form.format(name, self.about(name, 0, place))

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

    def made_part(self, number: int, inner: ReadPlace) -> tuple[str, AtomType, str]:
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
            return Question(text, expression, meaning(text, self.calendars, self.orders))
        return None

    # what is kept

    def ask(self, make: Callable[[], str], target: ValueType | None = None) -> Question | None:
        """Return the first expression of some attempts that the type rules allow."""
        for _ in range(ATTEMPTS):
            text = make()
            expression = self.parsed(text, target)
            if expression is not None:
                return Question(text, expression, meaning(text, self.calendars, self.orders))
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
