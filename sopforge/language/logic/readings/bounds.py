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
    declared = expression.type.bounds
    if isinstance(expression, nodes.Read | nodes.Element):
        return declared
    return _build_hull([declared, interpret(expression, _Bounds())])


@dataclass(frozen=True, slots=True)
class _Bounds:
    """Gives each node the interval of its operands' intervals; text and lists have (0, 0)."""

    def visit_constant(self, node: nodes.Constant) -> Interval:
        # A mistake may put 0 where the type begins above it, as what is missing is read.
        return (node.value, node.value) if isinstance(node.value, int) else (0, 0)

    def visit_missing(self, node: nodes.Missing) -> Interval:
        return (0, 0)

    def visit_read(self, node: nodes.Read) -> Interval:
        return node.type.bounds

    def visit_element(self, node: nodes.Element) -> Interval:
        return node.type.bounds

    def visit_presence(self, node: nodes.Presence) -> Interval:
        return _TRUTH

    def visit_rescale(self, node: nodes.Rescale, operand: Interval) -> Interval:
        return operand[0] * 10**node.digits, operand[1] * 10**node.digits

    def visit_arithmetic(self, node: nodes.Arithmetic, left: Interval, right: Interval) -> Interval:
        return numbers.compute_interval(node.operation, NumberType(*left), NumberType(*right))

    def visit_quotient(self, node: nodes.Quotient, left: Interval, right: Interval) -> Interval:
        ends = [
            numbers.divide_rounded(end * 10**node.digits, max(divisor, 1))
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

    def visit_add_months(self, node: nodes.AddMonths, date: Interval, months: Interval) -> Interval:
        add = INTEGER_CALENDAR.add_months
        return add(date[0], months[0]), add(date[1], months[1])

    def visit_date_of(self, node: nodes.DateOf, operand: Interval) -> Interval:
        return operand[0] // MINUTES_A_DAY + 1, operand[1] // MINUTES_A_DAY + 1

    def visit_hour_of(self, node: nodes.HourOf, operand: Interval) -> Interval:
        return node.type.bounds

    def visit_weekday_of(self, node: nodes.WeekdayOf, operand: Interval) -> Interval:
        return 0, len(node.type.values) - 1

    def visit_size(self, node: nodes.Size, operand: Interval) -> Interval:
        return node.type.bounds

    def visit_compare(self, node: nodes.Compare, left: Interval, right: Interval) -> Interval:
        return _TRUTH

    def visit_one_of(self, node: nodes.OneOf, operand: Interval) -> Interval:
        return _TRUTH

    def visit_contains(self, node: nodes.Contains, operand: Interval) -> Interval:
        return _TRUTH

    def visit_among(self, node: nodes.Among, operand: Interval, members: Interval) -> Interval:
        return _TRUTH

    def visit_subset(self, node: nodes.Subset, left: Interval, right: Interval) -> Interval:
        return _TRUTH

    def visit_combination(
        self, node: nodes.Combination, left: Interval, right: Interval
    ) -> Interval:
        return node.type.bounds

    def visit_all_of(self, node: nodes.AllOf, operands: Sequence[Interval]) -> Interval:
        return _TRUTH

    def visit_any_of(self, node: nodes.AnyOf, operands: Sequence[Interval]) -> Interval:
        return _TRUTH

    def visit_negation(self, node: nodes.Not, operand: Interval) -> Interval:
        return _TRUTH

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

    def visit_selection(self, node: nodes.Selection) -> Interval:
        return node.type.bounds


def _build_hull(intervals: Sequence[Interval]) -> Interval:
    return min(low for low, _ in intervals), max(high for _, high in intervals)
