"""Values that a condition or a label decides: choices, look-ups, and yes or no."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from sopforge.domain.language.expressions import (
    Choice,
    Compare,
    Constant,
    Expression,
    Lookup,
    Missing,
    OneOf,
    Presence,
    Read,
)
from sopforge.domain.values.types import BooleanType, EnumType, NumberType
from sopforge.logic.english.entries import Entries
from sopforge.logic.english.groups import phrase_one_of
from sopforge.logic.phrasing.brackets import as_side, bracket_if_open, get_unit
from sopforge.logic.phrasing.grammar import join_items
from sopforge.logic.phrasing.idioms import Branch, find_mean, split_branches, unwrap_node

Entry = TypeVar("Entry")


class Choices(Entries):
    """Phrases choices and look-ups."""

    def visit_choice(self, node: Choice, *parts: str) -> str:  # noqa: ARG002 - written branch by branch
        average = find_mean(node)
        if average is not None:
            return self.phrase_average(average)
        found, rest = split_branches(node)
        is_default = len(found) == 1 and not isinstance(unwrap_node(rest), Missing)
        if is_default and is_value_if_given(found[0].then, found[0].condition):
            default = as_side(rest, self.phrase(rest), get_unit(node))
            return f"{self.phrase(found[0].then)}, or {default} if none is given"
        before = "".join(self.phrase_branch(node, branch) for branch in found)
        last = as_side(rest, self.phrase(rest), get_unit(node))
        # Each branch is written as one that follows another, which the first does not.
        return f"{before}, otherwise {last}".removeprefix(", otherwise ")

    def phrase_branch(self, node: Choice, branch: Branch) -> str:
        """Return a value and its condition, after other values."""
        value = as_side(branch.then, self.phrase(branch.then), get_unit(node))
        if branch.goes_on:
            return f", {value} if {self.phrase_continuation(branch.condition)}"
        return f", otherwise {value} if {self.phrase_condition(branch)}"

    def phrase_condition(self, branch: Branch) -> str:
        """Return the condition of a value; a number that it compares is "it" or "they" there."""
        condition = bracket_if_open(branch.condition, self.phrase(branch.condition))
        match unwrap_node(branch.condition):
            case Compare(left=Read(NumberType()) as subject) if subject == branch.then:
                start = f"{self.phrase(subject)} {self.choose_verb(subject)} "
                pronoun = "they" if self.choose_verb(subject) == "are" else "it"
                rest = condition.removeprefix(start)
                return (
                    condition
                    if rest == condition
                    else f"{pronoun} {self.choose_verb(subject)} {rest}"
                )
            case _:
                return condition

    def phrase_continuation(self, condition: Expression) -> str:
        """Return a condition on the label that the condition before it is about."""
        match unwrap_node(condition):
            case OneOf(operand=subject, options=options):
                labels = [self.visit_constant(option) for option in options]
            case Compare(left=subject, right=label):
                labels = [self.phrase(label)]
            case _:
                raise ValueError("not a condition on a label")
        pronoun = "they" if self.choose_verb(subject) == "are" else "it"
        return f"{pronoun} {self.choose_verb(subject)} {phrase_one_of(labels)}"

    def visit_lookup(self, node: Lookup, key: str, entries: Sequence[str]) -> str:
        inner = _find_second_key(node)
        if inner is not None:
            return f"{join_items(self.phrase_cells(node))}, by {key} and {self.phrase(inner)}"
        words = [as_entry(*pair) for pair in zip(node.entries, entries, strict=True)]
        rows = [
            f"{entry} for {join_items(labels, 'or')}"
            for entry, labels in group_labels(_quote_labels(node), words)
        ]
        return f"{join_items(rows)}, by {key}"

    def phrase_cells(self, node: Lookup) -> list[str]:
        """Return the entries of a look-up by two fields, each with its two labels."""
        return [
            f"{as_entry(cell, self.phrase(cell))} for {label} with {other}"
            for label, row in zip(_quote_labels(node), node.entries, strict=True)
            if isinstance(row, Lookup)
            for other, cell in zip(_quote_labels(row), row.entries, strict=True)
        ]


def is_value_if_given(value: Expression, condition: Expression) -> bool:
    """Return whether a value stands for itself wherever there is one."""
    inner, test = unwrap_node(value), unwrap_node(condition)
    return isinstance(inner, Read) and isinstance(test, Presence) and inner.field == test.field


def group_labels(labels: Sequence[str], entries: Sequence[Entry]) -> list[tuple[Entry, list[str]]]:
    """Return each entry once, with all labels that have it, in the order of their first labels."""
    found: list[tuple[Entry, list[str]]] = []
    for label, entry in zip(labels, entries, strict=True):
        group = next((group for known, group in found if known == entry), None)
        if group is None:
            found.append((entry, [label]))
        else:
            group.append(label)
    return found


def _quote_labels(node: Lookup) -> list[str]:
    labels = node.key.type.values if isinstance(node.key.type, EnumType) else ()
    return [f'"{label}"' for label in labels]


def _find_second_key(node: Lookup) -> Expression | None:
    """Return the key of all rows of a look-up by two fields, None if it is by one."""
    first = node.entries[0]
    return first.key if isinstance(first, Lookup) else None


def as_entry(node: Expression, phrase: str) -> str:
    """Return a phrase as it stands in an entry of a look-up."""
    return f"({as_yes_or_no(phrase)})" if is_condition(node) else as_side(node, phrase)


def is_condition(value: Expression) -> bool:
    """Return whether a value is yes or no by a condition."""
    is_given = isinstance(value, Constant | Lookup | Missing)
    return isinstance(value.type, BooleanType) and not is_given


def as_yes_or_no(condition: str) -> str:
    """Return a condition as a value."""
    return f'"yes" if {condition}, otherwise "no"'
