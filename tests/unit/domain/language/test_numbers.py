from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sopforge.language.domain.expressions.expressions import (
    Aggregate,
    AggregateFunction,
    Arithmetic,
    Choice,
    Constant,
    Element,
    Expression,
    Operation,
    Presence,
    Quotient,
    Read,
    Rescale,
)
from sopforge.language.domain.expressions.numbers import (
    TypeRuleError,
    align_places,
    build_arithmetic,
    build_quotient,
    compute_degree,
    compute_hull,
    make_number_constant,
    make_number_type,
    require_number_type,
    require_positive,
    rescale_number,
)
from sopforge.language.domain.values.types import BOOLEAN, NumberType

ADD, SUBTRACT, MULTIPLY = Operation.ADD, Operation.SUBTRACT, Operation.MULTIPLY
TWO_TO_62 = 4_611_686_018_427_387_904


def field(low: int, high: int, places: int = 0, unit: str = "") -> Read:
    return Read(NumberType(low, high, places, unit), "x")


def refused(code: str) -> pytest.RaisesExc[TypeRuleError]:
    """Expect a refusal with a code."""
    return pytest.raises(TypeRuleError, check=lambda error: error.code == code)


# Small intervals, and all numbers in them.
INTERVALS = st.tuples(st.integers(-9, 9), st.integers(0, 9)).map(lambda it: (it[0], sum(it)))


def decimals(expression: Expression) -> list[Decimal]:
    """Return all values of a number."""
    kind = require_number_type(expression)
    return [Decimal(value).scaleb(-kind.places) for value in range(kind.minimum, kind.maximum + 1)]


def ends(expression: Expression) -> tuple[Decimal, Decimal]:
    """Return the bounds of a number, as decimals."""
    kind = require_number_type(expression)
    return Decimal(kind.minimum).scaleb(-kind.places), Decimal(kind.maximum).scaleb(-kind.places)


# Bounds


@pytest.mark.parametrize(
    ("low", "high"),
    [(0, TWO_TO_62), (-TWO_TO_62, 0), (-(10**30), 10**30)],
    ids=["2^62", "-2^62", "far"],
)
def test_a_bound_of_two_to_the_62_is_refused(low: int, high: int) -> None:
    with refused("interval-too-large"):
        make_number_type(low, high, 0)


def test_one_less_than_two_to_the_62_is_kept() -> None:
    assert make_number_type(1 - TWO_TO_62, TWO_TO_62 - 1, 9, "kg") == NumberType(
        -4_611_686_018_427_387_903, 4_611_686_018_427_387_903, 9, "kg"
    )


def test_a_tenth_decimal_place_is_refused() -> None:
    with refused("too-many-places"):
        make_number_type(0, 1, 10)


# One scale


def test_a_constant_is_brought_to_more_places_at_once() -> None:
    named = Constant(NumberType(25, 25, 1, "USD"), 25, "fee")
    assert rescale_number(named, 3) == Constant(NumberType(2500, 2500, 3, "USD"), 2500, "fee")


def test_a_field_is_brought_to_more_places_by_a_node() -> None:
    item = field(-3, 7, unit="kg")
    assert rescale_number(item, 2) == Rescale(NumberType(-300, 700, 2, "kg"), item, 2)


def test_a_number_of_the_wanted_places_stays() -> None:
    item = field(-3, 7, 2)
    assert rescale_number(item, 2) is item


def test_numbers_are_aligned_to_the_one_with_most_places() -> None:
    parts = align_places((field(0, 9), make_number_constant(15, 1), field(0, 9, 3)))
    assert [require_number_type(part).places for part in parts] == [3, 3, 3]
    assert [require_number_type(part).maximum for part in parts] == [9000, 1500, 9]


def test_a_scale_that_makes_a_bound_too_large_is_refused() -> None:
    with refused("interval-too-large"):
        align_places((field(0, 10**18), field(0, 9, 6)))


