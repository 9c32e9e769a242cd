"""The fold over expressions: an algebra gives each node a meaning, ``interpret`` applies it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar, assert_never

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
    Presence,
    Read,
    Rescale,
    Size,
)

T = TypeVar("T")


class Algebra(Protocol[T]):
    """The meaning of each node, given the meanings of its operands in order."""

    def constant(self, node: Constant) -> T: ...
    def read(self, node: Read) -> T: ...
    def presence(self, node: Presence) -> T: ...
    def rescale(self, node: Rescale, operand: T) -> T: ...
    def arithmetic(self, node: Arithmetic, left: T, right: T) -> T: ...
    def days_between(self, node: DaysBetween, start: T, end: T) -> T: ...
    def size(self, node: Size, operand: T) -> T: ...
    def compare(self, node: Compare, left: T, right: T) -> T: ...
    def one_of(self, node: OneOf, operand: T) -> T: ...
    def contains(self, node: Contains, operand: T) -> T: ...
    def all_of(self, node: AllOf, operands: Sequence[T]) -> T: ...
    def any_of(self, node: AnyOf, operands: Sequence[T]) -> T: ...
    def negation(self, node: Not, operand: T) -> T: ...
    def choice(self, node: Choice, condition: T, then: T, otherwise: T) -> T: ...
    def lookup(self, node: Lookup, key: T) -> T: ...


def interpret(node: Expression, algebra: Algebra[T]) -> T:  # noqa: C901, PLR0911, PLR0912 - one case per node
    """Return the meaning of an expression in an algebra, operands first."""

    def of(child: Expression) -> T:
        return interpret(child, algebra)

    match node:
        case Constant():
            return algebra.constant(node)
        case Read():
            return algebra.read(node)
        case Presence():
            return algebra.presence(node)
        case Rescale():
            return algebra.rescale(node, of(node.operand))
        case Arithmetic():
            return algebra.arithmetic(node, of(node.left), of(node.right))
        case DaysBetween():
            return algebra.days_between(node, of(node.start), of(node.end))
        case Size():
            return algebra.size(node, of(node.operand))
        case Compare():
            return algebra.compare(node, of(node.left), of(node.right))
        case OneOf():
            return algebra.one_of(node, of(node.operand))
        case Contains():
            return algebra.contains(node, of(node.operand))
        case AllOf():
            return algebra.all_of(node, [of(item) for item in node.operands])
        case AnyOf():
            return algebra.any_of(node, [of(item) for item in node.operands])
        case Not():
            return algebra.negation(node, of(node.operand))
        case Choice():
            return algebra.choice(node, of(node.condition), of(node.then), of(node.otherwise))
        case Lookup():
            return algebra.lookup(node, of(node.key))
        case _:
            assert_never(node)
