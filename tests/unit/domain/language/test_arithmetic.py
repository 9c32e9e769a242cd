"""Rounding down and up, remainders and powers: over small frames against Python's own numbers."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from sopforge.language.domain.expressions.expressions import Constant, Expression
from sopforge.language.domain.parsing import Scope, parse_value
from sopforge.language.domain.values.types import BOOLEAN, NumberType
from sopforge.language.logic.readings.scalar import evaluate
from sopforge.language.logic.readings.vector import Columns, evaluate_columns

LOW, HIGH, MOST = -25, 25, 12
SCOPE = Scope(
    fields={
        "whole": NumberType(LOW, HIGH),
        "tenths": NumberType(LOW, HIGH, 1),
        "divisor": NumberType(1, MOST),
        "parts": NumberType(1, MOST, 1),
        "flag": BOOLEAN,
    },
    constants={"limit": Constant(NumberType(15, 15, 1), 15, "limit")},
)
ROWS = [
    {"whole": number, "tenths": number, "divisor": by, "parts": by, "flag": by % 2}
    for number, by in product(range(LOW, HIGH + 1), range(1, MOST + 1))
]
PLACES = {"whole": 0, "tenths": 1, "divisor": 0, "parts": 1}
TO_BELOW, TO_ABOVE = ROUND_FLOOR, ROUND_CEILING


def read(text: str, places: int) -> Expression:
    return parse_value(text, SCOPE, NumberType(-(1 << 60), 1 << 60, places))


def found(expression: Expression, places: int) -> list[Fraction]:
    """Return the values of an expression on all rows, by rows and by columns alike."""
    columns = {name: np.array([row[name] for row in ROWS]) for name in ROWS[0]}
    by_row = [evaluate(expression, row) for row in ROWS]
    assert evaluate_columns(expression, Columns(len(ROWS), columns)).tolist() == by_row
    return [Fraction(value) / 10**places for value in by_row if isinstance(value, int)]


def exact(name: str, row: dict[str, int]) -> Fraction:
    return Fraction(row[name], 10 ** PLACES[name])


def in_units(number: Fraction, places: int, mode: str) -> Fraction:
    """Return a number brought to so many places by Python's decimals."""
    quotient = Decimal(number.numerator) / Decimal(number.denominator)
    return Fraction(quotient.quantize(Decimal(1).scaleb(-places), mode))


@pytest.mark.parametrize("above", ["whole", "tenths"])
@pytest.mark.parametrize("below", ["divisor", "parts"])
@pytest.mark.parametrize(("name", "mode"), [("floor", TO_BELOW), ("ceiling", TO_ABOVE)])
@pytest.mark.parametrize("places", [0, 1, 2])
def test_quotients_are_rounded_down_and_up(
    name: str, mode: str, above: str, below: str, places: int
) -> None:
    wanted = [in_units(exact(above, row) / exact(below, row), places, mode) for row in ROWS]

    assert found(read(f"{name}({above} / {below}, {places})", places), places) == wanted


@pytest.mark.parametrize(("name", "mode"), [("floor", TO_BELOW), ("ceiling", TO_ABOVE)])
def test_numbers_are_rounded_to_whole_ones(name: str, mode: str) -> None:
    wanted = [in_units(exact("tenths", row), 0, mode) for row in ROWS]

    assert found(read(f"{name}(tenths)", 0), 0) == wanted


@pytest.mark.parametrize("above", ["whole", "tenths"])
@pytest.mark.parametrize("below", ["divisor", "parts", "7", "0.4", "limit"])
def test_a_remainder_is_not_negative_and_less_than_the_divisor(above: str, below: str) -> None:
    by = {"7": Fraction(7), "0.4": Fraction(2, 5), "limit": Fraction(3, 2)}
    divisors = [by.get(below) or exact(below, row) for row in ROWS]
    numbers = [exact(above, row) for row in ROWS]
    rests = found(read(f"remainder({above}, {below})", 1), 1)

    assert rests == [one % other for one, other in zip(numbers, divisors, strict=True)]
    assert all(0 <= rest < other for rest, other in zip(rests, divisors, strict=True))
    # The type says so, too: the field of a remainder by 12 need not reach 12.
    parse_value(f"remainder({above}, {below})", SCOPE, NumberType(0, 119, 1))


def test_what_a_difference_comes_to_is_its_remainder() -> None:
    assert read("whole - 7 * floor(whole / 7)", 0).type == NumberType(-46, 53)
    assert found(read("whole - 7 * floor(whole / 7)", 0), 0) == found(
        read("remainder(whole, 7)", 0), 0
    )


@pytest.mark.parametrize(
    ("text", "places", "value"),
    [
        ("2 ** 10", 0, 1024),
        ("-2 ** 2", 0, -4),
        ("(-2) ** 3", 0, -8),
        ("1.5 ** 3", 3, 3375),
        ("0.1 ** 6", 6, 1),
        ("limit ** 3", 3, 3375),
        ("round(2 ** -3, 2)", 2, 13),  # 0.125
        ("floor(2 ** -3, 2)", 2, 12),
        ("ceiling(-2 ** -3)", 0, 0),
        ("round(1.005 ** 60, 6)", 6, 1348850),
        ("round(0.005 * 1.005 ** 60 / (1.005 ** 60 - 1), 6)", 6, 19333),
        ("round(0.005 / (1 - 1.005 ** -60), 6)", 6, 19333),
    ],
)
def test_powers_of_figures_are_exact_or_rounded_once(text: str, places: int, value: int) -> None:
    assert set(found(read(text, places), places)) == {Fraction(value, 10**places)}


@pytest.mark.parametrize("base", ["whole", "tenths", "(whole - divisor)"])
def test_squares(base: str) -> None:
    values = found(read(base, 1), 1)

    assert found(read(f"{base} ** 2", 2), 2) == [value**2 for value in values]
    assert read(f"{base} ** 1", 2) == read(base, 2)


@pytest.mark.parametrize(
    ("text", "apart"),
    [
        ("round(max(tenths / 4, 2), 1)", "max(round(tenths / 4, 1), 2)"),
        ("floor(min(tenths / 4, tenths))", "min(floor(tenths / 4), floor(tenths))"),
        ("ceiling(max(min(whole / 7, 1.25), -2), 1)", "max(min(ceiling(whole / 7, 1), 1.3), -2)"),
        ("round(whole / 8 if flag else tenths, 1)", "round(whole / 8, 1) if flag else tenths"),
    ],
)
def test_of_several_values_each_is_rounded(text: str, apart: str) -> None:
    assert found(read(text, 1), 1) == found(read(apart, 1), 1)
