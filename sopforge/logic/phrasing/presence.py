"""What words say of a value by comparing it: that it is there.

"The dose is at most 50 mg" says that there is a dose. So a test for that beside the comparison
need not be said, and a comparison in a text has it although no word says so. Only such comparisons
say so as nobody reads differently: of a value that is missing one may well hold that it "is not" a
label, that a list has fewer than two entries, or that two missing values are the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from sopforge.domain.fields import Field
from sopforge.domain.language.expressions import (
    Absolute,
    AddDays,
    AddMonths,
    Aggregate,
    AllOf,
    Among,
    AnyOf,
    Arithmetic,
    Compare,
    Contains,
    DateOf,
    Elapsed,
    Expression,
    Not,
    OneOf,
    Presence,
    Quotient,
    Read,
    Relation,
    Rescale,
    Selection,
    Subset,
    Workdays,
    list_children,
    list_ordered_parts,
)
from sopforge.domain.values.types import BooleanType
from sopforge.logic.phrasing.idioms import flatten_group, unwrap_node
from sopforge.logic.phrasing.rebuilding import Known, rebuild_node

Names: TypeAlias = frozenset[str]
_NONE: Names = frozenset()


def drop_implied_presence(expression: Expression, fields: Mapping[str, Field]) -> Expression:
    """Return the expression without the presence tests that its other words imply."""
    return _Implied(fields).without_tests(expression)


def add_implied_presence(expression: Expression, fields: Mapping[str, Field]) -> Expression:
    """Return the expression as its words are meant: with each presence test that they imply.

    Where nothing is read that may be missing, the two have equal values; and so have expressions
    that differ in implied tests alone.
    """
    implied = _Implied(fields)
    return implied.with_tests(implied.without_tests(expression))


def collect_needed_fields(value: Expression, fields: Mapping[str, Field]) -> Names:
    """Return the fields that may be missing and without which a value cannot be worked out."""
    return _Implied(fields).collect_optional_fields(value)


class _Implied:
    """Presence tests that the words of conditions imply; a part that is shared is seen once."""

    def __init__(self, fields: Mapping[str, Field]) -> None:
        self.fields = fields
        self.optional = frozenset(name for name, item in fields.items() if item.missing)

    # what is implied

    def collect_implied(self, condition: Expression) -> Names:
        """Return the fields that are there wherever the words of a condition are true."""
        match unwrap_node(condition):
            case Presence(field=name):
                return frozenset({name}) & self.optional
            case AllOf() as group:
                return _NONE.union(*map(self.collect_implied, group.operands))
            case AnyOf(operands=(first, *others)):
                return self.collect_implied(first).intersection(*map(self.collect_implied, others))
            case inner:
                return self.collect_by_fact(inner)

    def collect_by_fact(self, node: Expression) -> Names:  # noqa: PLR0911 - one case per node
        """Return the fields that one fact is about, where it says that they are there."""
        match node:
            case Not(operand=denied) if isinstance(unwrap_node(denied), Compare | Read):
                return self.collect_by_denial(unwrap_node(denied))
            case Compare():
                return self.collect_by_comparison(node)
            case OneOf(operand=subject) | Contains(operand=subject):
                return self.collect_optional_fields(subject)
            case Among(operand=label, members=members):
                return self.collect_optional_fields(label) | self.collect_optional_fields(members)
            case Subset(right=whole):
                # Of what is missing, one may well hold that all of it lies anywhere.
                return self.collect_optional_fields(whole)
            case Read(type=BooleanType()):
                return self.collect_optional_fields(node)
            case _:
                return _NONE

    def collect_by_denial(self, denied: Expression) -> Names:
        """Return the same for what is said as the opposite of a fact."""
        if isinstance(denied, Compare):
            return self.collect_by_comparison(replace(denied, relation=denied.relation.opposite))
        # A clause of its own, such as "no appeal was lodged", may be true of a missing answer too.
        item = self.fields.get(denied.field) if isinstance(denied, Read) else None
        return _NONE if item is None or item.said is not None else self.collect_by_fact(denied)

    def collect_by_comparison(self, test: Compare) -> Names:
        if test.relation is Relation.NE:
            return _NONE
        left, right = (
            self.collect_optional_fields(test.left),
            self.collect_optional_fields(test.right),
        )
        return _NONE if test.relation is Relation.EQ and left and right else left | right

    def collect_optional_fields(self, value: Expression) -> Names:
        """Return the fields that may be missing and that a value is worked out of in any case."""
        match value:
            case Read(field=name):
                return frozenset({name}) & self.optional
            case (
                (Rescale() | Absolute() | DateOf() | Arithmetic() | Quotient() | Elapsed())
                | Workdays()
                | AddDays()
                | AddMonths()
            ):
                return _NONE.union(*map(self.collect_optional_fields, list_children(value)))
            case _:
                return _NONE

    # expressions without the tests, and with them

    def without_tests(self, expression: Expression) -> Expression:
        done: dict[int, tuple[Expression, Expression]] = {}
        for node in list_ordered_parts([expression]):
            done[id(node)] = (node, self.shorten_node(node, done))
        return done[id(expression)][1]

    def shorten_node(self, node: Expression, done: Known) -> Expression:
        """Return a node of such parts; a group without the tests that its conditions imply."""
        rebuilt = _rebuild_node(node, done)
        match node, rebuilt:
            case Not(operand=Not(operand=inner)), _:
                return done[id(inner)][1]
            case _, AllOf():
                return self.shorten_group(rebuilt)
            case Not(operand=AllOf() as denied), Not(operand=left) if not _is_group(left):
                # The opposite of a lone fact would be said, which need not hold without a value.
                return Not(_rebuild_node(denied, done))
            case _:
                return rebuilt

    def shorten_group(self, group: AllOf) -> Expression:
        parts = flatten_group(group)
        implied = [
            self.collect_implied(part)
            for part in parts
            if not isinstance(unwrap_node(part), Presence)
        ]
        sure = _NONE.union(*implied)
        kept = [part for part in parts if not _is_test_of(part, sure)]
        if len(kept) == len(parts):
            return group
        return kept[0] if len(kept) == 1 else AllOf(tuple(kept))

    def with_tests(self, expression: Expression) -> Expression:
        done: dict[int, tuple[Expression, Expression]] = {}
        for node in list_ordered_parts([expression]):
            done[id(node)] = (node, self.add_tests(node, done))
        return done[id(expression)][1]

    def add_tests(self, node: Expression, done: Known) -> Expression:
        """Return a node of such parts with the tests that its own words imply."""
        match node:
            case Not(operand=Not(operand=inner)):
                return done[id(inner)][1]
            case Not(
                operand=(Compare() | OneOf() | Contains() | Among() | Subset() | Read()) as fact
            ):
                # The opposite of a fact is said as a fact of its own: its tests stand outside.
                rebuilt: Expression = Not(_rebuild_node(fact, done))
            case _:
                rebuilt = _rebuild_node(node, done)
        tests = [Presence(name) for name in sorted(self.collect_by_fact(node))]
        return AllOf((*tests, rebuilt)) if tests else rebuilt


def _is_group(node: Expression) -> bool:
    return isinstance(node, AllOf | AnyOf)


def _is_test_of(condition: Expression, names: Names) -> bool:
    inner = unwrap_node(condition)
    return isinstance(inner, Presence) and inner.field in names


def _rebuild_node(node: Expression, done: Known) -> Expression:
    """Return a node of the parts that stand for its own; what is inside of an aggregate stays."""
    return node if isinstance(node, Aggregate | Selection) else rebuild_node(node, done)
