"""The English reading: an expression as words, each relation with one wording only.

"at least" is >=, "more than" is >, "at most" is <=, "less than" is <; for dates "on or after",
"after", "on or before", "before", for times with "at". Three conditions or more are a list with
letters, two are joined by "and" or "or", with a comma before it where one of them has the other
word in it. Of the entries of a list it is said what they have: "whose kind is ...".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sopforge.domain.expressions import (
    Absolute,
    AddDays,
    AddMonths,
    Aggregate,
    AllOf,
    AnyOf,
    Arithmetic,
    Choice,
    Compare,
    Constant,
    Contains,
    DateOf,
    Elapsed,
    Element,
    Expression,
    Extreme,
    Fold,
    Lookup,
    Not,
    OneOf,
    Operation,
    Outermost,
    Presence,
    Quotient,
    Read,
    Relation,
    Rescale,
    Size,
    Workdays,
)
from sopforge.domain.fields import Field
from sopforge.domain.malformed import marked_field
from sopforge.domain.types import (
    BooleanType,
    DateTimeType,
    DateType,
    EnumType,
    NumberType,
    TextType,
    ValueType,
    to_cell,
    whole,
)
from sopforge.logic.algebra import Interpretation
from sopforge.logic.brackets import (
    amount,
    as_factor,
    as_member,
    as_operand,
    as_side,
    as_summand,
    fenced,
    goes_on,
    is_clause,
    is_lettered,
    joint,
    unit_beside,
    unit_of,
)
from sopforge.logic.grammar import be, counted, is_fact, lettered, listed
from sopforge.logic.idioms import (
    Branch,
    DaysApart,
    Mean,
    bare,
    bounded,
    branches,
    days_apart,
    held,
    mean,
    member,
    negated,
    of_entries,
    rounded,
    runs,
)

_NUMBER_WORDS = {
    Relation.EQ: "exactly",
    Relation.NE: "not",
    Relation.LT: "less than",
    Relation.LE: "at most",
    Relation.GT: "more than",
    Relation.GE: "at least",
}
_DATE_WORDS = {
    Relation.EQ: "the same day as",
    Relation.NE: "not the same day as",
    Relation.LT: "before",
    Relation.LE: "on or before",
    Relation.GT: "after",
    Relation.GE: "on or after",
}
_TIME_WORDS = {
    Relation.EQ: "exactly",
    Relation.NE: "not",
    Relation.LT: "before",
    Relation.LE: "at or before",
    Relation.GT: "after",
    Relation.GE: "at or after",
}
_LABEL_WORDS = {Relation.EQ: "", Relation.NE: "not"}
_EQUAL_WORDS = {**_NUMBER_WORDS, Relation.EQ: "equal to", Relation.NE: "not equal to"}
_FIELD_WORDS = {Relation.EQ: "the same as", Relation.NE: "not the same as"}
_WORDS: Mapping[type[ValueType], Mapping[Relation, str]] = {
    NumberType: _NUMBER_WORDS,
    DateType: _DATE_WORDS,
    DateTimeType: _TIME_WORDS,
}
_OPERATION_WORDS = {
    Operation.ADD: "plus",
    Operation.SUBTRACT: "minus",
    Operation.MULTIPLY: "times",
}
_BOUNDS = {Extreme.MINIMUM: "at most", Extreme.MAXIMUM: "at least"}
_AS_ONE = {"more than 0": "an", "at least 1": "an", "exactly 0": "no", "less than 1": "no"}
_ENTRYS = "the entry's "
_TWO = 2
_NO_ENTRY = "if there is no such entry"


@dataclass(slots=True)
class English:
    """Writes phrases; the fields give labels and the words for missing values."""

    fields: Mapping[str, Field]
    written: Interpretation[str] = field(init=False)

    def __post_init__(self) -> None:
        self.written = Interpretation(self)

    def phrase(self, node: Expression) -> str:
        """Return an expression, or a part of one, in words; each part is written once."""
        return self.written.of(node)

    def named(self, field: str) -> str:
        """Return a field as a sentence names it."""
        return f"the {self.fields[field].label}"

    # names and constants

    def constant(self, node: Constant) -> str:
        if isinstance(node.type, NumberType):
            return amount(node, node.type.unit)
        shown = to_cell(node.type, node.value)
        is_quoted = isinstance(node.type, BooleanType | EnumType | TextType)
        return f'"{shown}"' if is_quoted else shown

    def read(self, node: Read) -> str:
        is_fact = isinstance(node.type, BooleanType)
        return self.fact(node, "yes") if is_fact else self.named(node.field)

    def element(self, node: Element) -> str:
        return self.fact(node, "yes") if isinstance(node.type, BooleanType) else self.own(node)

    def own(self, node: Element) -> str:
        """Return a field of the item at hand as a sentence names it."""
        return f"{_ENTRYS}{self.part(node)}"

    def part(self, node: Element) -> str:
        """Return the label of a field of a list's items."""
        return self.fields[node.list].part_label(node.field)

    def fact(self, node: Read | Element, word: str) -> str:
        """Return what a yes/no field is, in its own words if it has any.

        A label with a verb of its own needs a subject only.
        """
        said = self.fields[node.field].said if isinstance(node, Read) else None
        if said is not None:
            return said.yes if word == "yes" else said.no
        if isinstance(node, Element):
            subject, label, name = "entry", self.part(node), self.own(node)
        else:
            subject, label, name = "case", self.fields[node.field].label, self.named(node.field)
        if is_fact(label):
            return f'the {subject} {label}: "{word}"'
        return f'{name} {be(label)} "{word}"'

    def verb(self, node: Expression) -> str:
        """Return "is" or "are", as the phrase before it wants."""
        match bare(node):
            case Read(_, field):
                return be(self.fields[field].label)
            case Element() as element:
                return be(self.part(element))
            case _:
                return "is"

    def presence(self, node: Presence, word: str = "not ") -> str:
        marked = marked_field(node.field)
        if marked:
            form = "malformed" if word else "well formed"
            return f"{self.named(marked)} {be(self.fields[marked].label)} {form}"
        if node.field not in self.fields:  # an entity: whether the case has a record of it
            return f"there is {'a' if word else 'no'} record of the {node.field}"
        item = self.fields[node.field]
        return f'{self.named(node.field)} {be(item.label)} {word}"{item.missing}"'

    # numbers

    def rescale(self, node: Rescale, operand: str) -> str:  # noqa: ARG002 - a scale has no words
        return operand

    def arithmetic(self, node: Arithmetic, left: str, right: str) -> str:
        behind = negated(node)
        if behind is not None:
            return f"minus {as_operand(behind, right)}"
        is_product = node.operation is Operation.MULTIPLY
        parts = (node.left, left, node.right), (node.right, right, node.left)
        first, second = (
            as_factor(part, phrase) if is_product else as_summand(part, phrase, other)
            for part, phrase, other in parts
        )
        if goes_on(node.left, node):
            first = left
        if goes_on(node.right, node) and node.operation is not Operation.SUBTRACT:
            second = right
        return f"{first} {_OPERATION_WORDS[node.operation]} {second}"

    def quotient(self, node: Quotient, left: str, right: str) -> str:
        only = rounded(node)
        if only is not None:
            return _rounded(as_side(only, left), node.type.places)
        divided = f"{as_factor(node.left, left)} divided by {as_factor(node.right, right)}"
        return _rounded(divided, node.type.places)

    def absolute(self, node: Absolute, operand: str) -> str:
        return f"the absolute value of {as_operand(node.operand, operand)}"

    def outermost(self, node: Outermost, operands: Sequence[str]) -> str:
        limited = bounded(node)
        if limited is not None:
            return self.limited(node, *limited)
        is_least = node.extreme is Extreme.MINIMUM
        words = ("smaller", "smallest") if is_least else ("larger", "largest")
        unit = unit_of(node)
        parts = [
            as_operand(part, phrase, unit)
            for part, phrase in zip(node.operands, operands, strict=True)
        ]
        return f"the {words[len(parts) > len(words)]} of {listed(parts)}"

    def limited(self, node: Outermost, number: Expression, limit: Constant) -> str:
        """Return a number that a constant bounds, which may have the other bound already."""
        inner = bare(number)
        before = bounded(inner) if isinstance(inner, Outermost) else None
        phrase = self.phrase(number) if before else as_side(number, self.phrase(number))
        word = "and" if before else "but"
        bound = f"{_BOUNDS[node.extreme]} {as_operand(limit, '', unit_of(node))}"
        return f"{phrase}{'' if before else ','} {word} {bound}"

    def size(self, node: Size, operand: str) -> str:  # noqa: ARG002 - protocol
        return f"the number of entries in {operand}"

    # dates

    def elapsed(self, node: Elapsed, start: str, end: str) -> str:
        return f"the number of {node.span} {_span(node, start, end)}"

    def workdays(self, node: Workdays, start: str, end: str) -> str:
        calendar = f" of the calendar {node.calendar}" if node.calendar else ""
        return f"the number of working days{calendar} {_span(node, start, end)}"

    def add_days(self, node: AddDays, date: str, days: str) -> str:
        return f"the day {_away(node.days, days, 'days')} {as_operand(node.date, date)}"

    def add_months(self, node: AddMonths, date: str, months: str) -> str:
        day = f"the day {_away(node.months, months, 'months')} {as_operand(node.date, date)}"
        return f"{day} (or the last day of the month reached, where it has no such day)"

    def date_of(self, node: DateOf, operand: str) -> str:
        return f"the calendar day of {as_operand(node.operand, operand)}"

    # conditions

    def compare(self, node: Compare, left: str, right: str) -> str:
        entries, apart = held(node), days_apart(node)
        if entries is not None:
            number = f"{_NUMBER_WORDS[node.relation]} {amount(entries.number, None)}"
            return self.holding(entries.entries, _AS_ONE.get(number, number))
        if apart is not None:
            return self.apart(apart, _NUMBER_WORDS[node.relation])
        first = as_side(node.left, left, unit_beside(node.right))
        second = as_side(node.right, right, unit_beside(node.left))
        words = (first, self.verb(node.left), _relation_words(node)[node.relation], second)
        return " ".join(filter(None, words))

    def apart(self, apart: DaysApart, relation: str) -> str:
        """Return how many days a day lies before another, or after it."""
        day = self.phrase(apart.day)
        count = counted(amount(apart.count, None), "days")
        other = as_operand(apart.other, self.phrase(apart.other))
        side = "before" if apart.is_before else "after"
        return f"{day} {self.verb(apart.day)} {relation} {count} {side} {other}"

    def one_of(self, node: OneOf, operand: str) -> str:
        options = [self.constant(option) for option in node.options]
        return f"{as_side(node.operand, operand)} {self.verb(node.operand)} {_one_of(options)}"

    def contains(self, node: Contains, operand: str) -> str:
        verb = "include" if self.verb(node.operand) == "are" else "includes"
        return f'{operand} {verb} "{node.member}"'

    def lacks(self, node: Contains, operand: str) -> str:
        """Return that a set has not a member."""
        verb = "do" if self.verb(node.operand) == "are" else "does"
        return f'{operand} {verb} not include "{node.member}"'

    def all_of(self, node: AllOf, operands: Sequence[str]) -> str:  # noqa: ARG002 - flattened
        return self.joined(node, "all of these hold")

    def any_of(self, node: AnyOf, operands: Sequence[str]) -> str:  # noqa: ARG002 - flattened
        return self.joined(node, "at least one of these holds")

    def joined(self, node: AllOf | AnyOf, opening: str) -> str:
        """Return two conditions with a word between them, more as a list."""
        parts = runs(node)
        if not is_lettered(node):
            return joint(node).join(self.beside(part, node) for part in parts)
        items = [self.item(part, node) for part in parts]
        held = [fenced(part[0], item) for part, item in zip(parts, items, strict=True)]
        return f"{opening}: {lettered(held)}"

    def beside(self, part: Sequence[Expression], group: AllOf | AnyOf) -> str:
        """Return a condition, or what is asked of the members of one set, beside another."""
        first, *others = part
        return self.members(part, group) if others else as_member(first, self.phrase(first))

    def item(self, part: Sequence[Expression], group: AllOf | AnyOf) -> str:
        """Return a condition, or what is asked of the members of one set, by itself."""
        first, *others = part
        return self.members(part, group) if others else self.phrase(first)

    def members(self, part: Sequence[Expression], group: AllOf | AnyOf) -> str:
        """Return what is asked of several members of one set."""
        found = [test for test in map(member, part) if test is not None]
        operand = found[0].operand
        verb = "include" if self.verb(operand) == "are" else "includes"
        labels = [f'"{test.member}"' for test in found]
        is_denied = isinstance(bare(part[0]), Not)
        asked = _none_of(labels) if is_denied else _members(labels, group)
        return f"{self.phrase(operand)} {verb} {asked}"

    def negation(self, node: Not, operand: str) -> str:
        match node.operand:
            case Read() | Element() as inner:
                return self.fact(inner, "no")
            case Presence() as inner:
                return self.presence(inner, "")
            case Contains() as inner:
                return self.lacks(inner, self.phrase(inner.operand))
            case OneOf() as inner:
                options = [self.constant(option) for option in inner.options]
                phrase = as_side(inner.operand, self.phrase(inner.operand))
                return f"{phrase} {self.verb(inner.operand)} {_none_of(options, 'not ')}"
            case inner:
                return self.denied(inner, operand)

    def denied(self, node: Expression, phrase: str) -> str:
        """Return the opposite of a condition that is more than one fact about a field."""
        match node:
            case Compare():
                opposite = Compare(node.relation.opposite, node.left, node.right)
                return self.compare(opposite, self.phrase(node.left), self.phrase(node.right))
            case Not():
                return self.phrase(node.operand)
            case Aggregate(fold=Fold.ANY):
                return self.holding(node, "no")
            case _:
                return f"it is not the case that ({phrase})"

    # choices

    def choice(self, node: Choice, *parts: str) -> str:  # noqa: ARG002 - written branch by branch
        average = mean(node)
        if average is not None:
            return self.average(average)
        found, rest = branches(node)
        before = "".join(self.branch(node, branch) for branch in found)
        last = as_side(rest, self.phrase(rest), unit_of(node))
        return f"{before}, otherwise {last}".removeprefix(", otherwise ")

    def branch(self, node: Choice, branch: Branch) -> str:
        """Return a value and its condition, behind other values."""
        value = as_side(branch.then, self.phrase(branch.then), unit_of(node))
        if branch.goes_on:
            return f", {value} if {self.continued(branch.condition)}"
        return f", otherwise {value} if {self.condition_of(branch)}"

    def condition_of(self, branch: Branch) -> str:
        """Return the condition of a value; a number that it compares is "it" or "they" there."""
        condition = fenced(branch.condition, self.phrase(branch.condition))
        match bare(branch.condition):
            case Compare(left=Read(NumberType()) as subject) if subject == branch.then:
                start = f"{self.phrase(subject)} {self.verb(subject)} "
                pronoun = "they" if self.verb(subject) == "are" else "it"
                rest = condition.removeprefix(start)
                return condition if rest == condition else f"{pronoun} {self.verb(subject)} {rest}"
            case _:
                return condition

    def continued(self, condition: Expression) -> str:
        """Return a condition on the label that the condition before it is about."""
        match bare(condition):
            case OneOf(operand=subject, options=options):
                labels = [self.constant(option) for option in options]
            case Compare(left=subject, right=label):
                labels = [self.phrase(label)]
            case _:
                raise ValueError("not a condition on a label")
        pronoun = "they" if self.verb(subject) == "are" else "it"
        return f"{pronoun} {self.verb(subject)} {_one_of(labels)}"

    def lookup(self, node: Lookup, key: str, entries: Sequence[str]) -> str:
        inner = _second_key(node)
        if inner is not None:
            return f"{listed(self.cells(node))}, by {key} and {self.phrase(inner)}"
        parts = zip(_labels(node), node.entries, entries, strict=True)
        rows = [f"{_entry(entry, words)} for {label}" for label, entry, words in parts]
        return f"{listed(rows)}, by {key}"

    def cells(self, node: Lookup) -> list[str]:
        """Return the entries of a look-up by two fields, each with its two labels."""
        return [
            f"{_entry(cell, self.phrase(cell))} for {label} with {other}"
            for label, row in zip(_labels(node), node.entries, strict=True)
            if isinstance(row, Lookup)
            for other, cell in zip(_labels(row), row.entries, strict=True)
        ]

    # lists

    def aggregate(self, node: Aggregate) -> str:
        match node.fold:
            case Fold.COUNT:
                return f"the number of {self.entries(node)}"
            case Fold.SUM:
                return f"the sum of {self.over(node)}"
            case Fold.MINIMUM | Fold.MAXIMUM:
                word = "smallest" if node.fold is Fold.MINIMUM else "largest"
                return f"the {word} value of {self.over(node)}, or {self.without(node)} {_NO_ENTRY}"
            case Fold.ANY:
                return self.holding(node, "an")
            case Fold.ALL:
                return self.every(node)

    def average(self, node: Mean) -> str:
        """Return a rounded average, which the tree holds as a choice."""
        over = f"the average of {self.over(node.total)}"
        default = as_operand(node.default, self.phrase(node.default))
        return f"{_rounded(over, node.places)}, or {default} {_NO_ENTRY}"

    def over(self, node: Aggregate) -> str:
        """Return what is taken of each item, and of which items."""
        value = node.value
        if value is None:
            return f"the {self.entries(node)}"
        inner = bare(value)
        if isinstance(inner, Element):
            return f"the {self.part(inner)} of the {self.entries(node)}"
        return f"{as_side(value, self.phrase(value))} over the {self.entries(node)}"

    def entries(self, node: Aggregate) -> str:
        """Return the items that are folded."""
        every = f"entries in {self.named(node.list)}"
        return every if node.where is None else f"{every} {self.sifted(node.where)}"

    def sifted(self, condition: Expression) -> str:
        """Return which entries meet a condition."""
        facts = [self.phrase(part) for part in of_entries(condition)]
        if not facts:
            return f"for which {fenced(condition, self.phrase(condition))}"
        return listed([fact.replace(_ENTRYS, "whose ", 1) for fact in facts])

    def holding(self, node: Aggregate, number: str) -> str:
        """Return how many entries of a list meet the conditions."""
        parts = [part for part in (node.where, node.value) if part is not None]
        verb = "hold" if be(self.fields[node.list].label) == "are" else "holds"
        entry = "entry" if number.endswith(("an", "no", " 1")) else "entries"
        return f"{self.named(node.list)} {verb} {number} {entry} {self.which(parts)}"

    def which(self, parts: Sequence[Expression]) -> str:
        """Return which entries meet one or two conditions."""
        first, *others = parts
        if not others:
            return self.sifted(first)
        if all(map(of_entries, parts)):
            return listed([self.sifted(fact) for part in parts for fact in of_entries(part)])
        both = AllOf(tuple(parts))
        return f"for which {fenced(both, self.joined(both, 'all of these hold'))}"

    def without(self, node: Aggregate) -> str:
        """Return what stands for the value where there is no item."""
        default = node.default
        if default is None:
            return "0"
        return as_operand(default, self.phrase(default), unit_of(node))

    def every(self, node: Aggregate) -> str:
        """Return a condition on every item of a list that meets another."""
        where = "" if node.where is None else f" {self.sifted(node.where)}"
        value = "" if node.value is None else self.phrase(node.value)
        return f"for every entry in {self.named(node.list)}{where}, {value}"


