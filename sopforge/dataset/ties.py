"""When a quotient that is rounded lies half way between two results, as conditions on rows."""

from __future__ import annotations

from sopforge.domain import numbers
from sopforge.domain.expressions import (
    AllOf,
    AnyOf,
    Arithmetic,
    Compare,
    Expression,
    Operation,
    Quotient,
    Relation,
)
from sopforge.domain.numbers import TypeRuleError


def tie(node: Quotient) -> Expression | None:
    """Return the condition that a half is rounded, None where a number in it passes 2^62."""
    try:
        dividend, divisor = numbers.as_stored(node.left), numbers.as_stored(node.right)
        scaled = _product(dividend, numbers.constant(2 * 10**node.digits))
        twice = _product(numbers.as_stored(node), numbers.constant(2))
        sides = []
        for relation, step in ((Relation.GE, Operation.SUBTRACT), (Relation.LT, Operation.ADD)):
            half = numbers.arithmetic(step, twice, numbers.constant(1))
            sign = Compare(relation, dividend, numbers.constant(0))
            sides.append(AllOf((sign, Compare(Relation.EQ, scaled, _product(divisor, half)))))
        return AnyOf(tuple(sides))
    except TypeRuleError:
        return None


def has_odd_result(node: Quotient) -> Expression:
    """Return the condition that the last digit of a quotient is odd.

    A half that is rounded to the even neighbour instead has another result just there.
    """
    result = numbers.as_stored(node)
    halved = numbers.quotient(result, numbers.constant(2), 0)
    return Compare(Relation.NE, _product(halved, numbers.constant(2)), result)


def _product(left: Expression, right: Expression) -> Arithmetic:
    """Return a product of whole numbers, of however many fields it is one.

    A rule must be decidable for all rows; a condition that a row is looked for with need not be.
    """
    low, high = numbers.interval(
        Operation.MULTIPLY, numbers.number_type(left), numbers.number_type(right)
    )
    return Arithmetic(numbers.bounded(low, high, 0), Operation.MULTIPLY, left, right)
