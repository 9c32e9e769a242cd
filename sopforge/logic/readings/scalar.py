"""The scalar reading: the value of an expression on one row, as Python integers and text.

Operators are total, so both operands of ``and`` and ``or`` are evaluated. A missing value is
carried as 0 or the empty text; that no decision depends on it is proved of the model.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sopforge.domain.language.calendars import INTEGER_CALENDAR
from sopforge.domain.language.expressions import (
    Absolute,
    AddDays,
    AddMonths,
    Aggregate,
    AggregateFunction,
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
    Extreme,
    Lookup,
    Not,
    OneOf,
    Operation,
    Outermost,
    Presence,
    Quotient,
    Read,
    Relation,
    Rescale,
    Size,
    Workdays,
)
from sopforge.domain.values.types import MINUTES_A_DAY, Atom, Item, TextType, Value, list_items
from sopforge.logic.readings.algebra import Interpretation, interpret

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
EXTREMES: dict[Extreme, Callable[[Iterable[int]], int]] = {
    Extreme.MINIMUM: min,
    Extreme.MAXIMUM: max,
}


@dataclass(frozen=True, slots=True)
class Scalar:
    """Evaluates on one row; a field that is absent or None is missing."""

    row: Mapping[str, Value | None]
    item: Item = field(default_factory=dict)

    def visit_constant(self, node: Constant) -> Atom:
        return node.value  # type: ignore[return-value]  # a constant is never a list

    def visit_read(self, node: Read) -> Atom:
        value = self.row.get(node.field)
        if isinstance(value, int | str):
            return value
        return "" if isinstance(node.type, TextType) else 0

    def visit_element(self, node: Element) -> Atom:
        return self.item[node.field]

    def visit_presence(self, node: Presence) -> Atom:
        return int(self.row.get(node.field) is not None)

    def visit_rescale(self, node: Rescale, operand: Atom) -> Atom:
        factor: int = 10**node.digits
        return _require_integer(operand) * factor

    def visit_arithmetic(self, node: Arithmetic, left: Atom, right: Atom) -> Atom:
        return OPERATIONS[node.operation](_require_integer(left), _require_integer(right))

    def visit_quotient(self, node: Quotient, left: Atom, right: Atom) -> Atom:
        factor: int = 10**node.digits
        divisor = max(
            1, _require_integer(right)
        )  # below 1 only where a missing value was carried as 0
        return round_half_away(_require_integer(left) * factor, divisor)

    def visit_absolute(self, node: Absolute, operand: Atom) -> Atom:  # noqa: ARG002 - protocol
        return abs(_require_integer(operand))

    def visit_outermost(self, node: Outermost, operands: Sequence[Atom]) -> Atom:
        return EXTREMES[node.extreme](map(_require_integer, operands))

    def visit_elapsed(self, node: Elapsed, start: Atom, end: Atom) -> Atom:  # noqa: ARG002 - protocol
        return _require_integer(end) - _require_integer(start)

    def visit_workdays(self, node: Workdays, start: Atom, end: Atom) -> Atom:
        return INTEGER_CALENDAR.count_workdays(
            _require_integer(start), _require_integer(end), node.holidays
        )

    def visit_add_days(self, node: AddDays, date: Atom, days: Atom) -> Atom:  # noqa: ARG002 - protocol
        return _require_integer(date) + _require_integer(days)

    def visit_add_months(self, node: AddMonths, date: Atom, months: Atom) -> Atom:  # noqa: ARG002 - protocol
        return INTEGER_CALENDAR.add_months(_require_integer(date), _require_integer(months))

    def visit_date_of(self, node: DateOf, operand: Atom) -> Atom:  # noqa: ARG002 - protocol
        # Minutes count from the beginning of day 1.
        return _require_integer(operand) // MINUTES_A_DAY + 1

    def visit_size(self, node: Size, operand: Atom) -> Atom:  # noqa: ARG002 - protocol
        return _require_integer(operand).bit_count()

    def visit_compare(self, node: Compare, left: Atom, right: Atom) -> Atom:
        return int(RELATIONS[node.relation](left, right))  # type: ignore[arg-type]  # text too

    def visit_one_of(self, node: OneOf, operand: Atom) -> Atom:
        return int(any(operand == option.value for option in node.options))

    def visit_contains(self, node: Contains, operand: Atom) -> Atom:
        return _require_integer(operand) >> node.position & 1

    def visit_all_of(self, node: AllOf, operands: Sequence[Atom]) -> Atom:  # noqa: ARG002 - protocol
        return int(all(operands))

    def visit_any_of(self, node: AnyOf, operands: Sequence[Atom]) -> Atom:  # noqa: ARG002 - protocol
        return int(any(operands))

    def visit_negation(self, node: Not, operand: Atom) -> Atom:  # noqa: ARG002 - protocol
        return 1 - _require_integer(operand)

    def visit_choice(self, node: Choice, condition: Atom, then: Atom, otherwise: Atom) -> Atom:  # noqa: ARG002 - protocol
        return then if condition else otherwise

    def visit_lookup(self, node: Lookup, key: Atom, entries: Sequence[Atom]) -> Atom:  # noqa: ARG002 - protocol
        return entries[_require_integer(key)]

    def visit_aggregate(self, node: Aggregate) -> Atom:
        values = [
            1
            if node.value is None
            else _require_integer(interpret(node.value, Scalar(self.row, item)))
            for item in list_items(self.row.get(node.list))
            if node.where is None or interpret(node.where, Scalar(self.row, item))
        ]
        default = 0 if node.default is None else _require_integer(interpret(node.default, self))
        return compute_aggregate(node.function, values, default)


def evaluate(expression: Expression, row: Mapping[str, Value | None]) -> Atom:
    """Return the value of an expression on a row."""
    return interpret(expression, Scalar(row))


def build_reading(row: Mapping[str, Value | None]) -> Interpretation[Atom]:
    """Return a reading of several expressions on a row; what they share is worked out once."""
    return Interpretation(Scalar(row))


def holds(condition: Expression | None, row: Mapping[str, Value | None]) -> bool:
    """Return whether a condition holds on a row; no condition always holds."""
    return condition is None or bool(evaluate(condition, row))


def round_half_away(dividend: int, divisor: int) -> int:
    """Return the quotient rounded to the nearest integer, ties away from zero; divisor positive."""
    # By size first: Python's division rounds down, which would make -2 of -2.5 and not -3.
    quotient, rest = divmod(abs(dividend), divisor)
    rounded = quotient + (2 * rest >= divisor)
    return rounded if dividend >= 0 else -rounded


def compute_aggregate(kind: AggregateFunction, values: Sequence[int], default: int) -> int:
    """Return what an aggregate makes of the values of its items."""
    match kind:
        case AggregateFunction.COUNT | AggregateFunction.SUM:
            return sum(values)
        case AggregateFunction.MINIMUM:
            return min(values, default=default)
        case AggregateFunction.MAXIMUM:
            return max(values, default=default)
        case AggregateFunction.ANY:
            return int(any(values))
        case AggregateFunction.ALL:
            return int(all(values))


def _require_integer(value: Atom) -> int:
    if isinstance(value, int):
        return value
    raise TypeError(f"the text {value!r} stands where the type checker promised an integer")
