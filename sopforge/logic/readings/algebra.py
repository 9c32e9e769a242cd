"""The fold over expressions: an algebra gives each node a meaning, ``interpret`` applies it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic, Protocol, TypeVar, assert_never

from sopforge.domain.language.expressions import (
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
    Lookup,
    Not,
    OneOf,
    Outermost,
    Presence,
    Quotient,
    Read,
    Rescale,
    Size,
    Workdays,
    in_order,
)

T = TypeVar("T")
DEEPEST = 100


class Algebra(Protocol[T]):
    """The meaning of each node, given the meanings of its operands in order.

    An aggregate is given as it is: its parts are about an item, which each reading binds itself.
    """

    def constant(self, node: Constant) -> T: ...
    def read(self, node: Read) -> T: ...
    def element(self, node: Element) -> T: ...
    def presence(self, node: Presence) -> T: ...
    def rescale(self, node: Rescale, operand: T) -> T: ...
    def arithmetic(self, node: Arithmetic, left: T, right: T) -> T: ...
    def quotient(self, node: Quotient, left: T, right: T) -> T: ...
    def absolute(self, node: Absolute, operand: T) -> T: ...
    def outermost(self, node: Outermost, operands: Sequence[T]) -> T: ...
    def elapsed(self, node: Elapsed, start: T, end: T) -> T: ...
    def workdays(self, node: Workdays, start: T, end: T) -> T: ...
    def add_days(self, node: AddDays, date: T, days: T) -> T: ...
    def add_months(self, node: AddMonths, date: T, months: T) -> T: ...
    def date_of(self, node: DateOf, operand: T) -> T: ...
    def size(self, node: Size, operand: T) -> T: ...
    def compare(self, node: Compare, left: T, right: T) -> T: ...
    def one_of(self, node: OneOf, operand: T) -> T: ...
    def contains(self, node: Contains, operand: T) -> T: ...
    def all_of(self, node: AllOf, operands: Sequence[T]) -> T: ...
    def any_of(self, node: AnyOf, operands: Sequence[T]) -> T: ...
    def negation(self, node: Not, operand: T) -> T: ...
    def choice(self, node: Choice, condition: T, then: T, otherwise: T) -> T: ...
    def lookup(self, node: Lookup, key: T, entries: Sequence[T]) -> T: ...
    def aggregate(self, node: Aggregate) -> T: ...


def interpret(node: Expression, algebra: Algebra[T]) -> T:
    """Return the meaning of an expression in an algebra, operands first.

    A part that occurs in several places, as one object, is interpreted once.
    """
    return Interpretation(algebra).of(node)


def interpret_all(nodes: Iterable[Expression], algebra: Algebra[T]) -> list[T]:
    """Return the meanings of several expressions; what they share is interpreted once."""
    interpretation = Interpretation(algebra)
    return [interpretation.of(node) for node in nodes]


class Interpretation(Generic[T]):
    """One run over an expression; meanings are kept by identity, for parts may be shared.

    So what it is asked for must live as long as it does.
    """

    def __init__(self, algebra: Algebra[T]) -> None:
        self.algebra = algebra
        self.known: dict[int, T] = {}
        self.depth = 0

    def of(self, node: Expression) -> T:
        known = self.known.get(id(node))
        if known is None:
            if self.depth > DEEPEST:
                self.learn_parts(node)
            self.depth += 1
            known = self.known[id(node)] = self.meaning(node)
            self.depth -= 1
        return known

    def learn_parts(self, node: Expression) -> None:
        """Interpret the parts of a node from the bottom, which Python could not follow down."""
        depth, self.depth = self.depth, 0
        for part in in_order([node], self.known):
            if part is not node:
                self.of(part)
        self.depth = depth

    def meaning(self, node: Expression) -> T:  # noqa: C901, PLR0911, PLR0912 - one case per node
        algebra, of = self.algebra, self.of
        match node:
            case Constant():
                return algebra.constant(node)
            case Read():
                return algebra.read(node)
            case Compare():
                return algebra.compare(node, of(node.left), of(node.right))
            case Choice():
                return algebra.choice(node, of(node.condition), of(node.then), of(node.otherwise))
            case AllOf():
                return algebra.all_of(node, [of(item) for item in node.operands])
            case AnyOf():
                return algebra.any_of(node, [of(item) for item in node.operands])
            case Not():
                return algebra.negation(node, of(node.operand))
            case OneOf():
                return algebra.one_of(node, of(node.operand))
            case Contains():
                return algebra.contains(node, of(node.operand))
            case Presence():
                return algebra.presence(node)
            case Arithmetic():
                return algebra.arithmetic(node, of(node.left), of(node.right))
            case Rescale():
                return algebra.rescale(node, of(node.operand))
            case Quotient():
                return algebra.quotient(node, of(node.left), of(node.right))
            case Absolute():
                return algebra.absolute(node, of(node.operand))
            case Outermost():
                return algebra.outermost(node, [of(item) for item in node.operands])
            case Lookup():
                return algebra.lookup(node, of(node.key), [of(item) for item in node.entries])
            case Elapsed():
                return algebra.elapsed(node, of(node.start), of(node.end))
            case Workdays():
                return algebra.workdays(node, of(node.start), of(node.end))
            case AddDays():
                return algebra.add_days(node, of(node.date), of(node.days))
            case AddMonths():
                return algebra.add_months(node, of(node.date), of(node.months))
            case DateOf():
                return algebra.date_of(node, of(node.operand))
            case Size():
                return algebra.size(node, of(node.operand))
            case Element():
                return algebra.element(node)
            case Aggregate():
                return algebra.aggregate(node)
            case _:
                assert_never(node)
