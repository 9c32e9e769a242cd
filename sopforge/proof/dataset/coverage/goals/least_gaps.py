"""How near two sides of a comparison can come, as far as the scales of the numbers show."""

from __future__ import annotations

from functools import reduce
from math import gcd
from typing import TypeAlias

from sopforge.language.domain.expressions.aggregates import OF_ONE_ITEM
from sopforge.language.domain.expressions.expressions import (
    Aggregate,
    AggregateFunction,
    Arithmetic,
    Choice,
    Constant,
    Expression,
    Lookup,
    Missing,
    Operation,
    Outermost,
    Rescale,
)
from sopforge.language.domain.values.types import require_integer

Grid: TypeAlias = tuple[int, int]
"""A step and an offset: the values of a number are the offset and whole steps beside it."""


def compute_least_gap(difference: Expression, side: int = 1) -> int:
    """Return the value of a difference that is nearest to 0 on a side of it, 0 itself for side 0.

    The ranges of fields are not looked at, so that no row need have it.

    >>> from sopforge.language.domain.expressions.expressions import Read
    >>> from sopforge.language.domain.expressions.numbers import build_arithmetic
    >>> from sopforge.language.domain.expressions.numbers import make_number_constant
    >>> from sopforge.language.domain.values.types import NumberType
    >>> five, twelve = make_number_constant(5), make_number_constant(12)
    >>> fives = build_arithmetic(Operation.MULTIPLY, Read(NumberType(0, 9), "a"), five)
    >>> compute_least_gap(build_arithmetic(Operation.SUBTRACT, fives, twelve))
    3
    >>> compute_least_gap(fives)
    5
    """
    step, offset = _compute_grid(difference)
    if side == 0:
        return 0
    if step == 0:
        return side
    # The boundary itself, at 0, is no value beside it.
    above = offset % step or step
    return above if side > 0 else -(-offset % step or step)


def _compute_grid(node: Expression) -> Grid:  # noqa: C901, PLR0911 - one case per node
    match node:
        case Constant():
            return 0, require_integer(node.value)
        case Missing():
            return 0, 0
        case Rescale():
            step, offset = _compute_grid(node.operand)
            return step * 10**node.digits, offset * 10**node.digits
        case Arithmetic():
            return _compute_arithmetic_grid(node)
        case Choice():
            return _compute_shared_grid(node.then, node.otherwise)
        case Outermost():
            return _compute_shared_grid(*node.operands)
        case Lookup():
            return _compute_shared_grid(*node.entries)
        case Aggregate(function=AggregateFunction.SUM) if node.value is not None:
            step, offset = _compute_grid(node.value)
            # There may be any number of items, so that the offset too comes in whole multiples.
            return gcd(step, offset), 0
        case Aggregate() if node.value is not None and node.function in OF_ONE_ITEM:
            return _compute_shared_grid(
                node.value, *([node.default] if node.default is not None else [])
            )
        # Whatever else it is may be any integer: the gap comes out too small, never too large.
        case _:
            return 1, 0


def _compute_arithmetic_grid(node: Arithmetic) -> Grid:
    (step, offset), (other, beside) = _compute_grid(node.left), _compute_grid(node.right)
    match node.operation:
        case Operation.ADD:
            return gcd(step, other), offset + beside
        case Operation.SUBTRACT:
            return gcd(step, other), offset - beside
        case Operation.MULTIPLY:
            # (a + sx)(b + ty) is ab and multiples of st, sb and ta.
            return gcd(step * other, step * beside, other * offset), offset * beside


def _compute_shared_grid(*nodes: Expression) -> Grid:
    """Return the grid on which the values of all several numbers lie."""
    grids = [_compute_grid(node) for node in nodes]
    first = grids[0][1]
    steps = [gcd(step, offset - first) for step, offset in grids]
    return reduce(gcd, steps), first
