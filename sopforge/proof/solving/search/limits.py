"""Between which values a condition keeps a field: as far as single comparisons show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sopforge.language.domain.expressions.expressions import (
    AllOf,
    Compare,
    Constant,
    Expression,
    Not,
    Read,
    Relation,
    Rescale,
)
from sopforge.language.domain.values.types import SetType


@dataclass(frozen=True, slots=True)
class Limits:
    """The least and the greatest value, both included; None where there is none."""

    least: int | None = None
    greatest: int | None = None

    def clamp_value(self, value: int) -> int:
        """Return the value within the limits that is nearest to another."""
        if self.least is not None and value < self.least:
            return self.least
        return value if self.greatest is None else min(value, self.greatest)

    def intersect_limits(self, other: Limits) -> Limits:
        """Return what both limits leave."""
        least = [item.least for item in (self, other) if item.least is not None]
        greatest = [item.greatest for item in (self, other) if item.greatest is not None]
        return Limits(max(least, default=None), min(greatest, default=None))


NO_LIMITS = Limits()


def collect_limits(condition: Expression) -> dict[str, Limits]:
    """Return the limits of each field that a condition compares with a constant.

    A row that meets the condition keeps them; one that keeps them need not meet it.
    """
    found: dict[str, Limits] = {}
    for relation, left, right in _iterate_comparisons(condition, is_met=True):
        name, factor = _split_factor(left)
        if name and isinstance(right, int):
            found[name] = found.get(name, NO_LIMITS).intersect_limits(
                _derive_limits(relation, right, factor)
            )
    return found


def _iterate_comparisons(
    condition: Expression, *, is_met: bool
) -> Iterator[tuple[Relation, Expression, int | None]]:
    """Return the comparisons that hold wherever a condition is met, or is not."""
    match condition:
        # Where a conjunction is not met, nothing is known of any one of its parts.
        case AllOf() if is_met:
            for operand in condition.operands:
                yield from _iterate_comparisons(operand, is_met=True)
        case Not():
            yield from _iterate_comparisons(condition.operand, is_met=not is_met)
        case Compare(relation, left, right):
            relation = relation if is_met else relation.opposite
            yield relation, left, _evaluate_constant(right)
            yield relation.mirrored, right, _evaluate_constant(left)
        case _:
            return


def _evaluate_constant(node: Expression) -> int | None:
    match node:
        case Constant():
            return node.value if isinstance(node.value, int) else None
        case Rescale():
            value = _evaluate_constant(node.operand)
            return None if value is None else value * 10**node.digits
        case _:
            return None


def _split_factor(node: Expression) -> tuple[str, int]:
    """Return the field that a side of a comparison reads, "" if it is more, and its factor."""
    match node:
        # A set's integer is a bit mask, whose order means nothing.
        case Read() if not isinstance(node.type, SetType):
            return node.field, 1
        case Rescale(_, Read() as operand, digits):
            return operand.field, 10**digits
        case _:
            return "", 1


def _derive_limits(relation: Relation, value: int, factor: int) -> Limits:
    """Return the limits of a field that, times a factor, is compared with a value."""
    # e.g. 10x >= 25 keeps x at 3 or more, 10x <= 25 at 2 or less, and 10x == 25 leaves nothing.
    below, above = value // factor, -(-value // factor)
    match relation:
        case Relation.EQ:
            return Limits(above, below)
        case Relation.GE:
            return Limits(above, None)
        case Relation.GT:
            return Limits(below + 1, None)
        case Relation.LE:
            return Limits(None, below)
        case Relation.LT:
            return Limits(None, above - 1)
        case Relation.NE:
            return NO_LIMITS
