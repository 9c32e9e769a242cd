"""Comparisons and memberships, each relation with one wording only, and their opposites."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sopforge.domain.language.expressions import (
    Aggregate,
    AggregateFunction,
    Among,
    Combination,
    Compare,
    Constant,
    Contains,
    Element,
    Expression,
    Not,
    OneOf,
    Presence,
    Read,
    Relation,
    SetOperation,
    Subset,
)
from sopforge.domain.values.types import (
    DateTimeType,
    DateType,
    ListType,
    NumberType,
    SetType,
    ValueType,
    require_integer,
)
from sopforge.logic.english.dates import Dates
from sopforge.logic.english.entries import Entries
from sopforge.logic.english.groups import phrase_none_of, phrase_one_of
from sopforge.logic.english.names import COUNT_WORDS, NUMBER_WORDS, find_label
from sopforge.logic.english.sets import Sets
from sopforge.logic.english.shares import Shares
from sopforge.logic.phrasing.brackets import (
    as_operand,
    as_side,
    choose_unit_beside,
    format_amount,
    get_unit,
)
from sopforge.logic.phrasing.distances import find_distance, find_order
from sopforge.logic.phrasing.grammar import (
    conjugate_be,
    find_counted_item,
    format_quantity,
    is_one_amount,
    is_unit_named,
    is_year,
    phrase_any,
)
from sopforge.logic.phrasing.idioms import (
    find_held_entries,
    find_reached,
    put_entry_first,
    unwrap_node,
)
from sopforge.logic.phrasing.shares import ComparedShare, find_compared_share
from sopforge.logic.phrasing.sizes import Counted, find_counted

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
_EQUAL_WORDS = {**NUMBER_WORDS, Relation.EQ: "equal to", Relation.NE: "not equal to"}
_FIELD_WORDS = {Relation.EQ: "the same as", Relation.NE: "not the same as"}
_WORDS: Mapping[type[ValueType], Mapping[Relation, str]] = {
    NumberType: NUMBER_WORDS,
    DateType: _DATE_WORDS,
    DateTimeType: _TIME_WORDS,
}
_YEAR_WORDS = {**NUMBER_WORDS, Relation.LT: "before", Relation.GT: "after"}
_OR_YEARS = {Relation.LE: " or earlier", Relation.GE: " or later"}
_DEGREE = "°"
_DEGREE_ORDER = {Relation.LT: "below", Relation.GT: "above"}
_MANY_WORDS = {**COUNT_WORDS, Relation.LT: "fewer than"}
_SOME = {
    (Relation.GT, 0): "at least one",
    (Relation.GE, 1): "at least one",
    (Relation.NE, 0): "at least one",
    (Relation.EQ, 0): "no",
    (Relation.LT, 1): "no",
}
"""How many there are of something, by the relation of its number to 0 or 1."""
_AS_ONE = {"more than 0": "an", "at least 1": "an", "exactly 0": "no", "less than 1": "no"}


class Conditions(Sets, Entries, Shares, Dates):
    """Phrases conditions on one field, on two, or on the entries of a list."""

    def visit_compare(self, node: Compare, left: str, right: str) -> str:
        turned = put_entry_first(node)
        if turned is not node:
            return self.visit_compare(turned, right, left)
        node = self.name_at_least(node)
        said = (
            self.phrase_entries_asked(node)
            or self.phrase_total_asked(node)
            or self.phrase_days_asked(node)
        )
        if said:
            return said
        counted, share = find_counted(node), find_compared_share(node)
        if counted is not None:
            return self.phrase_counted(counted)
        if share is not None:
            return self.phrase_compared_share(share)
        return (
            self.phrase_amount_clause(node)
            or self.phrase_number_of(node)
            or self.phrase_relation(node, left, right)
        )

    def phrase_amount_clause(self, node: Compare) -> str:
        """Return what a clause says of a number beside a figure, "" where there is none."""
        clause = self.find_amount_clause(node)
        if clause is None or node.relation is Relation.NE:
            return ""
        unit = choose_unit_beside(node.left)
        figure = as_side(node.right, self.phrase(node.right), unit)
        return clause.say(f"{COUNT_WORDS[node.relation]} {figure}")

    def name_at_least(self, node: Compare) -> Compare:
        """Return a comparison of a number with the least that it can be, as it is said.

        What is not 0 is more than 0, and what is at most 0 is 0. Of an amount that may be missing,
        a limit says that it is there, and "not 0" does not.
        """
        left, right = unwrap_node(node.left), unwrap_node(node.right)
        if not isinstance(left, Read) or not isinstance(right, Constant) or right.name:
            return node
        if not isinstance(left.type, NumberType) or not isinstance(right.type, NumberType):
            return node
        if left.type.places and self.fields[left.field].missing:
            return node
        said = {Relation.NE: Relation.GT, Relation.LE: Relation.EQ}.get(node.relation)
        is_least = right.value == left.type.minimum
        return replace(node, relation=said) if said and is_least else node

    def phrase_entries_asked(self, node: Compare) -> str:
        """Return what a comparison asks of the entries of a list, "" where it asks otherwise."""
        entries, reached = find_held_entries(node), find_reached(node)
        if entries is not None and self.is_said_of_entry(entries.where):
            number = f"{COUNT_WORDS[node.relation]} {format_amount(entries.number, None)}"
            return self.phrase_holding(entries.entries, _AS_ONE.get(number, number))
        if reached is not None and self.is_item(reached[0]):
            return self.phrase_holding(reached[0], "an" if reached[1] else "no")
        return ""

    def phrase_total_asked(self, node: Compare) -> str:
        """Return how much some items have together: "the lines of the kind "X" have a total ...".

        "" for another comparison, and where the items have no name of their own.
        """
        total, limit = unwrap_node(node.left), unwrap_node(node.right)
        if not isinstance(total, Aggregate) or total.function is not AggregateFunction.SUM:
            return ""
        part = unwrap_node(total.value) if total.value else None
        is_amount = isinstance(limit, Constant) and node.relation not in {Relation.EQ, Relation.NE}
        if not isinstance(part, Element) or not is_amount or total.where is None:
            return ""
        label = self.label_item_field(part)
        items = self.phrase_items(total, f"total {label} of the")
        if not items or not is_one_amount(label) or " of " in label:
            return ""
        amount = as_side(limit, self.phrase(limit), self.choose_unit(limit, node.left))
        return f"the {items} have a total {label} of {COUNT_WORDS[node.relation]} {amount}"

    def phrase_days_asked(self, node: Compare) -> str:
        """Return how two days or times lie, "" where a comparison is of others."""
        distance, order = find_distance(node), find_order(node)
        if distance is not None:
            return self.phrase_distance(distance)
        if order is not None:
            return self.visit_compare(order, self.phrase(order.left), self.phrase(order.right))
        return ""

    def is_item(self, entries: Aggregate) -> bool:
        """Return whether entries have a name that can be followed by what is asked of them.

        Of a list that may be missing, a limit says that it is there; "there is no" does not.
        """
        parts = [part for part in (entries.where, entries.value) if part is not None]
        is_named = self.name_item(entries.list) and not self.fields[entries.list].missing
        return bool(is_named) and all(map(self.is_said_of_entry, parts))

    def phrase_limit(self, limit: Expression) -> str:
        """Return a condition; what compares a number of things says so of the number."""
        is_amount = isinstance(limit, Compare) and self.find_amount_clause(limit) is not None
        if not isinstance(limit, Compare) or not (is_amount or self.phrase_number_of(limit)):
            return self.phrase(limit)
        return self.phrase_relation(limit, self.phrase(limit.left), self.phrase(limit.right))

    def phrase_relation(self, node: Compare, left: str, right: str) -> str:
        """Return how one value stands to another."""
        if clause := self.phrase_label_clause(node):
            return clause
        first = as_side(node.left, left, self.choose_unit(node.left, node.right))
        second = as_side(node.right, right, self.choose_unit(node.right, node.left))
        if node.relation is Relation.NE and not isinstance(unwrap_node(node.right), Constant):
            verb = "differ" if self.choose_verb(node.left) == "are" else "differs"
            return f"{first} {verb} from {second}"
        if self.is_excess(node):
            verb = "exceed" if self.choose_verb(node.left) == "are" else "exceeds"
            return f"{first} {verb} {second}"
        if is_year(find_label(node.left, self.fields), node.left.type):
            return _phrase_year(f"{first} {self.choose_verb(node.left)}", node.relation, second)
        is_figure = isinstance(unwrap_node(node.right), Constant)
        is_order = node.relation not in {Relation.EQ, Relation.NE} and not is_figure
        subject, verb = (self.find_event(node.left) if is_order else None) or (
            first,
            self.choose_verb(node.left),
        )
        words = (
            subject,
            verb,
            _choose_relation_words(node)[node.relation],
            second,
        )
        return " ".join(filter(None, words))

    def is_excess(self, node: Compare) -> bool:
        """Return whether a comparison says that a number is more than one that is no figure."""
        is_number = isinstance(node.left.type, NumberType)
        unit = getattr(node.left.type, "unit", "")
        is_degree = unit.startswith(_DEGREE) or is_year(
            find_label(node.left, self.fields), node.left.type
        )
        is_figure = isinstance(unwrap_node(node.right), Constant)
        return node.relation is Relation.GT and is_number and not is_degree and not is_figure

    def choose_unit(self, number: Expression, other: Expression) -> str | None:
        """Return the unit of a plain number beside another; None where the other's label has it."""
        label = find_label(other, self.fields)
        is_named = is_unit_named(label, get_unit(number) or get_unit(other))
        return None if is_named else choose_unit_beside(other)

    def phrase_counted(self, counted: Counted) -> str:
        """Return how many entries a set or a list has."""
        name = _find_name(counted)
        if name and (item := self.name_item(name)):
            number = _phrase_count(counted)
            items = self.fields[name].label
            return phrase_any(item, items, number) or self.phrase_there(name, number)
        if name and (counted.is_some or counted.is_none):
            return self.phrase_emptiness(name, "" if counted.is_none else "not ")
        entries = format_quantity(str(counted.count), "entries")
        number = f"{_MANY_WORDS[counted.relation]} {entries}"
        if isinstance(counted.entries, str):
            words, be = self.name_field(name), conjugate_be(self.fields[name].label)
        else:
            inner = unwrap_node(counted.entries)
            if isinstance(inner, Combination) and inner.operation is SetOperation.INTERSECTION:
                both = self.phrase(inner.left), self.phrase(inner.right)
                return self.phrase_shared(inner, *both, _phrase_shared_number(counted) or number)
            words = as_operand(counted.entries, self.phrase(counted.entries))
            be = self.choose_verb(counted.entries)
        if counted.is_some or counted.is_none:
            number = "at least one entry" if counted.is_some else "no entry"
        return f"{words} {'have' if be == 'are' else 'has'} {number}"

    def phrase_emptiness(self, name: str, word: str) -> str:
        """Return that a set or a list is empty, or not, by the word that it has for that."""
        item = self.fields[name]
        empty = item.type.empty if isinstance(item.type, SetType | ListType) else item.missing
        return f'{self.name_field(name)} {conjugate_be(item.label)} {word}"{empty}"'

    def phrase_number_of(self, node: Compare) -> str:
        """Return how many there are of something of which a number says it.

        "" for other conditions, and where the label does not say what one of them is called.
        """
        left, right = unwrap_node(node.left), unwrap_node(node.right)
        if not isinstance(left, Read) or not isinstance(right, Constant):
            return ""
        label = self.fields[left.field].label
        item = find_counted_item(label)
        if not item or not isinstance(left.type, NumberType) or left.type.places:
            return ""
        if left.type.minimum < 0:
            return ""
        items, value = label.removeprefix("number of "), require_integer(right.value)
        unit = get_unit(left) or get_unit(right)
        is_named = not unit or is_unit_named(items, unit)
        if value > 1 and node.relation is not Relation.NE and is_named:
            return f"there are {_MANY_WORDS[node.relation]} {value} {items}"
        if right.name and value == 1 and node.relation is Relation.GE and is_named:
            return f"there is at least 1 {item}"
        known = "" if right.name else _SOME.get((node.relation, value), "")
        return phrase_any(item, items, known)

    def phrase_compared_share(self, compared: ComparedShare) -> str:
        """Return what a number is beside so many percent of another."""
        part = as_side(compared.part, self.phrase(compared.part))
        share = self.phrase_share(compared.share)
        if isinstance(unwrap_node(compared.part), Constant):
            return f"{share} is {COUNT_WORDS[compared.relation.mirrored]} {part}"
        verb = self.choose_verb(compared.part)
        return f"{part} {verb} {COUNT_WORDS[compared.relation]} {share}"

    def visit_one_of(self, node: OneOf, operand: str) -> str:
        options = [self.visit_constant(option) for option in node.options]
        side, verb = as_side(node.operand, operand), self.choose_verb(node.operand)
        return f"{side} {verb} {phrase_one_of(options)}"

    def visit_contains(self, node: Contains, operand: str) -> str:
        verb = "include" if self.choose_verb(node.operand) == "are" else "includes"
        return f'{as_operand(node.operand, operand)} {verb} "{node.member}"'

    def phrase_lack(self, node: Contains, operand: str) -> str:
        """Return that a set has not a member."""
        verb = "do" if self.choose_verb(node.operand) == "are" else "does"
        return f'{as_operand(node.operand, operand)} {verb} not include "{node.member}"'

    def visit_negation(self, node: Not, operand: str) -> str:  # noqa: PLR0911 - one case per node
        match node.operand:
            case Read() | Element() as inner:
                return self.phrase_fact(inner, "no")
            case Presence() as inner:
                return self.visit_presence(inner, "")
            case Contains() as inner:
                return self.phrase_lack(inner, self.phrase(inner.operand))
            case Among() as inner:
                parts = self.phrase(inner.operand), self.phrase(inner.members)
                return self.visit_among(inner, *parts, "not ")
            case Subset() as inner:
                return self.phrase_excess(inner)
            case OneOf() as inner:
                options = [self.visit_constant(option) for option in inner.options]
                phrase = as_side(inner.operand, self.phrase(inner.operand))
                return (
                    f"{phrase} {self.choose_verb(inner.operand)} {phrase_none_of(options, 'not ')}"
                )
            case inner:
                return self.phrase_denial(inner, operand)

    def phrase_denial(self, node: Expression, phrase: str) -> str:
        """Return the opposite of a condition that is more than one fact about a field."""
        match node:
            case Compare():
                opposite = Compare(node.relation.opposite, node.left, node.right)
                return self.visit_compare(opposite, self.phrase(node.left), self.phrase(node.right))
            case Not():
                return self.phrase(node.operand)
            case Aggregate(function=AggregateFunction.ANY):
                return self.phrase_holding(node, "no")
            case _:
                return f"it is not the case that ({phrase})"


