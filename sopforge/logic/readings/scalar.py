"""The scalar reading: the value of an expression on one row, as Python integers and text.

Operators are total, so both operands of ``and`` and ``or`` are evaluated. A missing value is
carried as 0 or the empty text; that no decision depends on it is proved of the model.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

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
    Extreme,
    Fold,
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
from sopforge.domain.values.types import MINUTES_A_DAY, Atom, Item, TextType, Value, items_of
from sopforge.logic.readings.algebra import Interpretation, interpret
from sopforge.logic.readings.calendar import Calendar

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


class _Integers:
    """Calendar arithmetic on Python integers."""

    def number(self, value: int) -> int:
        return value

    def add(self, left: int, right: int) -> int:
        return left + right

    def subtract(self, left: int, right: int) -> int:
        return left - right

    def times(self, left: int, factor: int) -> int:
        return left * factor

    def divide(self, left: int, divisor: int) -> int:
        return left // divisor

    def at_most(self, left: int, right: int) -> int:
        return int(left <= right)

    def choose(self, condition: int, then: int, otherwise: int) -> int:
        return then if condition else otherwise


_CALENDAR = Calendar(_Integers())


@dataclass(frozen=True, slots=True)
class Scalar:
    """Evaluates on one row; a field that is absent or None is missing."""

    row: Mapping[str, Value | None]
    item: Item = field(default_factory=dict)

    def constant(self, node: Constant) -> Atom:
        return node.value  # type: ignore[return-value]  # a constant is never a list

    def read(self, node: Read) -> Atom:
        value = self.row.get(node.field)
        if isinstance(value, int | str):
            return value
        return "" if isinstance(node.type, TextType) else 0

    def element(self, node: Element) -> Atom:
        return self.item[node.field]

    def presence(self, node: Presence) -> Atom:
        return int(self.row.get(node.field) is not None)

    def rescale(self, node: Rescale, operand: Atom) -> Atom:
        factor: int = 10**node.digits
        return _int(operand) * factor

    def arithmetic(self, node: Arithmetic, left: Atom, right: Atom) -> Atom:
        return OPERATIONS[node.operation](_int(left), _int(right))

    def quotient(self, node: Quotient, left: Atom, right: Atom) -> Atom:
        factor: int = 10**node.digits
        divisor = max(1, _int(right))  # below 1 only where a missing value was carried as 0
        return half_away_from_zero(_int(left) * factor, divisor)

    def absolute(self, node: Absolute, operand: Atom) -> Atom:  # noqa: ARG002 - protocol
        return abs(_int(operand))

    def outermost(self, node: Outermost, operands: Sequence[Atom]) -> Atom:
        return EXTREMES[node.extreme](map(_int, operands))

    def elapsed(self, node: Elapsed, start: Atom, end: Atom) -> Atom:  # noqa: ARG002 - protocol
        return _int(end) - _int(start)

    def workdays(self, node: Workdays, start: Atom, end: Atom) -> Atom:
        return _CALENDAR.workdays(_int(start), _int(end), node.holidays)

    def add_days(self, node: AddDays, date: Atom, days: Atom) -> Atom:  # noqa: ARG002 - protocol
        return _int(date) + _int(days)

    def add_months(self, node: AddMonths, date: Atom, months: Atom) -> Atom:  # noqa: ARG002 - protocol
        return _CALENDAR.add_months(_int(date), _int(months))

    def date_of(self, node: DateOf, operand: Atom) -> Atom:  # noqa: ARG002 - protocol
        return _int(operand) // MINUTES_A_DAY + 1

    def size(self, node: Size, operand: Atom) -> Atom:  # noqa: ARG002 - protocol
        return _int(operand).bit_count()

    def compare(self, node: Compare, left: Atom, right: Atom) -> Atom:
        return int(RELATIONS[node.relation](left, right))  # type: ignore[arg-type]  # text too

    def one_of(self, node: OneOf, operand: Atom) -> Atom:
        return int(any(operand == option.value for option in node.options))

    def contains(self, node: Contains, operand: Atom) -> Atom:
        return _int(operand) >> node.position & 1

    def all_of(self, node: AllOf, operands: Sequence[Atom]) -> Atom:  # noqa: ARG002 - protocol
        return int(all(operands))

    def any_of(self, node: AnyOf, operands: Sequence[Atom]) -> Atom:  # noqa: ARG002 - protocol
        return int(any(operands))

    def negation(self, node: Not, operand: Atom) -> Atom:  # noqa: ARG002 - protocol
        return 1 - _int(operand)

    def choice(self, node: Choice, condition: Atom, then: Atom, otherwise: Atom) -> Atom:  # noqa: ARG002 - protocol
        return then if condition else otherwise

    def lookup(self, node: Lookup, key: Atom, entries: Sequence[Atom]) -> Atom:  # noqa: ARG002 - protocol
        return entries[_int(key)]

    def aggregate(self, node: Aggregate) -> Atom:
        values = [
            1 if node.value is None else _int(interpret(node.value, Scalar(self.row, item)))
            for item in items_of(self.row.get(node.list))
            if node.where is None or interpret(node.where, Scalar(self.row, item))
        ]
        default = 0 if node.default is None else _int(interpret(node.default, self))
        return fold(node.fold, values, default)


def evaluate(expression: Expression, row: Mapping[str, Value | None]) -> Atom:
    """Return the value of an expression on a row."""
    return interpret(expression, Scalar(row))


def reading(row: Mapping[str, Value | None]) -> Interpretation[Atom]:
    """Return a reading of several expressions on a row; what they share is worked out once."""
    return Interpretation(Scalar(row))


def holds(condition: Expression | None, row: Mapping[str, Value | None]) -> bool:
    """Tell whether a condition holds on a row; no condition always holds."""
    return condition is None or bool(evaluate(condition, row))


def half_away_from_zero(dividend: int, divisor: int) -> int:
    """Return the quotient rounded to the nearest integer, ties away from zero; divisor positive."""
    quotient, rest = divmod(abs(dividend), divisor)
    rounded = quotient + (2 * rest >= divisor)
    return rounded if dividend >= 0 else -rounded


def fold(kind: Fold, values: Sequence[int], default: int) -> int:
    """Return what an aggregate makes of the values of its items."""
    match kind:
        case Fold.COUNT | Fold.SUM:
            return sum(values)
        case Fold.MINIMUM:
            return min(values, default=default)
        case Fold.MAXIMUM:
            return max(values, default=default)
        case Fold.ANY:
            return int(any(values))
        case Fold.ALL:
            return int(all(values))


def _int(value: Atom) -> int:
    if isinstance(value, int):
        return value
    raise TypeError(f"the text {value!r} stands where the type checker promised an integer")