# Sums, differences and products


@given(INTERVALS, INTERVALS, st.integers(0, 2), st.integers(0, 2), st.sampled_from(Operation))
def test_bounds_of_arithmetic_are_the_least_and_greatest_result(
    left: tuple[int, int], right: tuple[int, int], first: int, second: int, operation: Operation
) -> None:
    one, two = field(*left, first), field(*right, second)
    apply = {ADD: Decimal.__add__, SUBTRACT: Decimal.__sub__, MULTIPLY: Decimal.__mul__}[operation]
    results = [apply(a, b) for a, b in product(decimals(one), decimals(two))]
    assert ends(build_arithmetic(operation, one, two)) == (min(results), max(results))


@pytest.mark.parametrize(
    ("operation", "places"), [(ADD, 3), (SUBTRACT, 3), (MULTIPLY, 4)], ids=["sum", "less", "times"]
)
def test_places_follow_the_operation(operation: Operation, places: int) -> None:
    result = build_arithmetic(operation, field(0, 9, 1), field(0, 9, 3))
    assert require_number_type(result).places == places


def test_a_product_of_too_many_places_is_refused() -> None:
    with refused("too-many-places"):
        build_arithmetic(MULTIPLY, field(0, 9, 6), field(0, 9, 4))


@pytest.mark.parametrize(
    ("operation", "left", "right", "unit"),
    [
        (ADD, field(0, 9, unit="USD"), field(0, 9, unit="USD"), "USD"),
        (ADD, field(0, 9, unit="USD"), make_number_constant(5), "USD"),
        (ADD, field(0, 9, unit="USD"), field(0, 9), ""),
        (SUBTRACT, field(0, 9, unit="USD"), field(0, 9, unit="kg"), ""),
        (MULTIPLY, make_number_constant(2), field(0, 9, unit="USD"), "USD"),
        (MULTIPLY, field(0, 9, unit="USD"), field(0, 9, unit="USD"), ""),
        (MULTIPLY, field(0, 9, unit="USD"), field(0, 9, unit="kg"), ""),
        (MULTIPLY, field(0, 9), field(0, 9), ""),
    ],
    ids=[
        "shared",
        "with a bare constant",
        "with a bare field",
        "two units",
        "twice dollars",
        "dollars times dollars",
        "dollars times weight",
        "none",
    ],
)
def test_a_result_has_the_unit_that_its_parts_share(
    operation: Operation, left: Expression, right: Expression, unit: str
) -> None:
    assert require_number_type(build_arithmetic(operation, left, right)).unit == unit


# Degree

X = field(0, 9)
CONSTANT = make_number_constant(3)
SQUARE = Arithmetic(NumberType(0, 81), MULTIPLY, X, X)
ITEM = Element(NumberType(0, 9), "items", "amount")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (CONSTANT, 0),
        (X, 1),
        (ITEM, 1),
        (SQUARE, 2),
        (Arithmetic(NumberType(0, 27), MULTIPLY, CONSTANT, X), 1),
        (Arithmetic(NumberType(0, 90), ADD, SQUARE, X), 2),
        (Arithmetic(NumberType(3, 12), ADD, CONSTANT, X), 1),
        (Rescale(NumberType(0, 810, 1), SQUARE, 1), 2),
        (Quotient(NumberType(0, 3), X, CONSTANT, 0), 1),
        (Choice(NumberType(0, 9), Presence("x"), CONSTANT, X), 1),
        (Aggregate(NumberType(0, 5), AggregateFunction.COUNT, "items", 5, None, None, None), 1),
        (Aggregate(NumberType(0, 405), AggregateFunction.SUM, "items", 5, None, SQUARE, None), 2),
        (
            Aggregate(
                NumberType(0, 405),
                AggregateFunction.SUM,
                "items",
                5,
                Presence("x", BOOLEAN),
                SQUARE,
                None,
            ),
            2,
        ),
        (Presence("x", BOOLEAN), 1),
    ],
    ids=[
        "constant",
        "field",
        "element",
        "square",
        "constant factor",
        "sum with a square",
        "sum",
        "rescaled square",
        "quotient by a constant",
        "choice",
        "count",
        "sum of squares",
        "sum of some squares",
        "presence",
    ],
)
def test_the_degree_counts_the_fields_in_a_product(expression: Expression, expected: int) -> None:
    assert compute_degree(expression) == expected


