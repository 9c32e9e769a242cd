"""The scalar reading: the value of an expression on one row, as Python integers and text.

Operators are total, so both operands of ``and`` and ``or`` are evaluated. A missing value is
carried as 0 or the empty text; that no decision depends on it is proved of the model.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from statistics import median_low

from sopforge.language.domain.expressions import expressions as nodes
from sopforge.language.domain.expressions.algebra import Interpretation, interpret
from sopforge.language.domain.expressions.calendars import (
    DAYS_A_WEEK,
    HOURS_A_DAY,
    INTEGER_CALENDAR,
    MINUTES_AN_HOUR,
)
from sopforge.language.domain.expressions.expressions import (
    AggregateFunction,
    Expression,
    Extreme,
    Operation,
    Relation,
    SetOperation,
)
from sopforge.language.domain.expressions.numbers import divide_rounded
from sopforge.language.domain.values.types import (
    MINUTES_A_DAY,
    Atom,
    Item,
    ListType,
    TextType,
    Value,
    ValueType,
    list_items,
    require_integer,
)

RELATIONS: dict[Relation, Callable[[int, int], bool]] = {
    Relation.EQ: operator.eq,
    Relation.NE: operator.ne,
    Relation.LT: operator.lt,
    Relation.LE: operator.le,
    Relation.GT: operator.gt,
    Relation.GE: operator.ge,
}
OPERATIONS: dict[Operation, Callable[[int, int], int]] = {
    Operation.ADD: operator.add,
    Operation.SUBTRACT: operator.sub,
    Operation.MULTIPLY: operator.mul,
}
SET_OPERATIONS: dict[SetOperation, Callable[[int, int], int]] = {
    SetOperation.UNION: operator.or_,
    SetOperation.INTERSECTION: operator.and_,
    SetOperation.DIFFERENCE: lambda left, right: left & ~right,
}
EXTREMES: dict[Extreme, Callable[[Iterable[int]], int]] = {
    Extreme.MINIMUM: min,
    Extreme.MAXIMUM: max,
}


@dataclass(frozen=True, slots=True)
class Scalar:
    """Evaluates on one row; a field that is absent or None is missing."""

    row: Mapping[str, Value | None]
    item: Item = field(default_factory=dict)

    def visit_constant(self, node: nodes.Constant) -> Value:
        return node.value

    def visit_missing(self, node: nodes.Missing) -> Value:
        return 0

    def visit_read(self, node: nodes.Read) -> Value:
        value = self.row.get(node.field)
        return get_nothing(node.type) if value is None else value

    def visit_element(self, node: nodes.Element) -> Value:
        return self.item[node.field]

    def visit_presence(self, node: nodes.Presence) -> Value:
        return int(self.row.get(node.field) is not None)

    def visit_rescale(self, node: nodes.Rescale, operand: Value) -> Value:
        factor: int = 10**node.digits
        return require_integer(operand) * factor

    def visit_arithmetic(self, node: nodes.Arithmetic, left: Value, right: Value) -> Value:
        return OPERATIONS[node.operation](require_integer(left), require_integer(right))

    def visit_quotient(self, node: nodes.Quotient, left: Value, right: Value) -> Value:
        factor: int = 10**node.digits
        divisor = max(
            1, require_integer(right)
        )  # below 1 only where a missing value was carried as 0
        return divide_rounded(require_integer(left) * factor, divisor, node.rounding)

    def visit_absolute(self, node: nodes.Absolute, operand: Value) -> Value:
        return abs(require_integer(operand))

    def visit_outermost(self, node: nodes.Outermost, operands: Sequence[Value]) -> Value:
        return EXTREMES[node.extreme](map(require_integer, operands))

    def visit_elapsed(self, node: nodes.Elapsed, start: Value, end: Value) -> Value:
        return require_integer(end) - require_integer(start)

    def visit_workdays(self, node: nodes.Workdays, start: Value, end: Value) -> Value:
        return INTEGER_CALENDAR.count_workdays(
            require_integer(start), require_integer(end), node.holidays
        )

    def visit_add_days(self, node: nodes.AddDays, date: Value, days: Value) -> Value:
        return require_integer(date) + require_integer(days)

    def visit_add_minutes(self, node: nodes.AddMinutes, moment: Value, count: Value) -> Value:
        return require_integer(moment) + require_integer(count) * node.each

    def visit_add_workdays(self, node: nodes.AddWorkdays, date: Value, count: Value) -> Value:
        return INTEGER_CALENDAR.add_workdays(
            require_integer(date), require_integer(count), node.holidays
        )

    def visit_add_months(self, node: nodes.AddMonths, date: Value, months: Value) -> Value:
        return INTEGER_CALENDAR.add_months(require_integer(date), require_integer(months))

    def visit_date_of(self, node: nodes.DateOf, operand: Value) -> Value:
        # Minutes count from the beginning of day 1.
        return require_integer(operand) // MINUTES_A_DAY + 1

    def visit_hour_of(self, node: nodes.HourOf, operand: Value) -> Value:
        return require_integer(operand) // MINUTES_AN_HOUR % HOURS_A_DAY

    def visit_weekday_of(self, node: nodes.WeekdayOf, operand: Value) -> Value:
        # Day 1 is a Monday.
        return (require_integer(operand) - 1) % DAYS_A_WEEK

    def visit_size(self, node: nodes.Size, operand: Value) -> Value:
        return require_integer(operand).bit_count()

    def visit_compare(self, node: nodes.Compare, left: Value, right: Value) -> Value:
        return int(RELATIONS[node.relation](left, right))  # type: ignore[arg-type]  # text too

    def visit_one_of(self, node: nodes.OneOf, operand: Value) -> Value:
        return int(any(operand == option.value for option in node.options))

    def visit_contains(self, node: nodes.Contains, operand: Value) -> Value:
        return require_integer(operand) >> node.position & 1

    def visit_among(self, node: nodes.Among, operand: Value, members: Value) -> Value:
        return require_integer(members) >> require_integer(operand) & 1

    def visit_subset(self, node: nodes.Subset, left: Value, right: Value) -> Value:
        return int(not require_integer(left) & ~require_integer(right))

    def visit_combination(self, node: nodes.Combination, left: Value, right: Value) -> Value:
        return SET_OPERATIONS[node.operation](require_integer(left), require_integer(right))

    def visit_all_of(self, node: nodes.AllOf, operands: Sequence[Value]) -> Value:
        return int(all(operands))

    def visit_any_of(self, node: nodes.AnyOf, operands: Sequence[Value]) -> Value:
        return int(any(operands))

    def visit_negation(self, node: nodes.Not, operand: Value) -> Value:
        return 1 - require_integer(operand)

    def visit_choice(
        self, node: nodes.Choice, condition: Value, then: Value, otherwise: Value
    ) -> Value:
        return then if condition else otherwise

    def visit_lookup(self, node: nodes.Lookup, key: Value, entries: Sequence[Value]) -> Value:
        return entries[require_integer(key)]

    def visit_aggregate(self, node: nodes.Aggregate) -> Value:
        values = [
            1
            if node.value is None
            else require_integer(interpret(node.value, Scalar(self.row, item)))
            for item in list_items(self.row.get(node.list))
            if node.where is None or interpret(node.where, Scalar(self.row, item))
        ]
        default = 0 if node.default is None else require_integer(interpret(node.default, self))
        return compute_aggregate(node.function, values, default)

    def visit_selection(self, node: nodes.Selection) -> Value:
        items = [Scalar(self.row, item) for item in list_items(self.row.get(node.list))]
        names = [name for name, _ in node.type.fields]
        return tuple(
            {
                name: _require_atom(interpret(part, on_item))
                for name, part in zip(names, node.parts, strict=True)
            }
            for on_item in items
            if node.where is None or interpret(node.where, on_item)
        )


def evaluate(expression: Expression, row: Mapping[str, Value | None]) -> Value:
    """Return the value of an expression on a row."""
    return interpret(expression, Scalar(row))


def build_reading(row: Mapping[str, Value | None]) -> Interpretation[Value]:
    """Return a reading of several expressions on a row; what they share is worked out once."""
    return Interpretation(Scalar(row))


def holds(condition: Expression | None, row: Mapping[str, Value | None]) -> bool:
    """Return whether a condition holds on a row; no condition always holds."""
    return condition is None or bool(evaluate(condition, row))


def get_nothing(kind: ValueType) -> Value:
    """Return what evaluation reads where a field has no value: 0, the empty text, no items."""
    match kind:
        case TextType():
            return ""
        case ListType():
            return ()
        case _:
            return 0


_OF_ONE_ITEM: Mapping[AggregateFunction, Callable[[Sequence[int]], int]] = {
    AggregateFunction.MINIMUM: min,
    AggregateFunction.MAXIMUM: max,
    AggregateFunction.FIRST: itemgetter(0),
    AggregateFunction.LAST: itemgetter(-1),
    AggregateFunction.MEDIAN: median_low,
}


def compute_aggregate(kind: AggregateFunction, values: Sequence[int], default: int) -> int:
    """Return what an aggregate makes of the values of its items."""
    match kind:
        case AggregateFunction.COUNT | AggregateFunction.SUM:
            return sum(values)
        case AggregateFunction.ANY:
            return int(any(values))
        case AggregateFunction.ALL:
            return int(all(values))
        case _:
            return _OF_ONE_ITEM[kind](values) if values else default


def _require_atom(value: Value) -> Atom:
    if isinstance(value, tuple):
        raise TypeError("a list stands where the type checker promised a part of an item")
    return value
