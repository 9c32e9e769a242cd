"""Drawn rows find common cases and boundaries, and never one that there is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sopforge.language.domain.expressions.expressions import Not
from sopforge.proof.solving.drawn_rows import is_met_by_drawn_row
from sopforge.proof.solving.questions import NoRow, find_row
from tests.worlds.small_models import claims, condition, parcel

CLAIMS = claims()
PARCEL = parcel()


FOUND = {
    "beside a threshold": "weight == 5.01 and fragile",
    "the end of a range": "weight == 40",
    "missing, and a formula": "not present(due_on) and service_points == 4",
    "a set": "'Glass' in contents and count(contents) == 1",
    "a formula at a value": "surcharge == 1.5 * 3",
    "a text that is named": "slip_number == 'S-0815'",
}


@pytest.mark.parametrize("text", FOUND.values(), ids=FOUND)
def test_a_case_is_found_without_the_solver(text: str) -> None:
    wanted = [condition(PARCEL, "weight > 5 or weight <= 5"), condition(PARCEL, text)]
    if "surcharge" in text:
        wanted.append(condition(PARCEL, "weight == 8"))

    assert is_met_by_drawn_row(PARCEL, wanted)


NONE = {
    "outside the range": "weight > 40",
    "no value of the formula": "service_points == 3",
    "before the first day": "present(due_on) and due_on < '2026-01-01'",
}


@pytest.mark.parametrize("text", NONE.values(), ids=NONE)
def test_no_case_is_found_where_there_is_none(text: str) -> None:
    wanted = [condition(PARCEL, text)]

    assert not is_met_by_drawn_row(PARCEL, wanted)
    assert find_row(PARCEL, wanted) == NoRow()


def test_rows_satisfy_the_constraints() -> None:
    frozen = condition(CLAIMS, "frozen and count(i for i in lines) == 0")
    free = replace(CLAIMS, constraints=())

    assert is_met_by_drawn_row(free, [frozen])
    assert not is_met_by_drawn_row(CLAIMS, [frozen])


def test_lists_and_tables_are_followed() -> None:
    texts = ["any(i.kind == 'Taxi' and i.amount > 500 for i in lines)", "risk >= 5"]

    assert is_met_by_drawn_row(CLAIMS, [condition(CLAIMS, text) for text in texts])
    assert not is_met_by_drawn_row(CLAIMS, [condition(CLAIMS, "risk > 10")])


def test_a_condition_and_its_opposite_never_hold_together() -> None:
    above = condition(CLAIMS, "payable > pay_limit")

    assert not is_met_by_drawn_row(CLAIMS, [above, Not(above)])
