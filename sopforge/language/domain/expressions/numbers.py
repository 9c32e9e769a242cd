"""The rules of exact numbers: scales, intervals and degrees of sums, products and quotients.

Every number is an integer of 10^-places between static bounds. A bound that passes 2^62 is
refused, because columns of 64-bit integers would wrap silently.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial, reduce

from sopforge.language.domain.expressions.expressions import (
    Aggregate,
    Arithmetic,
    Choice,
    Constant,
    Element,
    Expression,
    Lookup,
    Missing,
    Operation,
    Quotient,
    Read,
    Rescale,
    Rounding,
    list_children,
    may_be_missing,
)
from sopforge.language.domain.values.types import NumberType

LARGEST = 1 << 62
HIGHEST_DEGREE = 2
MAXIMUM_PLACES = 9
ORDERED_HINT = (
    "write 'ordered: true' at the field, with 'values' from the lowest to the highest, or list the"
    " labels with 'in'"
)


class TypeRuleError(ValueError):
    """Operands do not fit their operator; whoever knows the place reports it."""

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.hint = hint


def require_number_type(expression: Expression) -> NumberType:
    """Return the type of an expression that is known to be a number."""
    if not isinstance(expression.type, NumberType):
        raise TypeError(f"{expression!r} is no number")
    return expression.type


def as_stored(node: Expression) -> Expression:
    """Return a number as the integer that it is stored as."""
    return replace(node, type=replace(require_number_type(node), places=0))  # type: ignore[arg-type]  # a number


def make_number_type(low: int, high: int, places: int, unit: str = "") -> NumberType:
    """Return the type of numbers between two bounds.

    Raises:
        TypeRuleError: a bound passes 2^62, or there are too many places.
    """
    if max(abs(low), abs(high)) >= LARGEST:
        hint = "narrow 'min' and 'max' of the fields in it, or reduce their decimal places"
        raise TypeRuleError("interval-too-large", "the value can be larger than 2^62", hint)
    if places > MAXIMUM_PLACES:
        message = f"the value has {places} decimal places; at most {MAXIMUM_PLACES} are allowed"
        raise TypeRuleError("too-many-places", message, "round a part of it first")
    return NumberType(low, high, places, unit)


def make_number_constant(value: int, places: int = 0) -> Constant:
    """Return a number that is written out."""
    return Constant(make_number_type(value, value, places), value)


def rescale_number(expression: Expression, places: int) -> Expression:
    """Return the number with exactly ``places`` decimal places, at least as many as it has."""
    kind = require_number_type(expression)
    digits = places - kind.places
    if digits == 0:
        return expression
    factor = 10**digits
    scaled = make_number_type(kind.minimum * factor, kind.maximum * factor, places, kind.unit)
    if isinstance(expression, Constant) and isinstance(expression.value, int):
        # A constant of the policy keeps its name, by which texts call it.
        return replace(expression, type=scaled, value=expression.value * factor)
    if may_be_missing(expression):
        return _rescale_results(expression, scaled)
    return Rescale(scaled, expression, digits)


def _rescale_results(expression: Expression, scaled: NumberType) -> Expression:
    """Return what may be no value at the scale of a type: nothing is multiplied with that."""
    match expression:
        case Missing():
            return replace(expression, type=scaled)
        case Choice():
            then, otherwise = (
                rescale_number(part, scaled.places)
                for part in (expression.then, expression.otherwise)
            )
            return replace(expression, type=scaled, then=then, otherwise=otherwise)
        case Lookup():
            entries = tuple(rescale_number(part, scaled.places) for part in expression.entries)
            return replace(expression, type=scaled, entries=entries)
        case _:
            raise TypeError(f"{expression!r} is always a value")


def align_places(expressions: Sequence[Expression]) -> tuple[Expression, ...]:
    """Return numbers with the places of the one that has most."""
    places = max(require_number_type(item).places for item in expressions)
    return tuple(rescale_number(item, places) for item in expressions)


def build_arithmetic(operation: Operation, left: Expression, right: Expression) -> Expression:
    """Return a sum, difference or product.

    Raises:
        TypeRuleError: an interval that is too large, or a product of more than two fields.
    """
    if operation is Operation.MULTIPLY:
        places = require_number_type(left).places + require_number_type(right).places
        if compute_degree(left) + compute_degree(right) > HIGHEST_DEGREE:
            hint = "calculate part of the product in a separate field, and use that field here"
            message = (
                "the expression multiplies more than two fields, which SOPForge cannot"
                " check for all rows"
            )
            raise TypeRuleError("degree-too-high", message, hint)
    else:
        left, right = align_places((left, right))
        places = require_number_type(left).places
    low, high = compute_interval(operation, require_number_type(left), require_number_type(right))
    unit = _find_shared_unit(left, right)
    if operation is Operation.MULTIPLY and not (_is_plain(left) or _is_plain(right)):
        unit = ""  # dollars times dollars are no dollars
    return Arithmetic(make_number_type(low, high, places, unit), operation, left, right)


def build_quotient(
    left: Expression, right: Expression, places: int, rounding: Rounding = Rounding.NEAREST
) -> Quotient:
    """Return a quotient rounded to ``places``.

    Raises:
        TypeRuleError: the divisor can be zero or negative.
    """
    require_positive(right)
    digits = places + require_number_type(right).places - require_number_type(left).places
    if digits < 0:
        # The dividend has more places than the result can take up: the divisor is scaled instead.
        right = rescale_number(right, require_number_type(right).places - digits)
        digits = 0
    kind, divisor = require_number_type(left), require_number_type(right)
    factor = 10**digits
    make_number_type(kind.minimum * factor * 2, kind.maximum * factor * 2, 0)
    ends = [
        divide_rounded(end * factor, part, rounding)
        for end in (kind.minimum, kind.maximum)
        # As the divisor is positive, a quotient is greatest and least at the ends of ranges.
        for part in (divisor.minimum, divisor.maximum)
    ]
    kind = make_number_type(min(ends), max(ends), places)
    return Quotient(kind, left, right, digits, rounding)


def build_remainder(left: Expression, right: Expression) -> Arithmetic:
    """Return what is left of a number when another is taken off it as often as it goes into it.

    It is at least 0 and less than the divisor, of numbers below 0 too: they are brought above it.

    Raises:
        TypeRuleError: the divisor can be zero or negative.
    """
    left, right = align_places((left, require_positive(right)))
    kind, divisor = require_number_type(left), require_number_type(right)
    times = build_quotient(left, right, 0, Rounding.DOWN)
    # Not by the rules of products and differences: these know nothing of how both hang together.
    low, high = kind.minimum - divisor.maximum + 1, kind.maximum
    taken = Arithmetic(make_number_type(low, high, kind.places), Operation.MULTIPLY, right, times)
    most = divisor.maximum - 1 if kind.minimum < 0 else min(divisor.maximum - 1, kind.maximum)
    found = make_number_type(0, most, kind.places, _find_shared_unit(left, right))
    return Arithmetic(found, Operation.SUBTRACT, left, taken)


def find_remainder(node: Arithmetic) -> Quotient | None:
    """Return the quotient of which a difference is the remainder, None for another one."""
    match node:
        case Arithmetic(
            operation=Operation.SUBTRACT,
            right=Arithmetic(operation=Operation.MULTIPLY, left=divisor, right=Quotient() as times),
        ):
            wanted = Quotient(times.type, node.left, divisor, 0, Rounding.DOWN)
            return times if times == wanted and not times.type.places else None
        case _:
            return None


def build_power(base: Expression, exponent: int) -> Expression:
    """Return a number multiplied by itself so often.

    Raises:
        TypeRuleError: as of a product.
    """
    return reduce(partial(build_arithmetic, Operation.MULTIPLY), [base] * exponent)


def require_positive(divisor: Expression) -> Expression:
    """Return a divisor.

    Raises:
        TypeRuleError: its interval reaches zero.
    """
    if require_number_type(divisor).minimum <= 0:
        message = "the divisor can be zero or negative"
        hint = "raise 'min' of the field in the divisor, or write max(..., 1) around the divisor"
        raise TypeRuleError("divisor-not-positive", message, hint)
    return divisor


def compute_hull(expressions: Sequence[Expression]) -> NumberType:
    """Return the type that holds all of several numbers of one scale."""
    kinds = [require_number_type(item) for item in expressions]
    low, high = min(kind.minimum for kind in kinds), max(kind.maximum for kind in kinds)
    return make_number_type(low, high, kinds[0].places, _find_shared_unit(*expressions))


def compute_degree(expression: Expression) -> int:
    """Return how many fields are multiplied at most in a number."""
    match expression:
        case Constant() | Missing():
            return 0
        case Read() | Element():
            return 1
        case Arithmetic(operation=Operation.MULTIPLY) | Quotient():
            return compute_degree(expression.left) + compute_degree(expression.right)
        case Aggregate():
            return max(
                1, max((compute_degree(part) for part in list_children(expression)), default=1)
            )
        case _:
            return max((compute_degree(part) for part in list_children(expression)), default=1)


def compute_interval(operation: Operation, left: NumberType, right: NumberType) -> tuple[int, int]:
    """Return the bounds of a sum, difference or product."""
    match operation:
        case Operation.ADD:
            return left.minimum + right.minimum, left.maximum + right.maximum
        case Operation.SUBTRACT:
            return left.minimum - right.maximum, left.maximum - right.minimum
        case Operation.MULTIPLY:
            ends = [
                first * second
                for first in (left.minimum, left.maximum)
                for second in (right.minimum, right.maximum)
            ]
            return min(ends), max(ends)


def divide_rounded(dividend: int, divisor: int, rounding: Rounding = Rounding.NEAREST) -> int:
    """Return a quotient rounded to a whole number, halves away from zero; divisor positive."""
    if rounding is Rounding.DOWN:
        return dividend // divisor
    if rounding is Rounding.UP:
        return -(-dividend // divisor)
    # By size first: Python's division rounds down, which would make -2 of -2.5 and not -3.
    quotient_, rest = divmod(abs(dividend), divisor)
    quotient_ += 2 * rest >= divisor
    return quotient_ if dividend >= 0 else -quotient_


def _find_shared_unit(*expressions: Expression) -> str:
    """Return the unit that all operands share; constants without one go along."""
    units = {require_number_type(item).unit for item in expressions if not _is_plain(item)}
    return units.pop() if len(units) == 1 else ""


def _is_plain(expression: Expression) -> bool:
    return isinstance(expression, Constant) and not require_number_type(expression).unit
