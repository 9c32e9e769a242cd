from __future__ import annotations

import pytest

from sopforge.artifacts.complexity.rules.earlier_values import (
    draw_earlier_limit,
    draw_earlier_value,
)
from sopforge.language.domain.expressions.expressions import Constant, iterate_parts
from sopforge.language.domain.model import collect_deciding_expressions
from tests.worlds.small_models import parcel

WEIGHT = "min: 0.00, max: 40.00, unit: kg"
LATE = "present(due_on) and days_between(due_on, sent_on) > grace"


def earlier(name: str, *changes: tuple[str, str]) -> set[str]:
    """Return every value that a constant may have had, for some seeds."""
    model = parcel(*changes)
    found = [draw_earlier_value(model, model.policy[name].constant, seed) for seed in range(40)]
    return {item.type.to_cell(item.value) if item else "none" for item in found}


@pytest.mark.parametrize(
    ("declared", "values"),
    [
        pytest.param("value: 10, unit: kg", {"8", "12"}, id="integer"),
        pytest.param("value: 12.5, unit: kg", {"10.0", "15.0"}, id="decimal"),
        pytest.param("value: 30, unit: kg", {"25", "35"}, id="in steps of five"),
        pytest.param("value: 2, unit: kg", {"1", "3"}, id="small"),
        pytest.param("value: 39, unit: kg", {"30"}, id="the other is above the greatest weight"),
    ],
)
def test_a_limit_has_been_a_round_number_nearby(declared: str, values: set[str]) -> None:
    changes = (("value: 5, unit: kg", declared), ("(weight - free_weight) * rate if", "1 if"))

    assert earlier("free_weight", *changes) == values


@pytest.mark.parametrize(
    ("now", "condition", "value"),
    [
        pytest.param(2, "weight > free_weight", "1", id="some weight is above 1, none above 2"),
        pytest.param(1, "weight >= free_weight", "2", id="every weight is at least 0"),
        pytest.param(1, "weight < free_weight", "2", id="no weight is below 0"),
        pytest.param(2, "weight <= free_weight", "1", id="every weight is at most 2"),
        pytest.param(2, "free_weight < weight", "1", id="constant on the left"),
        pytest.param(1, "free_weight <= weight", "2", id="at most, on the left"),
        pytest.param(0, "weight == free_weight", "1", id="no weight is -1"),
    ],
)
def test_an_earlier_limit_divides_the_values_that_it_is_compared_with(
    now: int, condition: str, value: str
) -> None:
    found = earlier(
        "free_weight",
        ("value: 5, unit: kg", f"value: {now}, unit: kg"),
        (WEIGHT, "min: 0.00, max: 2.00, unit: kg"),
        ("(weight - free_weight) * rate if weight > free_weight", f"1 if {condition}"),
    )

    assert found == {value}


def test_a_limit_that_decides_no_case_otherwise_is_none() -> None:
    changes = (
        ("value: 5, unit: kg", "value: 0.5, unit: kg"),
        ("type: number, places: 2, " + WEIGHT, "type: integer, min: 0, max: 1, unit: kg"),
        ("(weight - free_weight) * rate if", "1 if"),
    )

    assert earlier("free_weight", *changes) == {"none"}


def test_an_earlier_day_is_some_months_away_within_the_days_of_its_field() -> None:
    changes = (
        ("grace: {value: 3, unit: days,", "grace: {value: 2026-01-31,"),
        (LATE, "sent_on > grace"),
    )

    assert earlier("grace", *changes) == {"2026-02-28"}


def test_an_earlier_day_is_some_days_away_where_months_are_too_long() -> None:
    changes = (
        ("grace: {value: 3, unit: days,", "grace: {value: 2026-01-10,"),
        ("min: 2026-01-01, max: 2026-03-31", "min: 2026-01-01, max: 2026-01-20"),
        (LATE, "sent_on > grace"),
    )

    assert earlier("grace", *changes) == {"2026-01-03", "2026-01-09", "2026-01-11", "2026-01-17"}


def test_a_price_that_is_not_compared_keeps_its_sign() -> None:
    assert earlier("rate") == {"1.20", "1.40", "1.60", "1.80"}
    assert earlier("rate", ("value: 1.50", "value: -0.01")) == {"-0.02"}


def test_a_limit_beside_an_amount_has_its_decimal_places() -> None:
    """The weight has two decimal places, and so has 5 beside it: 4.00 kg, never 0.04 kg."""
    model = parcel(("(weight - free_weight) * rate if", "1 if"))
    limits = {
        part
        for part in iterate_parts(*collect_deciding_expressions(model))
        if isinstance(part, Constant) and part.name == "free_weight"
    }
    found = [draw_earlier_limit(model, limit, seed) for limit in limits for seed in range(40)]

    assert {item.type.to_cell(item.value) for item in found if item} == {"4.00", "6.00"}
    assert {item.name for item in found if item} == {"free_weight"}
