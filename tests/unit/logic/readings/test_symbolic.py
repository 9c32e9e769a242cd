"""What the solver knows of the types of fields; values of terms are compared with a reference."""

from __future__ import annotations

from datetime import date

import pytest
import z3

from sopforge.language.domain.expressions.expressions import Read
from sopforge.language.domain.expressions.operators import Calendar
from sopforge.language.domain.parsing import Scope, parse_condition
from sopforge.language.domain.values.types import DateType, NumberType
from sopforge.language.logic.readings.scalar import evaluate
from sopforge.language.logic.readings.solver_variables import Variables
from sopforge.language.logic.readings.symbolic import Symbolic
from sopforge.proof.dataset.mutants.expression_mistakes import derive_edits
from tests.worlds.small_models import claims, condition, parcel

PARCEL, CLAIMS = parcel(), claims()
POSSIBLE = [
    (PARCEL, ["weight == 40"]),
    (PARCEL, ["weight > 4.99", "weight < 5.01"]),
    (PARCEL, ["count(contents) == 3"]),
    (PARCEL, ["not present(due_on)", "due_on > sent_on"]),
    (PARCEL, ["sent_on == '2026-03-31'"]),
    (PARCEL, ["service not in ['Standard', 'Express']"]),
    (CLAIMS, ["count(i for i in lines) == 4", "sum(i.amount for i in lines) == 2400"]),
    (CLAIMS, ["signed_by != 'Ada'", "signed_by != 'Bo'", "signed_by != line_manager"]),
    (CLAIMS, ["voucher == claim_id"]),
    (CLAIMS, ["date_of(handed_in_at) == '2026-06-30'"]),
    (CLAIMS, ["not present(earlier_claims)", "count(c for c in earlier_claims) > 0"]),
]
IMPOSSIBLE = [
    (PARCEL, ["weight > 40"]),
    (PARCEL, ["weight > 5.00", "weight < 5.01"]),
    (PARCEL, ["count(contents) > 3"]),
    (PARCEL, ["present(due_on)", "not present(due_on)"]),
    (PARCEL, ["sent_on < '2026-01-01'"]),
    (PARCEL, ["service not in ['Standard', 'Express', 'Night']"]),
    (PARCEL, ["days_between(sent_on, due_on) != -days_between(due_on, sent_on)"]),
    (CLAIMS, ["count(i for i in lines) > 4"]),
    (CLAIMS, ["sum(i.amount for i in lines) > 2400"]),
    (CLAIMS, ["count(i for i in lines) == 0", "sum(i.amount for i in lines) != 0"]),
    (CLAIMS, ["any(i.kind == 'Meal' for i in lines)", "all(i.kind != 'Meal' for i in lines)"]),
    (CLAIMS, ["signed_by != 'Ada'", "signed_by != 'Bo'", "signed_by != 'Cleo'"]),
    (CLAIMS, ["signed_by == 'Ada'", "line_manager == 'Bo'", "signed_by == line_manager"]),
    (CLAIMS, ["trip_end == '2026-03-06'", "weekday_of(trip_end) != 'Friday'"]),
    (CLAIMS, ["add_months(trip_end, 1) == '2026-03-30'"]),
]


def test_some_row_of_the_types_meets_just_what_is_possible() -> None:
    for expected, cases in ((z3.sat, POSSIBLE), (z3.unsat, IMPOSSIBLE)):
        for model, texts in cases:
            reading = Symbolic(Variables(z3.Context()))
            terms = [reading.build_condition(condition(model, text)) for text in texts]
            solver = z3.Solver(ctx=reading.variables.context)
            solver.add(*terms, *reading.variables.limits)
            assert solver.check() == expected, texts


def test_no_condition_is_true() -> None:
    reading = Symbolic(Variables(z3.Context()))

    assert z3.is_true(reading.build_condition(None))


def test_a_field_is_one_variable_however_often_it_is_read() -> None:
    reading = Symbolic(Variables(z3.Context()))

    reading.build_condition(condition(PARCEL, "weight > 1 and weight < 2 or 'Glass' in contents"))

    variables = reading.variables
    assert {name: len(found) for name, found in variables.values.items()} == {
        "weight": 1,
        "contents": 3,
    }
    assert len(variables.limits) == 4


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
