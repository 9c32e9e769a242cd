"""Rounding: which quotients show how they are rounded, and how else they may be."""

from __future__ import annotations

from collections.abc import Iterator

from sopforge.language.domain.expressions import numbers
from sopforge.language.domain.expressions.expressions import (
    AllOf,
    AnyOf,
    Arithmetic,
    Compare,
    Expression,
    Not,
    Operation,
    Quotient,
    Relation,
    Rounding,
)
from sopforge.language.domain.expressions.numbers import TypeRuleError
from sopforge.language.logic.tables import build_choice
from sopforge.proof.dataset.mutants.about import About


def build_tie_condition(node: Quotient) -> Expression | None:
    """Return the condition that a half is rounded, None where a number in it passes 2^62."""
    try:
        dividend, divisor = numbers.as_stored(node.left), numbers.as_stored(node.right)
        scaled = _multiply_numbers(dividend, numbers.make_number_constant(2 * 10**node.digits))
        twice = _multiply_numbers(numbers.as_stored(node), numbers.make_number_constant(2))
        sides = []
        # n / d lies half a unit below its result r where 2n = d(2r - 1); below zero, halves go
        # down, and it lies above: 2n = d(2r + 1).
        for relation, step in ((Relation.GE, Operation.SUBTRACT), (Relation.LT, Operation.ADD)):
            half = numbers.build_arithmetic(step, twice, numbers.make_number_constant(1))
            sign = Compare(relation, dividend, numbers.make_number_constant(0))
            sides.append(
                AllOf((sign, Compare(Relation.EQ, scaled, _multiply_numbers(divisor, half))))
            )
        return AnyOf(tuple(sides))
    except TypeRuleError:
        return None


def has_odd_result(node: Quotient) -> Expression:
    """Return the condition that the last digit of a quotient is odd.

    A half that is rounded to the even neighbour instead has another result just there.
    """
    # The language has no remainder: an odd number, halved, rounded and doubled, is another one.
    result = numbers.as_stored(node)
    halved = numbers.build_quotient(result, numbers.make_number_constant(2), 0)
    return Compare(Relation.NE, _multiply_numbers(halved, numbers.make_number_constant(2)), result)


def derive_rounding_mistakes(node: Expression) -> Iterator[tuple[About, str, Expression]]:
    """Return a quotient rounded differently: down, up, to even, to a place more or less."""
    if isinstance(node, Quotient):
        is_nearest = node.rounding is Rounding.NEAREST
        derive = _derive_nearest_mistakes if is_nearest else _derive_direction_mistakes
        yield from derive(node)


def _derive_direction_mistakes(node: Quotient) -> Iterator[tuple[About, str, Expression]]:
    """Return a quotient that is rounded down, or up, rounded otherwise."""
    other = {
        rounding: numbers.build_quotient(node.left, node.right, node.type.places, rounding)
        for rounding in Rounding
    }
    for rounding in Rounding:
        if rounding is not node.rounding:
            yield About.ROUNDING, f"{rounding} for {node.rounding}", other[rounding]
    if numbers.require_number_type(node.left).minimum < 0:
        towards_zero = build_choice(is_negative(node), other[Rounding.UP], other[Rounding.DOWN])
        yield About.ROUNDING, "rounded towards zero", towards_zero
    if node.type.places > 0:
        yield _round_coarsely(node)


def _round_coarsely(node: Quotient) -> tuple[About, str, Expression]:
    places = node.type.places - 1
    coarse = numbers.build_quotient(node.left, node.right, places, node.rounding)
    words = f"rounded to {places} places"
    return About.ROUNDING, words, numbers.rescale_number(coarse, node.type.places)


def _derive_nearest_mistakes(node: Quotient) -> Iterator[tuple[About, str, Expression]]:
    try:
        half = build_tie_condition(node)
        if half is not None:
            yield (
                About.ROUNDING,
                "halves rounded to even",
                move_towards_zero(node, build_odd_tie_condition(half, node)),
            )
            yield About.ROUNDING, "halves rounded down", move_towards_zero(node, half)
            if numbers.require_number_type(node.left).minimum < 0:
                upwards = move_towards_zero(node, AllOf((half, is_negative(node))))
                yield About.ROUNDING, "halves below zero rounded up", upwards
        yield (
            About.ROUNDING,
            "rounded down",
            _move_result(node, _compare_with_unrounded(node, Relation.GT), -1),
        )
        yield (
            About.ROUNDING,
            "rounded up",
            _move_result(node, _compare_with_unrounded(node, Relation.LT), 1),
        )
        if node.type.places > 0:
            yield _round_coarsely(node)
    except TypeRuleError:
        return


def list_showing_cases(node: Quotient) -> list[tuple[str, Expression, str, Expression]]:
    """Return where a quotient shows how it is rounded: a name, when, in words, and what else it is.

    To the nearest, a half does so. Down or up, what needs no rounding does: people who add one to
    what they round down, to round up, add it there too.
    """
    if node.rounding is not Rounding.NEAREST:
        try:
            exact = _compare_with_unrounded(node, Relation.EQ)
            wrong = _move_result(node, exact, 1 if node.rounding is Rounding.UP else -1)
        except TypeRuleError:
            return []
        return [(" exact", exact, "a division leaves nothing over", wrong)]
    half = build_tie_condition(node)
    if half is None:
        return []
    odd, words = build_odd_tie_condition(half, node), "a half is rounded"
    return [
        ("", half, words, move_towards_zero(node, half)),
        (" odd", odd, f"{words} to an odd result", move_towards_zero(node, odd)),
    ]


def is_negative(node: Quotient) -> Compare:
    """Return the condition that what is divided is below 0."""
    return Compare(Relation.LT, numbers.as_stored(node.left), numbers.make_number_constant(0))


def build_odd_tie_condition(half: Expression, node: Quotient) -> Expression:
    """Return the condition that a half is rounded to an odd result."""
    return AllOf((half, has_odd_result(node)))


def move_towards_zero(node: Quotient, where: Expression) -> Expression:
    """Return a quotient that is one unit of its places nearer to zero where a condition holds."""
    negative = is_negative(node)
    up, down = AllOf((where, negative)), AllOf((where, Not(negative)))
    return build_choice(up, _add_units(node, 1), build_choice(down, _add_units(node, -1), node))


def _compare_with_unrounded(node: Quotient, relation: Relation) -> Expression:
    """Return the condition that the result lies above, or below, what it is rounded from."""
    scaled = _multiply_numbers(
        numbers.as_stored(node.left), numbers.make_number_constant(10**node.digits)
    )
    result = _multiply_numbers(numbers.as_stored(node.right), numbers.as_stored(node))
    return Compare(relation, result, scaled)


def _move_result(node: Quotient, where: Expression, change: int) -> Expression:
    return build_choice(where, _add_units(node, change), node)


def _add_units(node: Quotient, change: int) -> Expression:
    return numbers.build_arithmetic(
        Operation.ADD, node, numbers.make_number_constant(change, node.type.places)
    )


def _multiply_numbers(left: Expression, right: Expression) -> Arithmetic:
    """Return a product of whole numbers, of however many fields it is one.

    A rule must be decidable for all rows; a condition that a row is looked for with need not be.
    """
    low, high = numbers.compute_interval(
        Operation.MULTIPLY, numbers.require_number_type(left), numbers.require_number_type(right)
    )
    return Arithmetic(numbers.make_number_type(low, high, 0), Operation.MULTIPLY, left, right)
