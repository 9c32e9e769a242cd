from __future__ import annotations

import pytest
import z3

from sopforge.domain.expressions import Expression
from sopforge.logic.symbolic import Symbolic
from tests.small_models import condition, parcel, value

MODEL = parcel()


def is_possible(*texts: str) -> bool:
    """Tell whether some row of the types meets all conditions."""
    return is_satisfiable(*(condition(MODEL, text) for text in texts))


def is_satisfiable(*conditions: Expression) -> bool:
    reading = Symbolic(z3.Context())
    terms = [reading.condition(item) for item in conditions]
    solver = z3.Solver(ctx=reading.context)
    solver.add(*terms, *reading.limits)
    return solver.check() == z3.sat


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(["weight == 40"], id="the greatest weight"),
        pytest.param(["weight > 4.99", "weight < 5.01"], id="5.00 lies between"),
        pytest.param(["count(contents) == 3"], id="all three members"),
        pytest.param(["count(contents) == 1", "'Glass' in contents"], id="one member, Glass"),
        pytest.param(["not present(due_on)", "due_on > sent_on"], id="a missing value is free"),
        pytest.param(["sent_on == '2026-03-31'"], id="the last day"),
        pytest.param(["service not in ['Standard', 'Express']"], id="the third label"),
    ],
)
def test_what_some_row_meets_is_satisfiable(texts: list[str]) -> None:
    assert is_possible(*texts)


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(["weight > 40"], id="above the greatest weight"),
        pytest.param(["weight > 5.00", "weight < 5.01"], id="no weight has three places"),
        pytest.param(["count(contents) > 3"], id="more members than there are"),
        pytest.param(
            ["count(contents) == 1", "'Glass' in contents", "'Books' in contents"],
            id="one member is two",
        ),
        pytest.param(["present(due_on)", "not present(due_on)"], id="present and missing"),
        pytest.param(["sent_on < '2026-01-01'"], id="before the first day"),
        pytest.param(["service not in ['Standard', 'Express', 'Night']"], id="none of all labels"),
        pytest.param(["fragile", "not fragile"], id="yes and no"),
        pytest.param(
            ["days_between(sent_on, due_on) != -days_between(due_on, sent_on)"],
            id="a way and its way back differ",
        ),
    ],
)
def test_what_no_row_meets_is_unsatisfiable(texts: list[str]) -> None:
    assert not is_possible(*texts)


@pytest.mark.parametrize(
    ("service", "points"), [(0, 0), (1, 2), (2, 4)], ids=["Standard", "Express", "Night"]
)
def test_a_look_up_gives_the_entry_of_each_label(service: int, points: int) -> None:
    formula = MODEL.decisions["service_points"]
    reading = Symbolic(z3.Context())
    term = reading.term(getattr(formula, "value"))  # noqa: B009 - a table has none
    assert isinstance(term, z3.ArithRef)
    solver = z3.Solver(ctx=reading.context)

    solver.add(reading.variables["service"][0] == service)

    assert solver.check(term == points) == z3.sat
    assert solver.check(term != points) == z3.unsat


def test_a_choice_follows_its_condition() -> None:
    reading = Symbolic(z3.Context())
    term = reading.term(value(MODEL, "2 if fragile else 1", "service_points"))
    assert isinstance(term, z3.ArithRef)
    solver = z3.Solver(ctx=reading.context)

    solver.add(reading.condition(condition(MODEL, "fragile")))

    assert solver.check(term != 2) == z3.unsat


def test_no_condition_is_true() -> None:
    reading = Symbolic(z3.Context())

    assert z3.is_true(reading.condition(None))


def test_a_field_is_one_variable_however_often_it_is_read() -> None:
    reading = Symbolic(z3.Context())

    reading.condition(condition(MODEL, "weight > 1 and weight < 2 or 'Glass' in contents"))

    assert {name: len(found) for name, found in reading.variables.items()} == {
        "weight": 1,
        "contents": 3,
    }
    assert len(reading.limits) == 4
