"""What words say of a value by comparing it: that it is there.

"The dose is at most 50 mg" says that there is a dose. So a test for that beside the comparison
need not be said, and a comparison in a text has it although no word tells. Only such comparisons
say so as nobody reads otherwise: of a value that is missing one may well hold that it "is not" a
label, that a list has fewer than two entries, or that two missing values are the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields as parts_of
from dataclasses import replace
from functools import partial
from operator import is_
from typing import TypeAlias, TypeVar

from sopforge.domain.fields import Field
from sopforge.domain.language.expressions import (
    Absolute,
    AddDays,
    AddMonths,
    Aggregate,
    AllOf,
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
    Workdays,
    children,
    in_order,
)
from sopforge.domain.values.types import BooleanType
from sopforge.logic.phrasing.idioms import bare, flattened

Names: TypeAlias = frozenset[str]
Known: TypeAlias = Mapping[int, tuple[Expression, Expression]]
Part = TypeVar("Part")
_NONE: Names = frozenset()


def unsaid_presence(expression: Expression, fields: Mapping[str, Field]) -> Expression:
    """Return the expression without the presence tests that its other words imply."""
    return _Implied(fields).without(expression)


def said_presence(expression: Expression, fields: Mapping[str, Field]) -> Expression:
    """Return the expression as its words are meant: with each presence test that they imply.

    Where nothing is read that may be missing, the two have equal values; and so have expressions
    that differ in implied tests alone.
    """
    implied = _Implied(fields)
    return implied.with_tests(implied.without(expression))


class _Implied:
    """Presence tests that the words of conditions imply; a part that is shared is seen once."""

    def __init__(self, fields: Mapping[str, Field]) -> None:
        self.fields = fields
        self.optional = frozenset(name for name, item in fields.items() if item.missing)

    # what is implied

    def by(self, condition: Expression) -> Names:
        """Return the fields that are there wherever the words of a condition are true."""
        match bare(condition):
            case Presence(field=name):
                return frozenset({name}) & self.optional
            case AllOf() as group:
                return _NONE.union(*map(self.by, group.operands))
            case AnyOf(operands=(first, *others)):
                return self.by(first).intersection(*map(self.by, others))
            case inner:
                return self.by_fact(inner)

    def by_fact(self, node: Expression) -> Names:
        """Return the fields that one fact is about, where it says that they are there."""
        match node:
            case Not(operand=denied) if isinstance(bare(denied), Compare | Read):
                return self.by_denial(bare(denied))
            case Compare():
                return self.by_comparison(node)
            case OneOf(operand=subject) | Contains(operand=subject):
                return self.named(subject)
            case Read(type=BooleanType()):
                return self.named(node)
            case _:
                return _NONE

    def by_denial(self, denied: Expression) -> Names:
        """Return the same for what is said as the opposite of a fact."""
        if isinstance(denied, Compare):
            return self.by_comparison(replace(denied, relation=denied.relation.opposite))
        item = self.fields.get(denied.field) if isinstance(denied, Read) else None
        return _NONE if item is None or item.said is not None else self.by_fact(denied)

    def by_comparison(self, test: Compare) -> Names:
        if test.relation is Relation.NE:
            return _NONE
        left, right = self.named(test.left), self.named(test.right)
        return _NONE if test.relation is Relation.EQ and left and right else left | right

    def named(self, value: Expression) -> Names:
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
                return _NONE.union(*map(self.named, children(value)))
            case _:
                return _NONE

    # expressions without the tests, and with them

    def without(self, expression: Expression) -> Expression:
        done: dict[int, tuple[Expression, Expression]] = {}
        for node in in_order([expression]):
            done[id(node)] = (node, self.shortened(node, done))
        return done[id(expression)][1]

    def shortened(self, node: Expression, done: Known) -> Expression:
        """Return a node of such parts; a group without the tests that its conditions imply."""
        rebuilt = _rebuilt(node, done)
        match node, rebuilt:
            case Not(operand=Not(operand=inner)), _:
                return done[id(inner)][1]
            case _, AllOf():
                return self.shorter(rebuilt)
            case Not(operand=AllOf() as denied), Not(operand=left) if not _is_group(left):
                # The opposite of a lone fact would be said, which need not hold without a value.
                return Not(_rebuilt(denied, done))
            case _:
                return rebuilt

    def shorter(self, group: AllOf) -> Expression:
        parts = flattened(group)
        implied = [self.by(part) for part in parts if not isinstance(bare(part), Presence)]
        sure = _NONE.union(*implied)
        kept = [part for part in parts if not _is_test_of(part, sure)]
        if len(kept) == len(parts):
            return group
        return kept[0] if len(kept) == 1 else AllOf(tuple(kept))

    def with_tests(self, expression: Expression) -> Expression:
        done: dict[int, tuple[Expression, Expression]] = {}
        for node in in_order([expression]):
            done[id(node)] = (node, self.tested(node, done))
        return done[id(expression)][1]

    def tested(self, node: Expression, done: Known) -> Expression:
        """Return a node of such parts with the tests that its own words imply."""
        match node:
            case Not(operand=Not(operand=inner)):
                return done[id(inner)][1]
            case Not(operand=Compare() | OneOf() | Contains() | Read() as fact):
                # The opposite of a fact is said as a fact of its own: its tests stand outside.
                rebuilt: Expression = Not(_rebuilt(fact, done))
            case _:
                rebuilt = _rebuilt(node, done)
        tests = [Presence(name) for name in sorted(self.by_fact(node))]
        return AllOf((*tests, rebuilt)) if tests else rebuilt


def _is_group(node: Expression) -> bool:
    return isinstance(node, AllOf | AnyOf)


def _is_test_of(condition: Expression, names: Names) -> bool:
    inner = bare(condition)
    return isinstance(inner, Presence) and inner.field in names


def _rebuilt(node: Expression, done: Known) -> Expression:
    """Return a node of the parts that stand for its own; what is inside of a fold stays."""
    if isinstance(node, Aggregate):
        return node
    changes = {
        part.name: changed
        for part in parts_of(node)
        if (changed := _changed(getattr(node, part.name), done)) is not getattr(node, part.name)
    }
    return replace(node, **changes) if changes else node


def _changed(part: Part, done: Known) -> Part:
    if isinstance(part, Expression):
        _, changed = done.get(id(part), (part, part))
        return changed  # type: ignore[return-value]  # an expression for an expression
    if isinstance(part, tuple) and any(isinstance(item, Expression) for item in part):
        items = tuple(map(partial(_changed, done=done), part))
        return part if all(map(is_, items, part)) else items  # type: ignore[return-value]
    return part
