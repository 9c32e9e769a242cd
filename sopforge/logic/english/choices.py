"""Values that a condition or a label decides: choices, look-ups, and yes or no."""

from __future__ import annotations

from collections.abc import Sequence

from sopforge.domain.language.expressions import (
    Choice,
    Compare,
    Constant,
    Expression,
    Lookup,
    OneOf,
    Read,
)
from sopforge.domain.values.types import BooleanType, EnumType, NumberType
from sopforge.logic.english.entries import Entries
from sopforge.logic.english.groups import one_of
from sopforge.logic.phrasing.brackets import as_side, fenced, unit_of
from sopforge.logic.phrasing.grammar import listed
from sopforge.logic.phrasing.idioms import Branch, bare, branches, mean


class Choices(Entries):
    """Phrases choices and look-ups."""

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
        return f"{pronoun} {self.verb(subject)} {one_of(labels)}"

    def lookup(self, node: Lookup, key: str, entries: Sequence[str]) -> str:
        inner = _second_key(node)
        if inner is not None:
            return f"{listed(self.cells(node))}, by {key} and {self.phrase(inner)}"
        parts = zip(_labels(node), node.entries, entries, strict=True)
        rows = [f"{as_entry(entry, words)} for {label}" for label, entry, words in parts]
        return f"{listed(rows)}, by {key}"

    def cells(self, node: Lookup) -> list[str]:
        """Return the entries of a look-up by two fields, each with its two labels."""
        return [
            f"{as_entry(cell, self.phrase(cell))} for {label} with {other}"
            for label, row in zip(_labels(node), node.entries, strict=True)
            if isinstance(row, Lookup)
            for other, cell in zip(_labels(row), row.entries, strict=True)
        ]


def _labels(node: Lookup) -> list[str]:
    labels = node.key.type.values if isinstance(node.key.type, EnumType) else ()
    return [f'"{label}"' for label in labels]


def _second_key(node: Lookup) -> Expression | None:
    """Return the key of all rows of a look-up by two fields, None if it is by one."""
    first = node.entries[0]
    return first.key if isinstance(first, Lookup) else None


def as_entry(node: Expression, phrase: str) -> str:
    """Return a phrase as it stands in an entry of a look-up."""
    return f"({as_yes_or_no(phrase)})" if is_condition(node) else as_side(node, phrase)


def is_condition(value: Expression) -> bool:
    """Tell whether a value is yes or no by a condition."""
    is_given = isinstance(value, Constant | Lookup)
    return isinstance(value.type, BooleanType) and not is_given


def as_yes_or_no(condition: str) -> str:
    """Return a condition as a value."""
    return f'"yes" if {condition}, otherwise "no"'
