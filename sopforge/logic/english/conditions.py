"""Comparisons and memberships, each relation with one wording only, and their opposites."""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.domain.language.expressions import (
    Aggregate,
    Compare,
    Constant,
    Contains,
    Element,
    Expression,
    Fold,
    Not,
    OneOf,
    Presence,
    Read,
    Relation,
)
from sopforge.domain.values.types import DateTimeType, DateType, NumberType, ValueType
from sopforge.logic.english.dates import Dates
from sopforge.logic.english.entries import Entries
from sopforge.logic.english.groups import none_of, one_of
from sopforge.logic.phrasing.brackets import amount, as_side, unit_beside
from sopforge.logic.phrasing.idioms import bare, days_apart, held

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
_AS_ONE = {"more than 0": "an", "at least 1": "an", "exactly 0": "no", "less than 1": "no"}


class Conditions(Dates, Entries):
    """Phrases conditions on one field, on two, or on the entries of a list."""

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

    def one_of(self, node: OneOf, operand: str) -> str:
        options = [self.constant(option) for option in node.options]
        return f"{as_side(node.operand, operand)} {self.verb(node.operand)} {one_of(options)}"

    def contains(self, node: Contains, operand: str) -> str:
        verb = "include" if self.verb(node.operand) == "are" else "includes"
        return f'{operand} {verb} "{node.member}"'

    def lacks(self, node: Contains, operand: str) -> str:
        """Return that a set has not a member."""
        verb = "do" if self.verb(node.operand) == "are" else "does"
        return f'{operand} {verb} not include "{node.member}"'

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
                return f"{phrase} {self.verb(inner.operand)} {none_of(options, 'not ')}"
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


def _relation_words(node: Compare) -> Mapping[Relation, str]:
    words = _WORDS.get(type(node.left.type))
    if words is _NUMBER_WORDS and not isinstance(bare(node.right), Constant):
        return _EQUAL_WORDS
    if words is not None:
        return words
    return _LABEL_WORDS if isinstance(node.right, Constant) else _FIELD_WORDS
