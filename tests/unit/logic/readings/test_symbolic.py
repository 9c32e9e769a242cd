from __future__ import annotations

from datetime import date

import pytest
import z3

from sopforge.language.domain.expressions.expressions import Constant, Expression, Read
from sopforge.language.domain.expressions.operators import Calendar
from sopforge.language.domain.parsing import Scope, parse_condition
from sopforge.language.domain.values.types import DateType, NumberType, SetType
from sopforge.language.logic.readings.scalar import evaluate
from sopforge.language.logic.readings.symbolic import Symbolic, Variables, equate_terms
from sopforge.proof.dataset.mutants.expression_mistakes import derive_edits
from tests.worlds.small_models import claims, condition, parcel, value

MODEL, CLAIMS = parcel(), claims()


def is_possible(*texts: str) -> bool:
    """Return whether some row of the types meets all conditions."""
    return is_satisfiable(*(condition(MODEL, text) for text in texts))


def is_satisfiable(*conditions: Expression) -> bool:
    reading = Symbolic(Variables(z3.Context()))
    terms = [reading.build_condition(item) for item in conditions]
    solver = z3.Solver(ctx=reading.variables.context)
    solver.add(*terms, *reading.variables.limits)
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
            id="a distance and its reverse differ",
        ),
    ],
)
def test_what_no_row_meets_is_unsatisfiable(texts: list[str]) -> None:
    assert not is_possible(*texts)


CONTENTS = SetType(("Books", "Glass", "Medicine"), "nothing listed")


@pytest.mark.parametrize(("other", "is_same"), [(0b101, True), (0b100, False), (0b111, False)])
def test_sets_are_equal_where_all_their_members_are(other: int, *, is_same: bool) -> None:
    reading = Symbolic(Variables(z3.Context()))
    first, second = (reading.build_term(Constant(CONTENTS, value)) for value in (0b101, other))
    assert z3.is_true(z3.simplify(equate_terms(first, second))) is is_same


def test_a_field_of_a_set_can_have_any_members() -> None:
    reading = Symbolic(Variables(z3.Context()))
    contents, two = (
        reading.build_term(node) for node in (Read(CONTENTS, "contents"), Constant(CONTENTS, 0b101))
    )
    solver = z3.Solver(ctx=reading.variables.context)
    solver.add(*reading.variables.limits, equate_terms(contents, two))
    assert solver.check() == z3.sat


@pytest.mark.parametrize(
    ("service", "points"), [(0, 0), (1, 2), (2, 4)], ids=["Standard", "Express", "Night"]
)
def test_a_look_up_gives_the_entry_of_each_label(service: int, points: int) -> None:
    formula = MODEL.decisions["service_points"]
    reading = Symbolic(Variables(z3.Context()))
    term = reading.build_term(getattr(formula, "value"))  # noqa: B009 - a table has none
    assert isinstance(term, z3.ArithRef)
    solver = z3.Solver(ctx=reading.variables.context)

    solver.add(reading.variables.values["service"][0] == service)

    assert solver.check(term == points) == z3.sat
    assert solver.check(term != points) == z3.unsat


def test_a_choice_follows_its_condition() -> None:
    reading = Symbolic(Variables(z3.Context()))
    term = reading.build_term(value(MODEL, "2 if fragile else 1", "service_points"))
    assert isinstance(term, z3.ArithRef)
    solver = z3.Solver(ctx=reading.variables.context)

    solver.add(reading.build_condition(condition(MODEL, "fragile")))

    assert solver.check(term != 2) == z3.unsat


def test_no_condition_is_true() -> None:
    reading = Symbolic(Variables(z3.Context()))

    assert z3.is_true(reading.build_condition(None))


def test_a_field_is_one_variable_however_often_it_is_read() -> None:
    reading = Symbolic(Variables(z3.Context()))

    reading.build_condition(condition(MODEL, "weight > 1 and weight < 2 or 'Glass' in contents"))

    variables = reading.variables
    assert {name: len(found) for name, found in variables.values.items()} == {
        "weight": 1,
        "contents": 3,
    }
    assert len(variables.limits) == 4


