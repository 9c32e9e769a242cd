"""The English reading: an expression as words, each relation with one wording only.

"at least" is >=, "more than" is >, "at most" is <=, "less than" is <; for dates "on or after",
"after", "on or before", "before".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sopforge.domain.expressions import (
    AllOf,
    AnyOf,
    Arithmetic,
    Choice,
    Compare,
    Constant,
    Contains,
    DaysBetween,
    Expression,
    Lookup,
    Not,
    OneOf,
    Operation,
    Presence,
    Read,
    Relation,
    Rescale,
    Size,
)
from sopforge.domain.model import Field
from sopforge.domain.types import BooleanType, DateType, EnumType, NumberType, to_cell
from sopforge.logic.algebra import interpret

_NUMBER_WORDS = {
    Relation.EQ: "is exactly",
    Relation.NE: "is not",
    Relation.LT: "is less than",
    Relation.LE: "is at most",
    Relation.GT: "is more than",
    Relation.GE: "is at least",
}
_DATE_WORDS = {
    Relation.EQ: "is the same day as",
    Relation.NE: "is not the same day as",
    Relation.LT: "is before",
    Relation.LE: "is on or before",
    Relation.GT: "is after",
    Relation.GE: "is on or after",
}
_LABEL_WORDS = {Relation.EQ: "is", Relation.NE: "is not"}
_OPERATION_WORDS = {
    Operation.ADD: "plus",
    Operation.SUBTRACT: "minus",
    Operation.MULTIPLY: "times",
}
_OPPOSITE = {
    Relation.EQ: Relation.NE,
    Relation.NE: Relation.EQ,
    Relation.LT: Relation.GE,
    Relation.GE: Relation.LT,
    Relation.GT: Relation.LE,
    Relation.LE: Relation.GT,
}


@dataclass(frozen=True, slots=True)
class English:
    """Writes phrases; the fields give labels and the words for missing values."""

    fields: Mapping[str, Field]

    def named(self, field: str) -> str:
        """Return a field as a sentence names it."""
        return f"the {self.fields[field].label}"

    def constant(self, node: Constant) -> str:
        shown = to_cell(node.type, node.value)
        if isinstance(node.type, EnumType | BooleanType):
            return f'"{shown}"'
        unit = node.type.unit if isinstance(node.type, NumberType) else ""
        return f"{shown} {unit}".rstrip()

    def read(self, node: Read) -> str:
        name = self.named(node.field)
        return f'{name} is "yes"' if isinstance(node.type, BooleanType) else name

    def presence(self, node: Presence) -> str:
        return f'{self.named(node.field)} is not "{self.fields[node.field].missing}"'

    def rescale(self, node: Rescale, operand: str) -> str:  # noqa: ARG002 - a scale has no words
        return operand

    def arithmetic(self, node: Arithmetic, left: str, right: str) -> str:
        first = f"({left})" if _differs(_bare(node.left), node) else left
        inner = _bare(node.right)
        is_nested = isinstance(inner, Arithmetic)
        second = f"({right})" if is_nested and not _commutes(inner, node) else right
        return f"{first} {_OPERATION_WORDS[node.operation]} {second}"

    def days_between(self, node: DaysBetween, start: str, end: str) -> str:  # noqa: ARG002 - protocol
        return f"the number of days from {start} to {end}"

    def size(self, node: Size, operand: str) -> str:  # noqa: ARG002 - protocol
        return f"the number of entries in {operand}"

    def compare(self, node: Compare, left: str, right: str) -> str:
        words = _relation_words(node)
        return f"{left} {words[node.relation]} {right}"

    def one_of(self, node: OneOf, operand: str) -> str:
        options = [self.constant(option) for option in node.options]
        return f"{operand} is one of {', '.join(options)}"

    def contains(self, node: Contains, operand: str) -> str:
        return f'{operand} includes "{node.member}"'

    def all_of(self, node: AllOf, operands: Sequence[str]) -> str:
        return _joined(node.operands, operands, "and", AnyOf)

    def any_of(self, node: AnyOf, operands: Sequence[str]) -> str:
        return _joined(node.operands, operands, "or", AllOf)

    def negation(self, node: Not, operand: str) -> str:
        match node.operand:
            case Read() as inner:
                return f'{self.named(inner.field)} is "no"'
            case Compare() as inner:
                opposite = Compare(_OPPOSITE[inner.relation], inner.left, inner.right)
                return interpret(opposite, self)
            case Contains() as inner:
                return f'{interpret(inner.operand, self)} does not include "{inner.member}"'
            case Presence() as inner:
                return f'{self.named(inner.field)} is "{self.fields[inner.field].missing}"'
            case OneOf() as inner:
                options = [self.constant(option) for option in inner.options]
                return f"{interpret(inner.operand, self)} is none of {', '.join(options)}"
            case _:
                return f"it is not the case that ({operand})"

    def choice(self, node: Choice, condition: str, then: str, otherwise: str) -> str:  # noqa: ARG002 - protocol
        return f"({then} if {condition}, otherwise {otherwise})"

    def lookup(self, node: Lookup, key: str) -> str:
        kind = node.key.type
        labels = kind.values if isinstance(kind, EnumType) else ()
        pairs = zip(labels, node.entries, strict=True)
        entries = [f'{self.constant(entry)} for "{label}"' for label, entry in pairs]
        return f"{_listed(entries, 'and')}, by {key}"


def english(expression: Expression, fields: Mapping[str, Field]) -> str:
    """Return an expression in words, as it stands inside a sentence."""
    return interpret(expression, English(fields))


def _relation_words(node: Compare) -> Mapping[Relation, str]:
    if isinstance(node.left.type, DateType):
        return _DATE_WORDS
    return _NUMBER_WORDS if isinstance(node.left.type, NumberType) else _LABEL_WORDS


def _bare(node: Expression) -> Expression:
    """Return what a scale is laid around, for a scale has no words."""
    return node.operand if isinstance(node, Rescale) else node


def _differs(child: Expression, parent: Arithmetic) -> bool:
    return isinstance(child, Arithmetic) and child.operation is not parent.operation


def _commutes(child: Expression, parent: Arithmetic) -> bool:
    return not _differs(child, parent) and parent.operation is not Operation.SUBTRACT


def _joined(
    nodes: Sequence[Expression], phrases: Sequence[str], word: str, other: type[AllOf | AnyOf]
) -> str:
    parts = []
    for node, phrase in zip(nodes, phrases, strict=True):
        parts.append(f"({phrase})" if isinstance(node, other) else phrase)
    return f" {word} ".join(parts)


def _listed(items: Sequence[str], word: str) -> str:
    if len(items) == 1:
        return items[0]
    return f"{', '.join(items[:-1])} {word} {items[-1]}"
