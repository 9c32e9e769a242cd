"""The nearest possible gap, worked out by hand and looked for among many values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import pytest

from sopforge.language.domain.expressions.expressions import Expression
from sopforge.language.domain.parsing import Scope, parse_value
from sopforge.language.domain.values.types import (
    BooleanType,
    ListType,
    NumberType,
    Value,
    require_integer,
)
from sopforge.language.logic.readings.scalar import evaluate
from sopforge.proof.dataset.coverage.goals.least_gaps import compute_least_gap

Row = Mapping[str, Value | None]
SMALL = NumberType(-60, 60)
CENTS = NumberType(-60, 60, 2)
SCOPE = Scope(
    fields={
        "a": SMALL,
        "b": SMALL,
        "price": CENTS,
        "ok": BooleanType(),
        "rows": ListType((("n", NumberType(0, 9)),), 3, "none"),
    },
    constants={},
    optional=frozenset(),
)
CASES = [
    ("a * 100 - b * 115", 5, -5),  # multiples of gcd(100, 115)
    ("a * 5 - 12", 3, -2),
    ("a * 6 + b * 9", 3, -3),
    ("a * 6 + b * 10 - 3", 1, -1),
    ("a - 7", 1, -1),
    ("(4 if ok else 10) - a * 6", 4, -2),  # 4, 10, ... and -2, -8, ...
    ("a * b * 4 + 6", 2, -2),
    ("sum(i.n * 25 for i in rows) - 40", 10, -15),
    ("price * 4 - 1", 4, -4),  # in cents: multiples of 4, and 100 is one
    ("price - a", 1, -1),  # 100 cents in each unit of a, one in the price
    ("a * 1.5 - 29.5", 50, -100),  # in hundredths: multiples of 150 less 2950
]


def parsed(text: str) -> Expression:
    places = 2 if "price" in text or ".5" in text else 0
    return parse_value(text, SCOPE, NumberType(-(10**9), 10**9, places))


def lists() -> Iterator[Row]:
    for size in range(3):
        for numbers in product(range(4), repeat=size):
            yield {"rows": tuple({"n": number} for number in numbers)}


def values(difference: Expression, text: str) -> list[int]:
    """Return the values of a difference on many rows."""
    span = range(-60, 61)
    plain: Iterator[Row] = (
        {"a": a, "b": b, "price": b, "ok": ok}
        for a in span
        for b in span
        for ok in {0, int("ok" in text)}
    )
    rows = lists() if "rows" in text else plain
    return [require_integer(evaluate(difference, row)) for row in rows]


@pytest.mark.parametrize(("text", "above", "below"), CASES)
def test_no_value_is_nearer_and_one_is_as_near(text: str, above: int, below: int) -> None:
    difference = parsed(text)
    found = values(difference, text)

    assert (compute_least_gap(difference), compute_least_gap(difference, -1)) == (above, below)
    assert min(value for value in found if value > 0) == above
    assert max(value for value in found if value < 0) == below


@pytest.mark.parametrize("text", ["max(a * 4, 6) - 1", "min(a * 4, b * 6) - 3", "abs(a * 7) - 3"])
def test_where_not_all_is_known_no_value_is_nearer(text: str) -> None:
    difference = parsed(text)
    found = values(difference, text)

    assert min(value for value in found if value > 0) >= compute_least_gap(difference) >= 1
    assert max((value for value in found if value < 0), default=-1) <= compute_least_gap(
        difference, -1
    )


def test_the_gap_at_the_boundary_is_none() -> None:
    assert compute_least_gap(parsed("a * 5 - 12"), 0) == 0