def english(expression: Expression, fields: Mapping[str, Field]) -> str:
    """Return an expression in words, as it stands inside a sentence.

    A number that stands alone keeps the places of its type, for so an answer is written.
    """
    if isinstance(expression, Constant) and isinstance(expression.type, NumberType):
        return counted(to_cell(expression.type, expression.value), expression.type.unit)
    return English(fields).phrase(expression)


def english_items(condition: Expression, fields: Mapping[str, Field]) -> list[str]:
    """Return the conditions of a group in words, as a list has them; another one alone."""
    inner = bare(condition)
    if not isinstance(inner, AllOf | AnyOf):
        return [english(condition, fields)]
    words = English(fields)
    return [words.item(part, inner) for part in runs(inner)]


def english_value(
    expression: Expression, fields: Mapping[str, Field], *, inside: bool = False
) -> str:
    """Return a value in words; one that a condition decides is in brackets ``inside`` a sentence.

    What is yes or no by a condition says so.
    """
    words = english(expression, fields)
    is_decided = _is_decided(expression)
    is_held = inside and (is_decided or is_clause(expression))
    words = _decided(words) if is_decided else words
    return f"({words})" if is_held else words


def english_entry(entry: Expression, fields: Mapping[str, Field]) -> str:
    """Return an entry of a look-up in words, as it stands in a list or in a table's cell."""
    return _entry(entry, English(fields).phrase(entry))