def _phrase_year(start: str, relation: Relation, year: str) -> str:
    """Return how a year lies to another, after the year and its verb."""
    after = _OR_YEARS.get(relation, "")
    words = "" if after else _YEAR_WORDS[relation]
    return f"{' '.join(filter(None, (start, words, year)))}{after}"


def _find_name(counted: Counted) -> str:
    """Return the name of the list or set that is counted, "" where that is made of two."""
    if isinstance(counted.entries, str):
        return counted.entries
    inner = unwrap_node(counted.entries)
    return inner.field if isinstance(inner, Read) else ""


def _phrase_shared_number(counted: Counted) -> str:
    if counted.is_some or counted.is_none:
        return "something" if counted.is_some else "nothing"
    return ""


def _phrase_count(counted: Counted) -> str:
    if counted.is_some or counted.is_none:
        return "at least one" if counted.is_some else "no"
    return f"{_MANY_WORDS[counted.relation]} {'one' if counted.count == 1 else counted.count}"


def _choose_relation_words(node: Compare) -> Mapping[Relation, str]:
    words = _WORDS.get(type(node.left.type))
    is_degree = getattr(node.left.type, "unit", "").startswith(_DEGREE)
    if words is NUMBER_WORDS and not isinstance(unwrap_node(node.right), Constant):
        return {**_EQUAL_WORDS, **_DEGREE_ORDER} if is_degree else _EQUAL_WORDS
    if words is NUMBER_WORDS and is_degree:
        return {**words, **_DEGREE_ORDER}
    if words is not None:
        return words
    return _LABEL_WORDS if isinstance(node.right, Constant) else _FIELD_WORDS
