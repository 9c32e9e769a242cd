"""The fold over expressions: an algebra gives each node a meaning, ``interpret`` applies it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic, Protocol, TypeVar, assert_never

from sopforge.language.domain.expressions.expressions import (
    Absolute,
    AddDays,
    AddMinutes,
    AddMonths,
    AddWorkdays,
    Aggregate,
    AllOf,
    Among,
    AnyOf,
    Arithmetic,
    Choice,
    Combination,
    Compare,
    Constant,
    Contains,
    DateOf,
    Elapsed,
    Element,
    Expression,
    HourOf,
    Lookup,
    Missing,
    Not,
    OneOf,
    Outermost,
    Presence,
    Quotient,
    Read,
    Rescale,
    Selection,
    Size,
    Subset,
    WeekdayOf,
    Workdays,
    list_ordered_parts,
)

T = TypeVar("T")
# A level takes two or three of the 1,000 calls that Python nests; callers need the rest.
DEEPEST = 100


class Algebra(Protocol[T]):
    """The meaning of each node, given the meanings of its operands in order.

    An aggregate or a selection is given as it is: its parts are about an item, which each reading
    binds itself.
    """

    def visit_constant(self, node: Constant) -> T: ...
    def visit_missing(self, node: Missing) -> T: ...
    def visit_read(self, node: Read) -> T: ...
    def visit_element(self, node: Element) -> T: ...
    def visit_presence(self, node: Presence) -> T: ...
    def visit_rescale(self, node: Rescale, operand: T) -> T: ...
    def visit_arithmetic(self, node: Arithmetic, left: T, right: T) -> T: ...
    def visit_quotient(self, node: Quotient, left: T, right: T) -> T: ...
    def visit_absolute(self, node: Absolute, operand: T) -> T: ...
    def visit_outermost(self, node: Outermost, operands: Sequence[T]) -> T: ...
    def visit_elapsed(self, node: Elapsed, start: T, end: T) -> T: ...
    def visit_workdays(self, node: Workdays, start: T, end: T) -> T: ...
    def visit_add_days(self, node: AddDays, date: T, days: T) -> T: ...
    def visit_add_minutes(self, node: AddMinutes, moment: T, count: T) -> T: ...
    def visit_add_workdays(self, node: AddWorkdays, date: T, count: T) -> T: ...

    def visit_add_months(self, node: AddMonths, date: T, months: T) -> T: ...
    def visit_date_of(self, node: DateOf, operand: T) -> T: ...
    def visit_hour_of(self, node: HourOf, operand: T) -> T: ...
    def visit_weekday_of(self, node: WeekdayOf, operand: T) -> T: ...
    def visit_size(self, node: Size, operand: T) -> T: ...
    def visit_compare(self, node: Compare, left: T, right: T) -> T: ...
    def visit_one_of(self, node: OneOf, operand: T) -> T: ...
    def visit_contains(self, node: Contains, operand: T) -> T: ...
    def visit_among(self, node: Among, operand: T, members: T) -> T: ...
    def visit_subset(self, node: Subset, left: T, right: T) -> T: ...
    def visit_combination(self, node: Combination, left: T, right: T) -> T: ...
    def visit_all_of(self, node: AllOf, operands: Sequence[T]) -> T: ...
    def visit_any_of(self, node: AnyOf, operands: Sequence[T]) -> T: ...
    def visit_negation(self, node: Not, operand: T) -> T: ...
    def visit_choice(self, node: Choice, condition: T, then: T, otherwise: T) -> T: ...
    def visit_lookup(self, node: Lookup, key: T, entries: Sequence[T]) -> T: ...
    def visit_aggregate(self, node: Aggregate) -> T: ...
    def visit_selection(self, node: Selection) -> T: ...


def interpret(node: Expression, algebra: Algebra[T]) -> T:
    """Return the meaning of an expression in an algebra, operands first.

    A part that occurs in several places, as one object, is interpreted once.
    """
    return Interpretation(algebra).interpret_node(node)


def interpret_all(nodes: Iterable[Expression], algebra: Algebra[T]) -> list[T]:
    """Return the meanings of several expressions; what they share is interpreted once."""
    interpretation = Interpretation(algebra)
    return [interpretation.interpret_node(node) for node in nodes]


class Interpretation(Generic[T]):
    """One run over an expression; meanings are kept by identity, for parts may be shared.

    So what it is asked for must live as long as it does.
    """

    def __init__(self, algebra: Algebra[T]) -> None:
        self.algebra = algebra
        self.known: dict[int, T] = {}
        self.depth = 0

    def interpret_node(self, node: Expression) -> T:
        known = self.known.get(id(node))
        if known is None:
            if self.depth > DEEPEST:
                self.learn_parts(node)
            self.depth += 1
            known = self.known[id(node)] = self.compute_meaning(node)
            self.depth -= 1
        return known

    def learn_parts(self, node: Expression) -> None:
        """Interpret the parts of a node from the bottom, which Python could not follow down."""
        # From 0: the parts come operands first, so that each of them finds its own already known.
        depth, self.depth = self.depth, 0
        for part in list_ordered_parts([node], self.known):
            if part is not node:
                self.interpret_node(part)
        self.depth = depth

    def compute_meaning(self, node: Expression) -> T:  # noqa: C901, PLR0911, PLR0912 - one case per node
        algebra, of = self.algebra, self.interpret_node
        match node:
            case Constant():
                return algebra.visit_constant(node)
            case Missing():
                return algebra.visit_missing(node)
            case Read():
                return algebra.visit_read(node)
            case Compare():
                return algebra.visit_compare(node, of(node.left), of(node.right))
            case Choice():
                return algebra.visit_choice(
                    node, of(node.condition), of(node.then), of(node.otherwise)
                )
            case AllOf():
                return algebra.visit_all_of(node, [of(item) for item in node.operands])
            case AnyOf():
                return algebra.visit_any_of(node, [of(item) for item in node.operands])
            case Not():
                return algebra.visit_negation(node, of(node.operand))
            case OneOf():
                return algebra.visit_one_of(node, of(node.operand))
            case Contains():
                return algebra.visit_contains(node, of(node.operand))
            case Among():
                return algebra.visit_among(node, of(node.operand), of(node.members))
            case Subset():
                return algebra.visit_subset(node, of(node.left), of(node.right))
            case Combination():
                return algebra.visit_combination(node, of(node.left), of(node.right))
            case Presence():
                return algebra.visit_presence(node)
            case Arithmetic():
                return algebra.visit_arithmetic(node, of(node.left), of(node.right))
            case Rescale():
                return algebra.visit_rescale(node, of(node.operand))
            case Quotient():
                return algebra.visit_quotient(node, of(node.left), of(node.right))
            case Absolute():
                return algebra.visit_absolute(node, of(node.operand))
            case Outermost():
                return algebra.visit_outermost(node, [of(item) for item in node.operands])
            case Lookup():
                return algebra.visit_lookup(node, of(node.key), [of(item) for item in node.entries])
            case Elapsed():
                return algebra.visit_elapsed(node, of(node.start), of(node.end))
            case Workdays():
                return algebra.visit_workdays(node, of(node.start), of(node.end))
            case AddDays():
                return algebra.visit_add_days(node, of(node.date), of(node.days))
            case AddMinutes():
                return algebra.visit_add_minutes(node, of(node.moment), of(node.count))
            case AddWorkdays():
                return algebra.visit_add_workdays(node, of(node.date), of(node.count))
            case AddMonths():
                return algebra.visit_add_months(node, of(node.date), of(node.months))
            case DateOf():
                return algebra.visit_date_of(node, of(node.operand))
            case HourOf():
                return algebra.visit_hour_of(node, of(node.operand))
            case WeekdayOf():
                return algebra.visit_weekday_of(node, of(node.operand))
            case Size():
                return algebra.visit_size(node, of(node.operand))
            case Element():
                return algebra.visit_element(node)
            case Aggregate():
                return algebra.visit_aggregate(node)
            case Selection():
                return algebra.visit_selection(node)
            case _:
                assert_never(node)
