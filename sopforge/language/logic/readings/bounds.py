"""The bounds reading: between which integers a value lies, worked out from the leaves up.

An expression with a mistake keeps the types of the one without it, so that its types say too little
of it. What the leaves say holds of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sopforge.language.domain.expressions import expressions as nodes
from sopforge.language.domain.expressions import numbers
from sopforge.language.domain.expressions.algebra import interpret
from sopforge.language.domain.expressions.calendars import INTEGER_CALENDAR, Interval
from sopforge.language.domain.expressions.expressions import (
    AggregateFunction,
    Expression,
    Extreme,
)
from sopforge.language.domain.values.types import MINUTES_A_DAY, NumberType

_TRUTH = (0, 1)


def find_bounds(expression: Expression) -> Interval:
    """Return the least and the greatest integer that the leaves allow and its type declares.

    Neither is ever too narrow where fields have values; a mistake may take days off the calendar.
    """
    return _build_hull([expression.type.bounds, interpret(expression, _Bounds())])


@dataclass(frozen=True, slots=True)
class _Bounds:
    """Gives each node the interval of its operands' intervals; text and lists have (0, 0)."""

    def visit_constant(self, node: nodes.Constant) -> Interval:
        # A mistake may put 0 where the type begins above it, as what is missing is read.
        return (node.value, node.value) if isinstance(node.value, int) else (0, 0)

    def visit_missing(self, node: nodes.Missing) -> Interval:
        return (0, 0)

    def visit_typed(self, node: Expression, *_: object) -> Interval:
        """Return the interval of a node of which its operands say no more than its type."""
        return node.type.bounds

    visit_read = visit_element = visit_presence = visit_hour_of = visit_weekday_of = visit_typed
    visit_compare = visit_one_of = visit_contains = visit_among = visit_subset = visit_typed
    visit_all_of = visit_any_of = visit_negation = visit_typed
    visit_size = visit_combination = visit_selection = visit_typed

    def visit_rescale(self, node: nodes.Rescale, operand: Interval) -> Interval:
        return operand[0] * 10**node.digits, operand[1] * 10**node.digits

    def visit_arithmetic(self, node: nodes.Arithmetic, left: Interval, right: Interval) -> Interval:
        return numbers.compute_interval(node.operation, NumberType(*left), NumberType(*right))

    def visit_quotient(self, node: nodes.Quotient, left: Interval, right: Interval) -> Interval:
        ends = [
            numbers.divide_rounded(end * 10**node.digits, max(divisor, 1), node.rounding)
            for end in left
            for divisor in right
        ]
        return min(ends), max(ends)

    def visit_absolute(self, node: nodes.Absolute, operand: Interval) -> Interval:
        low, high = operand
        return max(low, -high, 0), max(-low, high)

    def visit_outermost(self, node: nodes.Outermost, operands: Sequence[Interval]) -> Interval:
        choose = min if node.extreme is Extreme.MINIMUM else max
        return choose(low for low, _ in operands), choose(high for _, high in operands)

    def visit_elapsed(self, node: nodes.Elapsed, start: Interval, end: Interval) -> Interval:
        return end[0] - start[1], end[1] - start[0]

    def visit_workdays(self, node: nodes.Workdays, start: Interval, end: Interval) -> Interval:
        count = INTEGER_CALENDAR.count_workdays
        return count(start[1], end[0], node.holidays), count(start[0], end[1], node.holidays)

    def visit_add_days(self, node: nodes.AddDays, date: Interval, days: Interval) -> Interval:
        return date[0] + days[0], date[1] + days[1]

    def visit_add_minutes(
        self, node: nodes.AddMinutes, moment: Interval, count: Interval
    ) -> Interval:
        return moment[0] + count[0] * node.each, moment[1] + count[1] * node.each

    def visit_add_months(self, node: nodes.AddMonths, date: Interval, months: Interval) -> Interval:
        add = INTEGER_CALENDAR.add_months
        return add(date[0], months[0]), add(date[1], months[1])

    def visit_add_workdays(
        self, node: nodes.AddWorkdays, date: Interval, count: Interval
    ) -> Interval:
        add = INTEGER_CALENDAR.add_workdays
        return add(date[0], count[0], node.holidays), add(date[1], count[1], node.holidays)

    def visit_date_of(self, node: nodes.DateOf, operand: Interval) -> Interval:
        return operand[0] // MINUTES_A_DAY + 1, operand[1] // MINUTES_A_DAY + 1

    def visit_choice(
        self,
        node: nodes.Choice,
        condition: Interval,
        then: Interval,
        otherwise: Interval,
    ) -> Interval:
        return _build_hull([then, otherwise])

    def visit_lookup(
        self, node: nodes.Lookup, key: Interval, entries: Sequence[Interval]
    ) -> Interval:
        return _build_hull(entries)

    def visit_aggregate(self, node: nodes.Aggregate) -> Interval:
        if node.value is None or node.function in {AggregateFunction.ANY, AggregateFunction.ALL}:
            return node.type.bounds
        low, high = interpret(node.value, self)
        if node.function is AggregateFunction.SUM:
            return min(0, low * node.size), max(0, high * node.size)
        default = (0, 0) if node.default is None else interpret(node.default, self)
        return _build_hull([(low, high), default])


def _build_hull(intervals: Sequence[Interval]) -> Interval:
    return min(low for low, _ in intervals), max(high for _, high in intervals)
