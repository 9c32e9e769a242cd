"""A program says what the fold says, and takes only the steps that a change can reach."""

from __future__ import annotations

from sopforge.language.domain.expressions.algebra import interpret_all
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.readings.programs import Program
from sopforge.language.logic.readings.scalar import Scalar
from tests.worlds.small_models import claims, condition, parcel

TEXTS = (
    "weight > 3.00 and not fragile",
    "service == 'Express' or (fragile and weight * 2 < 9.00)",
    "weight + weight >= 8.00",
)


def row(weight: int, service: int, *, fragile: bool) -> dict[str, Value | None]:
    return {"weight": weight, "service": service, "fragile": int(fragile)}


def test_a_program_gives_what_the_fold_gives() -> None:
    model = parcel()
    conditions = [condition(model, text) for text in TEXTS]
    program = Program(conditions)
    for weight in (0, 300, 301, 400, 449, 450):
        for service in (0, 1):
            reading = Scalar(row(weight, service, fragile=weight % 2 == 0))
            values = program.run(reading)

            assert [values[step] for step in program.results] == interpret_all(conditions, reading)


def test_after_a_change_only_the_steps_that_read_the_field_are_taken_again() -> None:
    model = parcel()
    program = Program([condition(model, text) for text in TEXTS])
    values = program.run(Scalar(row(500, 0, fragile=False)))
    again = list(values)
    steps = program.list_dependent_steps({"fragile"})
    program.run_steps(Scalar(row(500, 0, fragile=True)), steps, again)

    assert [values[step] for step in program.results] == [1, 0, 1]
    assert [again[step] for step in program.results] == [0, 0, 1]
    assert program.results[2] not in steps
    assert all("fragile" in program.fields[step] for step in steps)


def test_what_is_inside_of_an_aggregate_is_worked_out_with_it() -> None:
    model = claims()
    program = Program([condition(model, "count(i for i in lines) > 1")])

    assert program.fields[program.results[0]] == {"lines"}
    assert program.list_dependent_steps({"amount"}) == []