# words


def _relation_words(node: Compare) -> Mapping[Relation, str]:
    words = _WORDS.get(type(node.left.type))
    if words is _NUMBER_WORDS and not isinstance(bare(node.right), Constant):
        return _EQUAL_WORDS
    if words is not None:
        return words
    return _LABEL_WORDS if isinstance(node.right, Constant) else _FIELD_WORDS


def _one_of(options: Sequence[str]) -> str:
    """Return what a label is where it is one of several."""
    opening = "one of " if len(options) > _TWO else ""
    return f"{opening}{listed(list(options), 'or')}"


def _none_of(options: Sequence[str], alone: str = "") -> str:
    """Return what a label is where it is none of several, or what a set has none of."""
    if len(options) == _TWO:
        return f"neither {' nor '.join(options)}"
    opening = "none of " if len(options) > _TWO else alone
    return f"{opening}{listed(list(options), 'or')}"


def _members(labels: Sequence[str], group: AllOf | AnyOf) -> str:
    """Return all members that a set has, or those of which it has one at least."""
    is_all = isinstance(group, AllOf)
    opening = ("all of " if is_all else "at least one of ") if len(labels) > _TWO else ""
    return f"{opening}{listed(list(labels), 'and' if is_all else 'or')}"


def _rounded(phrase: str, places: int) -> str:
    precision = f"{places} decimal place{'s' * (places != 1)}" if places else "a whole number"
    return f"{phrase}, rounded to {precision} with halves away from zero"