def is_possible_claim(*texts: str) -> bool:
    """Return whether some claim of the types meets all conditions."""
    return is_satisfiable(*(condition(CLAIMS, text) for text in texts))


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(["count(i for i in lines) == 4"], id="a full list"),
        pytest.param(["sum(i.amount for i in lines) == 2400"], id="the dearest list"),
        pytest.param(
            ["count(i for i in lines) == 0", "min((i.amount for i in lines), default=7) == 7"],
            id="the default of none",
        ),
        pytest.param(
            ["count(i for i in lines) == 1", "max((i.amount for i in lines), default=700) < 700"],
            id="no default with an item",
        ),
        pytest.param(
            ["count(i for i in lines) == 0", "all(i.has_receipt for i in lines)"], id="all of none"
        ),
        pytest.param(
            [
                "average((i.amount for i in lines), places=1, default=0) == 0.1",
                "sum(i.amount for i in lines) == 0.05",
            ],
            id="the mean is rounded up at the half",
        ),
        pytest.param(["signed_by != 'Ada'", "signed_by != 'Bo'"], id="the third text of a pool"),
        pytest.param(["signed_by != line_manager"], id="two texts differ"),
        pytest.param(["voucher == claim_id"], id="texts of two patterns are not looked into"),
        pytest.param(["date_of(handed_in_at) == '2026-06-30'"], id="the last day"),
        pytest.param(
            ["hour_of(handed_in_at) == 23", "weekday_of(date_of(handed_in_at)) == 'Sunday'"],
            id="late on a Sunday",
        ),
        pytest.param(
            ["add_months(trip_end, 1) == '2026-02-28'", "trip_end > '2026-01-28'"], id="clamped"
        ),
        pytest.param(
            ["workdays_between(trip_end, '2026-04-07', office) == 1", "trip_end == '2026-04-02'"],
            id="over a holiday",
        ),
        pytest.param(["abs(payable) == 12", "payable < 0"], id="without the sign"),
        pytest.param(["round(payable / 8, 1) == -0.7", "payable == -5.20"], id="-0.65 is -0.7"),
        pytest.param(["min(payable, total) == 3", "max(payable, total) == 4"], id="both ends"),
        pytest.param(
            ["not present(earlier_claims)", "count(c for c in earlier_claims) > 0"],
            id="a missing list is free",
        ),
    ],
)
def test_what_some_claim_meets_is_satisfiable(texts: list[str]) -> None:
    assert is_possible_claim(*texts)


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(["count(i for i in lines) > 4"], id="more items than fit"),
        pytest.param(["sum(i.amount for i in lines) > 2400"], id="more than all can cost"),
        pytest.param(
            ["count(i for i in lines) == 0", "sum(i.amount for i in lines) != 0"], id="none costs"
        ),
        pytest.param(
            [
                "any(i.amount > 100 for i in lines)",
                "max((i.amount for i in lines), default=0) < 100",
            ],
            id="one is above the greatest",
        ),
        pytest.param(
            ["any(i.kind == 'Meal' for i in lines)", "all(i.kind != 'Meal' for i in lines)"],
            id="some and none",
        ),
        pytest.param(
            [
                "count(i for i in lines if 'Tip' in i.extras) == 2",
                "count(i for i in lines if count(i.extras) > 0) < 2",
            ],
            id="sets of items",
        ),
        pytest.param(
            ["signed_by != 'Ada'", "signed_by != 'Bo'", "signed_by != 'Cleo'"], id="none of a pool"
        ),
        pytest.param(
            ["signed_by == 'Ada'", "line_manager == 'Bo'", "signed_by == line_manager"],
            id="two texts are one",
        ),
        pytest.param(
            ["date_of(handed_in_at) == '2026-03-06'", "handed_in_at >= '2026-03-07 00:00'"],
            id="midnight is the next day",
        ),
        pytest.param(["add_months(trip_end, 1) == '2026-03-30'"], id="there is no 30 February"),
        pytest.param(
            ["trip_end == '2026-03-06'", "weekday_of(trip_end) != 'Friday'"], id="it is a Friday"
        ),
        pytest.param(
            [
                "'2026-03-06 00:00' <= handed_in_at < '2026-03-06 12:00'",
                "hour_of(handed_in_at) >= 12",
            ],
            id="noon is at 12",
        ),
        pytest.param(
            ["trip_end == '2026-04-03'", "workdays_between(trip_end, '2026-04-06', office) > 0"],
            id="nobody works over the holidays",
        ),
        pytest.param(
            [
                "minutes_between('2026-03-06 12:00', handed_in_at) == 60",
                "handed_in_at < '2026-03-06 13:00'",
            ],
            id="an hour is 60 minutes",
        ),
        pytest.param(["round(payable / 8, 1) == -0.6", "payable == -5.20"], id="away from zero"),
    ],
)
def test_what_no_claim_meets_is_unsatisfiable(texts: list[str]) -> None:
    assert not is_possible_claim(*texts)


