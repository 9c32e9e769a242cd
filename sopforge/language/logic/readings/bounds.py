"""The bounds reading: between which integers a value lies, worked out from the leaves up.

An expression with a mistake keeps the types of the one without it, so that its types say too little
of it. What the leaves say holds of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sopforge.language.domain.expressions import numbers
from sopforge.language.domain.expressions.algebra import interpret
from sopforge.language.domain.expressions.calendars import INTEGER_CALENDAR, Interval
from sopforge.language.domain.expressions.expressions import (
    Absolute,
    AddDays,
    AddMonths,
    Aggregate,
    AggregateFunction,
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
    Extreme,
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
)
from sopforge.language.domain.values.types import MINUTES_A_DAY, NumberType

_TRUTH = (0, 1)


def find_bounds(expression: Expression) -> Interval:
    """Return the least and the greatest integer that the leaves allow and its type declares.

    Neither is ever too narrow where fields have values; a mistake may take days off the calendar.
    """
    declared = expression.type.bounds
    if isinstance(expression, Read | Element):
        return declared
    return _build_hull([declared, interpret(expression, _Bounds())])


@dataclass(frozen=True, slots=True)
class _Bounds:
    """Gives each node the interval of its operands' intervals; text and lists have (0, 0)."""

    def visit_constant(self, node: Constant) -> Interval:
        # A mistake may put 0 where the type begins above it, as what is missing is read.
        return (node.value, node.value) if isinstance(node.value, int) else (0, 0)

    def visit_missing(self, node: Missing) -> Interval:  # noqa: ARG002 - protocol
        return (0, 0)

    def visit_read(self, node: Read) -> Interval:
        return node.type.bounds

    def visit_element(self, node: Element) -> Interval:
        return node.type.bounds

    def visit_presence(self, node: Presence) -> Interval:  # noqa: ARG002 - protocol
        return _TRUTH

    def visit_rescale(self, node: Rescale, operand: Interval) -> Interval:
        return operand[0] * 10**node.digits, operand[1] * 10**node.digits

    def visit_arithmetic(self, node: Arithmetic, left: Interval, right: Interval) -> Interval:
        return numbers.compute_interval(node.operation, NumberType(*left), NumberType(*right))

    def visit_quotient(self, node: Quotient, left: Interval, right: Interval) -> Interval:
        ends = [
            numbers.divide_rounded(end * 10**node.digits, max(divisor, 1))
            for end in left
            for divisor in right
        ]
        return min(ends), max(ends)

    def visit_absolute(self, node: Absolute, operand: Interval) -> Interval:  # noqa: ARG002 - protocol
        low, high = operand
        return max(low, -high, 0), max(-low, high)

    def visit_outermost(self, node: Outermost, operands: Sequence[Interval]) -> Interval:
        choose = min if node.extreme is Extreme.MINIMUM else max
        return choose(low for low, _ in operands), choose(high for _, high in operands)

    def visit_elapsed(self, node: Elapsed, start: Interval, end: Interval) -> Interval:  # noqa: ARG002 - protocol
        return end[0] - start[1], end[1] - start[0]

    def visit_workdays(self, node: Workdays, start: Interval, end: Interval) -> Interval:
        count = INTEGER_CALENDAR.count_workdays
        return count(start[1], end[0], node.holidays), count(start[0], end[1], node.holidays)

    def visit_add_days(self, node: AddDays, date: Interval, days: Interval) -> Interval:  # noqa: ARG002 - protocol
        return date[0] + days[0], date[1] + days[1]

    def visit_add_months(self, node: AddMonths, date: Interval, months: Interval) -> Interval:  # noqa: ARG002 - protocol
        add = INTEGER_CALENDAR.add_months
        return add(date[0], months[0]), add(date[1], months[1])

    def visit_date_of(self, node: DateOf, operand: Interval) -> Interval:  # noqa: ARG002 - protocol
        return operand[0] // MINUTES_A_DAY + 1, operand[1] // MINUTES_A_DAY + 1

    def visit_hour_of(self, node: HourOf, operand: Interval) -> Interval:  # noqa: ARG002 - protocol
        return node.type.bounds

    def visit_weekday_of(self, node: WeekdayOf, operand: Interval) -> Interval:  # noqa: ARG002 - protocol
        return 0, len(node.type.values) - 1

    def visit_size(self, node: Size, operand: Interval) -> Interval:  # noqa: ARG002 - protocol
        return node.type.bounds

    def visit_compare(self, node: Compare, left: Interval, right: Interval) -> Interval:  # noqa: ARG002 - protocol
        return _TRUTH

    def visit_one_of(self, node: OneOf, operand: Interval) -> Interval:  # noqa: ARG002 - protocol
        return _TRUTH

    def visit_contains(self, node: Contains, operand: Interval) -> Interval:  # noqa: ARG002 - protocol
        return _TRUTH

    def visit_among(self, node: Among, operand: Interval, members: Interval) -> Interval:  # noqa: ARG002 - protocol
        return _TRUTH

    def visit_subset(self, node: Subset, left: Interval, right: Interval) -> Interval:  # noqa: ARG002 - protocol
        return _TRUTH

    def visit_combination(self, node: Combination, left: Interval, right: Interval) -> Interval:  # noqa: ARG002 - protocol
        return node.type.bounds

    def visit_all_of(self, node: AllOf, operands: Sequence[Interval]) -> Interval:  # noqa: ARG002 - protocol
        return _TRUTH

    def visit_any_of(self, node: AnyOf, operands: Sequence[Interval]) -> Interval:  # noqa: ARG002 - protocol
        return _TRUTH

    def visit_negation(self, node: Not, operand: Interval) -> Interval:  # noqa: ARG002 - protocol
        return _TRUTH

    def visit_choice(
        self,
        node: Choice,  # noqa: ARG002 - protocol
        condition: Interval,  # noqa: ARG002 - protocol
        then: Interval,
        otherwise: Interval,
    ) -> Interval:
        return _build_hull([then, otherwise])

    def visit_lookup(self, node: Lookup, key: Interval, entries: Sequence[Interval]) -> Interval:  # noqa: ARG002 - protocol
        return _build_hull(entries)

    def visit_aggregate(self, node: Aggregate) -> Interval:
        if node.value is None or node.function in {AggregateFunction.ANY, AggregateFunction.ALL}:
            return node.type.bounds
        low, high = interpret(node.value, self)
        if node.function is AggregateFunction.SUM:
            return min(0, low * node.size), max(0, high * node.size)
        default = (0, 0) if node.default is None else interpret(node.default, self)
        return _build_hull([(low, high), default])

    def visit_selection(self, node: Selection) -> Interval:
        return node.type.bounds


def _build_hull(intervals: Sequence[Interval]) -> Interval:
    return min(low for low, _ in intervals), max(high for _, high in intervals)