def _span(node: Elapsed | Workdays, start: str, end: str) -> str:
    return f"from {as_operand(node.start, start)} to {as_operand(node.end, end)}"


def _away(node: Expression, phrase: str, unit: str) -> str:
    """Return how far a day lies from another, and on which side."""
    if not isinstance(node, Constant):
        return f"({phrase}) {unit} after"
    count = whole(node.value)
    return f"{counted(str(abs(count)), unit)} {'before' if count < 0 else 'after'}"


def _is_mean(node: Expression) -> bool:
    inner = bare(node)
    return isinstance(inner, Choice) and mean(inner) is not None


def _labels(node: Lookup) -> list[str]:
    labels = node.key.type.values if isinstance(node.key.type, EnumType) else ()
    return [f'"{label}"' for label in labels]


def _second_key(node: Lookup) -> Expression | None:
    """Return the key of all rows of a look-up by two fields, None if it is by one."""
    first = node.entries[0]
    return first.key if isinstance(first, Lookup) else None


def _entry(node: Expression, phrase: str) -> str:
    return f"({_decided(phrase)})" if _is_decided(node) else as_side(node, phrase)


def _is_decided(value: Expression) -> bool:
    """Tell whether a value is yes or no by a condition."""
    is_given = isinstance(value, Constant | Lookup)
    return isinstance(value.type, BooleanType) and not is_given


def _decided(condition: str) -> str:
    return f'"yes" if {condition}, otherwise "no"'