def test_a_product_of_two_fields_is_kept() -> None:
    assert require_number_type(build_arithmetic(MULTIPLY, X, X)) == NumberType(0, 81)


def test_a_product_of_three_fields_is_refused() -> None:
    with refused("degree-too-high"):
        build_arithmetic(MULTIPLY, SQUARE, X)


def test_a_sum_of_squares_is_kept() -> None:
    assert require_number_type(build_arithmetic(ADD, SQUARE, SQUARE)) == NumberType(0, 162)


# Quotients


@given(
    INTERVALS,
    st.tuples(st.integers(1, 6), st.integers(0, 5)).map(lambda it: (it[0], sum(it))),
    st.integers(0, 2),
    st.integers(0, 2),
    st.integers(0, 3),
)
def test_bounds_of_a_quotient_are_the_least_and_greatest_result(
    left: tuple[int, int], right: tuple[int, int], first: int, second: int, places: int
) -> None:
    one, two = field(*left, first), field(*right, second)
    # In decimal arithmetic, ROUND_HALF_UP is away from zero.
    step = Decimal(1).scaleb(-places)
    results = [
        (a / b).quantize(step, ROUND_HALF_UP) for a, b in product(decimals(one), decimals(two))
    ]
    found = build_quotient(one, two, places)
    assert (require_number_type(found).places, ends(found)) == (
        places,
        (min(results), max(results)),
    )


@pytest.mark.parametrize(
    ("value", "divisor", "low"),
    [(1, 2, 1), (-1, 2, -1), (3, 2, 2), (-3, 2, -2), (1, 3, 0), (-2, 3, -1), (0, 7, 0)],
    ids=["half", "minus half", "one and a half", "less", "a third", "minus two thirds", "zero"],
)
def test_halves_are_rounded_away_from_zero(value: int, divisor: int, low: int) -> None:
    kind = require_number_type(
        build_quotient(make_number_constant(value), make_number_constant(divisor), 0)
    )
    assert (kind.minimum, kind.maximum) == (low, low)


def test_a_dividend_with_more_places_widens_the_divisor() -> None:
    found = build_quotient(field(0, 999, 3), make_number_constant(4), 1)
    assert found == Quotient(NumberType(0, 2, 1), field(0, 999, 3), make_number_constant(400, 2), 0)


def test_a_quotient_has_no_unit() -> None:
    assert build_quotient(field(0, 9, unit="USD"), make_number_constant(2), 1).type.unit == ""


@pytest.mark.parametrize("low", [0, -1], ids=["zero", "below"])
def test_a_divisor_that_can_be_zero_is_refused(low: int) -> None:
    with refused("divisor-not-positive"):
        require_positive(field(low, 9))


def test_a_dividend_that_would_pass_two_to_the_62_in_between_is_refused() -> None:
    with refused("interval-too-large"):
        build_quotient(field(0, 10**15), make_number_constant(1000), 6)


# Hull


def test_the_hull_of_one_number_is_its_type() -> None:
    assert compute_hull((field(-3, 2, 1, "kg"),)) == NumberType(-3, 2, 1, "kg")


def test_a_refusal_reads_as_its_message() -> None:
    assert str(TypeRuleError("type-error", "no number", "count it")) == "no number"


def test_the_hull_holds_all_numbers() -> None:
    assert compute_hull((field(-3, 2, 1, "kg"), field(0, 9, 1, "kg"))) == NumberType(-3, 9, 1, "kg")
