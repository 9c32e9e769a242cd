"""Rounding: when a quotient lies half way between two results, and how else it may be rounded."""

from __future__ import annotations

from collections.abc import Iterator

from sopforge.dataset.mutants.about import About
from sopforge.domain.language import numbers
from sopforge.domain.language.expressions import (
    AllOf,
    AnyOf,
    Arithmetic,
    Compare,
    Expression,
    Not,
    Operation,
    Quotient,
    Relation,
)
from sopforge.domain.language.numbers import TypeRuleError
from sopforge.logic.tables import either


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


def rounding_mistakes(node: Expression) -> Iterator[tuple[About, str, Expression]]:
    """Return a quotient rounded in another way: down, up, to even, to a place more or less."""
    if not isinstance(node, Quotient):
        return
    try:
        half = tie(node)
        if half is not None:
            yield About.ROUNDING, "halves rounded to even", towards_zero(node, both_of(half, node))
            yield About.ROUNDING, "halves rounded down", towards_zero(node, half)
            if numbers.number_type(node.left).minimum < 0:
                negative = Compare(Relation.LT, numbers.as_stored(node.left), numbers.constant(0))
                upwards = towards_zero(node, AllOf((half, negative)))
                yield About.ROUNDING, "halves below zero rounded up", upwards
        yield About.ROUNDING, "rounded down", _moved(node, _lies(node, Relation.GT), -1)
        yield About.ROUNDING, "rounded up", _moved(node, _lies(node, Relation.LT), 1)
        if node.type.places > 0:
            coarse = numbers.quotient(node.left, node.right, node.type.places - 1)
            words = f"rounded to {node.type.places - 1} places"
            yield About.ROUNDING, words, numbers.rescaled(coarse, node.type.places)
    except TypeRuleError:
        return


def both_of(half: Expression, node: Quotient) -> Expression:
    """Return the condition that a half is rounded to an odd result."""
    return AllOf((half, has_odd_result(node)))


def towards_zero(node: Quotient, where: Expression) -> Expression:
    """Return a quotient that is one unit of its places nearer to zero where a condition holds."""
    negative = Compare(Relation.LT, numbers.as_stored(node.left), numbers.constant(0))
    up, down = AllOf((where, negative)), AllOf((where, Not(negative)))
    return either(up, _plus(node, 1), either(down, _plus(node, -1), node))


def _lies(node: Quotient, relation: Relation) -> Expression:
    """Return the condition that the result lies above, or below, what it is rounded from."""
    scaled = _product(numbers.as_stored(node.left), numbers.constant(10**node.digits))
    result = _product(numbers.as_stored(node.right), numbers.as_stored(node))
    return Compare(relation, result, scaled)


def _moved(node: Quotient, where: Expression, change: int) -> Expression:
    return either(where, _plus(node, change), node)


def _plus(node: Quotient, change: int) -> Expression:
    return numbers.arithmetic(Operation.ADD, node, numbers.constant(change, node.type.places))


def _product(left: Expression, right: Expression) -> Arithmetic:
    """Return a product of whole numbers, of however many fields it is one.

    A rule must be decidable for all rows; a condition that a row is looked for with need not be.
    """
    low, high = numbers.interval(
        Operation.MULTIPLY, numbers.number_type(left), numbers.number_type(right)
    )
    return Arithmetic(numbers.bounded(low, high, 0), Operation.MULTIPLY, left, right)