@pytest.mark.parametrize(("grade", "region", "limit"), [(0, 0, 120), (1, 1, 240), (2, 0, 300)])
def test_a_table_on_two_fields_is_looked_up_twice(grade: int, region: int, limit: int) -> None:
    formula = CLAIMS.decisions["nightly_limit"]
    reading = Symbolic(Variables(z3.Context()))
    term = reading.build_term(getattr(formula, "value"))  # noqa: B009 - a table has none
    assert isinstance(term, z3.ArithRef)
    solver = z3.Solver(ctx=reading.variables.context)

    values = reading.variables.values
    solver.add(values["grade"][0] == grade, values["region"][0] == region)

    assert solver.check(term == limit) == z3.sat
    assert solver.check(term != limit) == z3.unsat


def test_a_list_has_a_length_and_a_variable_per_place_and_field() -> None:
    reading = Symbolic(Variables(z3.Context()))

    reading.build_condition(
        condition(CLAIMS, "any(i.has_receipt and 'Tip' in i.extras for i in lines)")
    )

    assert list(reading.variables.lengths) == ["lines"]
    assert {name: len(found) for name, found in reading.variables.values.items()} == {
        f"lines[{place}].{part}": count
        for place in range(4)
        for part, count in (("has_receipt", 1), ("extras", 2))
    }


def test_equal_texts_have_equal_numbers_in_all_fields() -> None:
    variables = Variables(z3.Context())

    assert variables.encode_atom("Ada") == variables.encode_atom("Ada")
    assert variables.encode_atom("Ada") != variables.encode_atom("Bo")
    assert variables.encode_atom(7) == 7


JANUARY = DateType(*(date(2026, 1, day).toordinal() for day in (1, 31)))
SCOPE = Scope(
    fields={
        "start": JANUARY,
        "end": JANUARY,
        "hours": NumberType(0, 100),
        "last": DateType(*(date(9999, month, 1).toordinal() for month in (10, 11))),
    },
    constants={},
    optional=frozenset(),
    calendars={"office": Calendar("office", ())},
)
MISTAKEN: dict[str, tuple[str, dict[str, date | int]]] = {
    "a day further on": (
        "add_months(add_months(start, 2), 1) == '2026-04-30'",
        {"start": date(2026, 1, 31)},
    ),
    "more days than workdays": (
        "round(hours / max(workdays_between(start, end, office), 1), 0) == 5",
        {"start": date(2026, 1, 1), "end": date(2026, 1, 31), "hours": 100},
    ),
    "a month further on than the calendar": (
        "add_months(last, 1) == '9999-12-01'",
        {"last": date(9999, 11, 1)},
    ),
}


@pytest.mark.parametrize("name", MISTAKEN)
def test_a_mistake_is_solved_as_it_is_evaluated(name: str) -> None:
    """Its types are those of the model without it, which its values may leave."""
    text, given = MISTAKEN[name]
    row = {key: it.toordinal() if isinstance(it, date) else it for key, it in given.items()}
    edits = list(derive_edits(parse_condition(text, SCOPE)))
    assert edits
    for edit in edits:
        reading = Symbolic(Variables(z3.Context()))
        is_met = reading.build_condition(edit.wrong)
        solver = z3.Solver(ctx=reading.variables.context)
        solver.add(*reading.variables.limits)
        for key, known in row.items():
            solver.add(reading.build_term(Read(SCOPE.fields[key], key)) == known)
        expected = z3.sat if evaluate(edit.wrong, row) else z3.unsat
        assert solver.check(is_met) == expected, edit.words
