"""The vector reading, node by node: each column is worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import pytest

from sopforge.language.domain.expressions.expressions import (
    Aggregate,
    AggregateFunction,
    Constant,
    Element,
    Expression,
    Extreme,
    Lookup,
    Outermost,
    Quotient,
    Read,
    Rescale,
)
from sopforge.language.domain.rules import Formula
from sopforge.language.domain.values.types import EnumType, NumberType, Value
from sopforge.language.logic.readings.vector import Columns, ListColumn, evaluate_columns
from sopforge.proof.dataset.sampling.bulk import as_columns
from tests.worlds.small_models import claim, claims, condition, day, line, minute, parcel, row

CLAIMS, PARCEL = claims(), parcel()
Listed: TypeAlias = Any  # a column as the list that numpy makes of it
WIDE = NumberType(-1_000_000, 1_000_000)


def on_claims(text: str, *changes: Mapping[str, Any]) -> Listed:
    """Return a condition or a number of dollars on claims."""
    rows = [claim(**change) for change in changes]
    return evaluate_columns(condition(CLAIMS, text), as_columns(CLAIMS, rows)).tolist()


def on_parcels(text: str, *changes: Mapping[str, Any]) -> Listed:
    rows = [row(**change) for change in changes]
    return evaluate_columns(condition(PARCEL, text), as_columns(PARCEL, rows)).tolist()


def of_numbers(node: Expression, **columns: Sequence[int]) -> Listed:
    """Return a node on plain columns."""
    count = len(next(iter(columns.values())))
    values = {name: np.array(column, dtype=np.int64) for name, column in columns.items()}
    return evaluate_columns(node, Columns(count, values)).tolist()


@pytest.mark.parametrize(
    ("text", "changes", "expected"),
    [
        pytest.param("weight > free_weight", [{"weight": 500}, {"weight": 501}], [0, 1], id=">"),
        pytest.param("weight - 2 * (weight - 1) == -3", [{"weight": 500}], [1], id="arithmetic"),
        pytest.param("fragile", [{"fragile": 0}, {"fragile": 1}], [0, 1], id="a flag"),
        pytest.param("not fragile", [{"fragile": 0}, {"fragile": 1}], [1, 0], id="no flag"),
        pytest.param(
            "'Glass' in contents", [{"contents": 0b010}, {"contents": 0b101}], [1, 0], id="a member"
        ),
        pytest.param(
            "count(contents) == 2", [{"contents": 0b101}, {"contents": 0}], [1, 0], id="a size"
        ),
        pytest.param(
            "service in ['Standard', 'Night']",
            [{"service": 0}, {"service": 1}, {"service": 2}],
            [1, 0, 1],
            id="one of",
        ),
        pytest.param(
            "present(due_on)",
            [{"due_on": None}, {"due_on": day("2026-02-28")}],
            [0, 1],
            id="presence",
        ),
        pytest.param(
            "present(due_on) and due_on < sent_on",
            [{"due_on": None}, {"due_on": day("2026-02-28")}],
            [0, 1],
            id="a missing value beside its test",
        ),
        pytest.param(
            "days_between(sent_on, '2026-02-28') == -1",
            [{}, {"sent_on": day("2026-02-28")}],
            [1, 0],
            id="days",
        ),
        pytest.param(
            "abs(weight - 5) == 1",
            [{"weight": 400}, {"weight": 600}, {"weight": 500}],
            [1, 1, 0],
            id="without the sign",
        ),
        pytest.param(
            "min(weight, free_weight, 4) == 3 or max(weight, free_weight) == 9",
            [{"weight": 300}, {"weight": 900}, {"weight": 500}],
            [1, 1, 0],
            id="least and greatest",
        ),
        pytest.param(
            "(weight if fragile else 0) == 5", [{}, {"fragile": 1}], [0, 1], id="a choice"
        ),
        pytest.param(
            "2 <= weight < 5 or weight / free_weight > 2",
            [{"weight": 199}, {"weight": 200}, {"weight": 1000}, {"weight": 1001}],
            [0, 1, 0, 1],
            id="a chain and a division",
        ),
        pytest.param(
            "add_days(sent_on, 30) == '2026-03-31'", [{}, {"sent_on": 739_000}], [1, 0], id="later"
        ),
    ],
)
def test_conditions_on_fields(
    text: str, changes: list[dict[str, Value | None]], expected: list[int]
) -> None:
    assert on_parcels(text, *changes) == expected


THREE = (line(0, 1_000), line(1, 12_000, receipt=False), line(0, 2_055, extras=0b11))
FULL = (line(2, 60_000), line(2, 1), line(2, 2), line(2, 3))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("count(i for i in lines) == 0", [1, 0, 0], id="count"),
        pytest.param("count(i for i in lines) == 4", [0, 0, 1], id="a full list"),
        pytest.param("count(i for i in lines if i.kind == 'Meal') == 2", [0, 1, 0], id="of a kind"),
        pytest.param("sum(i.amount for i in lines) == 150.55", [0, 1, 0], id="sum"),
        pytest.param("sum(i.amount for i in lines) == 0", [1, 0, 0], id="the sum of none"),
        pytest.param("sum(i.amount * 2 - 1 for i in lines) == 298.1", [0, 1, 0], id="of a formula"),
        pytest.param("min((i.amount for i in lines), default=7) == 7", [1, 0, 0], id="min default"),
        pytest.param("min((i.amount for i in lines), default=7) == 0.01", [0, 0, 1], id="min"),
        pytest.param("max((i.amount for i in lines), default=7) == 120", [0, 1, 0], id="max"),
        pytest.param(
            "max((i.amount for i in lines if i.kind == 'Meal'), default=-1) == -1",
            [1, 0, 1],
            id="the max of none of a kind",
        ),
        pytest.param(
            "average((i.amount for i in lines), places=1, default=9) == 50.2", [0, 1, 0], id="mean"
        ),
        pytest.param(
            "average((i.amount for i in lines), places=0, default=9) == 9", [1, 0, 0], id="no mean"
        ),
        pytest.param("any(not i.has_receipt for i in lines)", [0, 1, 0], id="any"),
        pytest.param("all(i.has_receipt for i in lines)", [1, 0, 1], id="all, and all of none"),
        pytest.param(
            "any(i.has_receipt for i in lines if i.amount > 100)", [0, 0, 1], id="any of some"
        ),
        pytest.param(
            "all('Drinks' in i.extras for i in lines if 'Tip' in i.extras)", [1, 1, 1], id="sets"
        ),
        pytest.param(
            "any(i.amount > payable - 1500 for i in lines)", [0, 1, 1], id="beside a field"
        ),
        pytest.param(
            "any(i.kind in ['Meal', 'Taxi'] and grade == 'Lead' for i in lines)",
            [0, 1, 0],
            id="beside a label",
        ),
    ],
)
def test_aggregates_of_lists(text: str, expected: list[int]) -> None:
    rows = [
        {"lines": (), "payable": 150_000, "grade": 1},
        {"lines": THREE, "payable": 150_000, "grade": 1},
        {"lines": FULL, "payable": 200_000, "grade": 2},
    ]

    assert on_claims(text, *rows) == expected


def test_a_missing_list_has_no_items() -> None:
    rows: list[dict[str, Any]] = [{"earlier_claims": None}, {"earlier_claims": ()}, {}]

    assert on_claims("present(earlier_claims)", *rows) == [0, 1, 1]
    assert on_claims("count(c for c in earlier_claims) == 0", *rows) == [1, 1, 0]


def test_texts_are_compared_for_equality() -> None:
    rows = [{"signed_by": "Ada"}, {"signed_by": "Bo"}, {"signed_by": "Cleo", "line_manager": "Bo"}]

    assert on_claims("signed_by == line_manager", *rows) == [1, 0, 0]
    assert on_claims("signed_by != line_manager", *rows) == [0, 1, 1]
    assert on_claims("signed_by in ['Bo', 'Cleo']", *rows) == [0, 1, 1]
    assert on_claims("line_manager == 'Ada'", *rows) == [1, 1, 0]


def test_times_and_dates() -> None:
    rows = [
        {"handed_in_at": minute("2026-03-06 00:00"), "trip_end": day("2026-03-06")},
        {"handed_in_at": minute("2026-03-06 23:59"), "trip_end": day("2026-03-05")},
        {"handed_in_at": minute("2026-04-07 00:00"), "trip_end": day("2026-04-02")},
    ]

    assert on_claims("date_of(handed_in_at) == trip_end", *rows) == [1, 0, 0]
    assert on_claims("minutes_between('2026-03-06 12:00', handed_in_at) == 719", *rows) == [0, 1, 0]
    assert on_claims("workdays_between(trip_end, date_of(handed_in_at), office) == 1", *rows) == [
        0,
        1,
        1,
    ]
    assert on_claims("hour_of(handed_in_at) == 23", *rows) == [0, 1, 0]
    assert on_claims("hour_of(handed_in_at) == 0", *rows)[2] == 1
    # 5 March 2026 was a Thursday.
    assert on_claims("weekday_of(trip_end) == 'Thursday'", *rows) == [0, 1, 1]
    assert on_claims("add_months(trip_end, 12) == '2027-03-06'", *rows) == [1, 0, 0]


def test_a_table_on_two_fields_is_looked_up_twice() -> None:
    formula = CLAIMS.decisions["nightly_limit"]
    assert isinstance(formula, Formula)
    pairs = [(grade, region) for grade in range(3) for region in range(2)]
    rows = [claim(grade=grade, region=region) for grade, region in pairs]

    found = evaluate_columns(formula.value, as_columns(CLAIMS, rows)).tolist()

    assert found == [120, 180, 160, 240, 300, 450]


def test_a_table_may_have_more_rows_than_numpy_chooses_from() -> None:
    labels = EnumType(tuple(f"L{number}" for number in range(200)))
    entries = tuple(Constant(WIDE, number * number) for number in range(200))
    column = Read(WIDE, "other")

    found = of_numbers(Lookup(WIDE, Read(labels, "key"), entries), key=[0, 63, 64, 199])
    mixed = of_numbers(
        Lookup(WIDE, Read(labels, "key"), (column, *entries[1:])), key=[0, 199], other=[-5, -6]
    )

    assert found == [0, 3969, 4096, 39_601]
    assert mixed == [-5, 39_601]


def test_quotients_round_halves_away_from_zero() -> None:
    half = Quotient(WIDE, Read(WIDE, "n"), Constant(WIDE, 2), 0)
    tenth = Quotient(WIDE, Read(WIDE, "n"), Constant(WIDE, 8), 1)

    numbers = [-5, -4, -3, -1, 0, 1, 3, 4, 5]
    assert of_numbers(half, n=numbers) == [-3, -2, -2, -1, 0, 1, 2, 2, 3]
    # -5/8 is -0.625, and 1/8 is 0.125: in tenths, -6 and 1.
    assert of_numbers(tenth, n=[-5, -4, 1, 4, 12]) == [-6, -5, 1, 5, 15]


def test_divisors_are_columns_too() -> None:
    node = Quotient(WIDE, Read(WIDE, "n"), Read(WIDE, "d"), 0)

    assert of_numbers(node, n=[7, -7, 7, 6, -6], d=[2, 2, 3, 4, 4]) == [4, -4, 2, 2, -2]


def test_a_number_of_more_places_is_multiplied() -> None:
    assert of_numbers(Rescale(WIDE, Read(WIDE, "n"), 2), n=[-1, 0, 12]) == [-100, 0, 1200]


def test_the_default_may_be_greater_than_every_item() -> None:
    items = ListColumn({"x": np.array([[1, 99], [5, 6]])}, np.array([0, 2]))
    element = Element(WIDE, "items", "x")
    for function, expected in (
        (AggregateFunction.MINIMUM, [50, 5]),
        (AggregateFunction.MAXIMUM, [50, 6]),
    ):
        node = Aggregate(WIDE, function, "items", 2, None, element, Constant(WIDE, 50))

        found = evaluate_columns(node, Columns(2, {}, {}, {"items": items}))

        assert found.tolist() == expected


def test_a_constant_has_a_value_on_every_row() -> None:
    assert of_numbers(Constant(WIDE, 7), n=[0, 0, 0]) == [7, 7, 7]


def test_no_rows_have_no_values() -> None:
    node = Outermost(WIDE, Extreme.MINIMUM, (Read(WIDE, "n"), Constant(WIDE, 3)))

    assert of_numbers(node, n=[]) == []
