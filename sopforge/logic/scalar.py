"""The scalar reading: the value of an expression on one row, as Python integers.

Operators are total, so both operands of ``and`` and ``or`` are evaluated. A missing value is
carried as 0; that a rule never depends on it is what the presence check of the model proves.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

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
    Operation,
    Presence,
    Read,
    Relation,
    Rescale,
    Size,
)
from sopforge.domain.types import Value
from sopforge.logic.algebra import interpret

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


@dataclass(frozen=True, slots=True)
class Scalar:
    """Evaluates on one row; a field that is absent or None is missing."""

    row: Mapping[str, Value | None]

    def constant(self, node: Constant) -> int:
        return node.value

    def read(self, node: Read) -> int:
        value = self.row.get(node.field)
        return value if isinstance(value, int) else 0

    def presence(self, node: Presence) -> int:
        return int(self.row.get(node.field) is not None)

    def rescale(self, node: Rescale, operand: int) -> int:
        factor: int = 10**node.digits
        return operand * factor

    def arithmetic(self, node: Arithmetic, left: int, right: int) -> int:
        return OPERATIONS[node.operation](left, right)

    def days_between(self, node: DaysBetween, start: int, end: int) -> int:  # noqa: ARG002 - protocol
        return end - start

    def size(self, node: Size, operand: int) -> int:  # noqa: ARG002 - protocol
        return operand.bit_count()

    def compare(self, node: Compare, left: int, right: int) -> int:
        return int(RELATIONS[node.relation](left, right))

    def one_of(self, node: OneOf, operand: int) -> int:
        return int(any(operand == option.value for option in node.options))

    def contains(self, node: Contains, operand: int) -> int:
        return operand >> node.position & 1

    def all_of(self, node: AllOf, operands: Sequence[int]) -> int:  # noqa: ARG002 - protocol
        return int(all(operands))

    def any_of(self, node: AnyOf, operands: Sequence[int]) -> int:  # noqa: ARG002 - protocol
        return int(any(operands))

    def negation(self, node: Not, operand: int) -> int:  # noqa: ARG002 - protocol
        return 1 - operand

    def choice(self, node: Choice, condition: int, then: int, otherwise: int) -> int:  # noqa: ARG002 - protocol
        return then if condition else otherwise

    def lookup(self, node: Lookup, key: int) -> int:
        return node.entries[key].value


def evaluate(expression: Expression, row: Mapping[str, Value | None]) -> int:
    """Return the value of an expression on a row."""
    value: int = interpret(expression, Scalar(row))
    return value


def holds(condition: Expression | None, row: Mapping[str, Value | None]) -> bool:
    """Tell whether a condition holds on a row; no condition always holds."""
    return condition is None or bool(evaluate(condition, row))
