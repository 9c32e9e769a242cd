from __future__ import annotations

import pytest

from sopforge.language.domain.expressions.expressions import Lookup
from sopforge.language.domain.rules import Formula
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.readings.scalar import evaluate, holds
from tests.worlds.small_models import condition, day, parcel, row

MODEL = parcel()


@pytest.mark.parametrize(
    ("text", "changes", "expected"),
    [
        pytest.param("weight > free_weight", {"weight": 500}, False, id="5.00 > 5"),
        pytest.param("weight > free_weight", {"weight": 501}, True, id="5.01 > 5"),
        pytest.param("weight >= 5.00", {"weight": 500}, True, id="5.00 >= 5.00"),
        pytest.param("weight == 4.999", {"weight": 500}, False, id="three places are kept"),
        pytest.param("2 <= weight < 5", {"weight": 199}, False, id="1.99 is below the chain"),
        pytest.param("2 <= weight < 5", {"weight": 200}, True, id="2.00 is in the chain"),
        pytest.param("2 <= weight < 5", {"weight": 500}, False, id="5.00 is above the chain"),
        pytest.param("fragile", {"fragile": 1}, True, id="a flag that is set"),
        pytest.param("not fragile", {"fragile": 1}, False, id="a flag that is negated"),
        pytest.param("'Glass' in contents", {"contents": 0b010}, True, id="a member"),
        pytest.param("'Glass' in contents", {"contents": 0b101}, False, id="the other members"),
        pytest.param("count(contents) == 2", {"contents": 0b101}, True, id="two members"),
        pytest.param("count(contents) == 0", {"contents": 0}, True, id="the empty set"),
        pytest.param("service in ['Standard', 'Night']", {"service": 2}, True, id="listed"),
        pytest.param("service in ['Standard', 'Night']", {"service": 1}, False, id="not listed"),
        pytest.param("service not in ['Night']", {"service": 1}, True, id="outside a list"),
        pytest.param("present(due_on)", {"due_on": None}, False, id="missing"),
        pytest.param("present(due_on)", {"due_on": day("2026-02-28")}, True, id="present"),
        pytest.param(
            "days_between('2026-02-28', sent_on) == 1", {}, True, id="28 February to 1 March"
        ),
        pytest.param("days_between(sent_on, '2026-02-28') == -1", {}, True, id="backwards in time"),
        pytest.param("sent_on <= '2026-03-01'", {}, True, id="on the day"),
        pytest.param("sent_on < '2026-03-01'", {}, False, id="before the day"),
    ],
)
def test_condition_holds_as_worked_out_by_hand(
    text: str,
    changes: dict[str, Value | None],
    expected: bool,  # noqa: FBT001 - the claim of the example
) -> None:
    assert holds(condition(MODEL, text), row(**changes)) is expected


@pytest.mark.parametrize(
    ("weight", "ten_thousandths"),
    [
        pytest.param(500, 0, id="5.00 kg cost nothing"),
        pytest.param(501, 150, id="0.01 kg costs 0.0150"),
        pytest.param(1000, 75_000, id="5 kg cost 7.50"),
        pytest.param(0, 0, id="nothing costs nothing"),
    ],
)
def test_formula_is_exact_to_its_last_place(weight: int, ten_thousandths: int) -> None:
    formula = MODEL.decisions["surcharge"]
    assert isinstance(formula, Formula)

    assert evaluate(formula.value, row(weight=weight)) == ten_thousandths


@pytest.mark.parametrize(
    ("service", "points"),
    [
        pytest.param(0, 0, id="Standard"),
        pytest.param(1, 2, id="Express"),
        pytest.param(2, 4, id="Night"),
    ],
)
def test_look_up_gives_the_entry_of_the_label(service: int, points: int) -> None:
    formula = MODEL.decisions["service_points"]
    assert isinstance(formula, Formula)
    assert isinstance(formula.value, Lookup)

    assert evaluate(formula.value, row(service=service)) == points


def test_products_and_differences_keep_their_order() -> None:
    # 5.00 - 2 * (5.00 - 1) is -3, and (5.00 - 2) * 5.00 - 1 is 14
    assert holds(condition(MODEL, "weight - 2 * (weight - 1) == -3"), row(weight=500))
    assert holds(condition(MODEL, "(weight - 2) * weight - 1 == 14"), row(weight=500))


def test_a_missing_value_does_not_stop_the_other_operand() -> None:
    guarded = condition(MODEL, "present(due_on) and due_on < sent_on")

    assert not holds(guarded, row(due_on=None))


def test_a_field_that_is_not_in_the_row_is_missing() -> None:
    assert not holds(condition(MODEL, "present(due_on)"), {})


def test_no_condition_always_holds() -> None:
    assert holds(None, {})
