"""What a task's text says, and that its inputs can be read from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_brief
from sopforge.language.domain.values.types import BooleanType, ListType
from sopforge.proof.dataset.coverage.drawing import redraw
from sopforge.proof.dataset.sampling.rows import DrawnRow
from sopforge.proof.dataset.tasks.task_texts import parse_task_text, render_task_text
from sopforge.proof.dataset.tasks.writing import as_task
from tests.worlds.small_models import claims, orders, parcel

MODEL = parcel()
CELLS = {
    "parcel_id": "PX00009",
    "weight": "5.00",
    "fragile": "no",
    "sent_on": "2026-03-01",
    "contents": "Glass; Medicine",
}
NOTE = (
    "Note of a call (Release of Parcels): The caller reports a new case."
    ' The parcel id is "PX00009". The weight is 5.00 kg. Fragile: "no".'
    ' The day of dispatch is 2026-03-01. The contents are "Glass; Medicine".'
    " The caller asks for the results."
)
TICKET = """New ticket: Release of Parcels

Please take on the case with the parcel id "PX00009", the weight 5.00 kg, fragile "no",\
 the day of dispatch 2026-03-01 and the contents "Glass; Medicine".\
 Close the ticket with the results."""
EMAIL = """Subject: Release of Parcels

Hello,

here is a new case for you:

- parcel id: PX00009
- weight: 5.00 kg
- fragile: no
- day of dispatch: 2026-03-01
- contents: Glass; Medicine

Please handle it by the procedure and send me the results.

Thank you"""
FORM = """Request form: Release of Parcels

Parcel id (number): PX00009
Weight: 5.00 kg
Fragile (whether it breaks easily): no
Day of dispatch (day): 2026-03-01
Contents: Glass; Medicine"""
FRAGILE = "fragile: {role: input, type: boolean, description: whether it breaks easily"
CLAUSES = "said: {yes: the parcel breaks easily, no: the parcel does not break easily}"
BRIEF = Path(__file__).parents[4] / "briefs" / "patient_intake.yaml"


def rental() -> DomainModel:
    """Return a model whose inputs are of every other kind: lists, free texts, missing values."""
    field = "        fragile: {role: input, type: boolean, description: whether it breaks easily}\n"
    remark = "        remark: {role: input, type: string, description: what was said,"
    remark += """ free_text: ['He said "no".', Fine, Fine.]}\n"""
    points = "        points: {role: input, type: integer, min: -9, max: 9, unit: points,"
    points += " missing: not counted, description: points}\n"
    days = "        delay: {role: input, type: integer, min: 0, max: 9, unit: days,"
    days += " description: delay so far}\n"
    items = (
        "        damages: {role: input, type: list, size: 2, empty: no damage, description: harm,"
        " items: {part: {type: enum, values: [Lid, Box], description: part}}}\n"
    )
    return parcel((field, field + remark + points + days + items))


OTHER = {
    **CELLS,
    "remark": 'He said "no".',
    "points": "not counted",
    "delay": "1",
    "damages": '[{"part": "Lid"}]',
}


def one_of_each(model: DomainModel, cells: dict[str, str]) -> dict[str, str]:
    """Return a text in every wording, by the task's id."""
    texts = {f"task-{n}": render_task_text(model, f"task-{n}", cells) for n in range(40)}
    tasks = {text: task for task, text in texts.items()}
    assert len(tasks) == 4
    return {task: text for text, task in tasks.items()}


def test_every_wording_is_written_as_by_hand() -> None:
    assert set(one_of_each(MODEL, CELLS).values()) == {EMAIL, NOTE, FORM, TICKET}


@pytest.mark.parametrize(
    ("cell", "said"),
    [("yes", "The parcel breaks easily."), ("no", "The parcel does not break easily.")],
)
def test_notes_and_tickets_have_the_clause_of_an_answer(cell: str, said: str) -> None:
    model, cells = parcel((FRAGILE, f"{FRAGILE}, {CLAUSES}")), {**CELLS, "fragile": cell}
    texts = one_of_each(model, cells)
    (note,) = (text for text in texts.values() if text.startswith("Note of a call"))

    (ticket,) = (text for text in texts.values() if text.startswith("New ticket"))

    assert note == NOTE.replace('Fragile: "no".', said)
    after = f'"Glass; Medicine". {said} Close'
    assert ticket == TICKET.replace(' fragile "no",', "").replace('"Glass; Medicine". Close', after)
    assert all(parse_task_text(model, task, text) == cells for task, text in texts.items())


def test_units_stand_in_the_singular_and_words_for_nothing_without_a_unit() -> None:
    texts = one_of_each(rental(), OTHER).values()

    assert all("1 day" in text and "1 days" not in text for text in texts)
    assert all("not counted points" not in text for text in texts)
    assert any('The remark is "He said "no"."' in text for text in texts)
    assert any('The damages are (1) part: "Lid".' in text for text in texts)
    assert any("Damages (harm): (1) part: Lid" in text for text in texts)


CHANGES = {
    "as above": {},
    "others": {"points": "-3", "delay": "0", "damages": "no damage"},
    "a text that begins another": {"points": "1", "remark": "Fine"},
    "the other text": {"remark": "Fine.", "contents": "nothing listed"},
    "blanks and dots": {"parcel_id": " PX-1."},
}


@pytest.mark.parametrize("changes", CHANGES.values(), ids=CHANGES)
def test_the_cells_are_read_back_from_every_wording(changes: dict[str, str]) -> None:
    model, cells = rental(), {**OTHER, **changes}

    for task, text in one_of_each(model, cells).items():
        assert parse_task_text(model, task, text) == cells


DAMAGES = (
    "        damages: {role: input, type: list, size: 3, empty: no damage, description: harm,"
    " items: {part: {type: enum, values: [Lid, Lid (upper), Box], description: part},"
    " cost: {label: cost of repair, type: number, places: 2, min: -9.00, max: 9.00, unit: EUR,"
    " description: cost}, seen: {type: date, min: 2026-01-01, max: 2026-12-31, description: day},"
    " wet: {type: boolean, description: whether it is wet}}}\n"
)
"""Damages of every kind of value, one of which begins another."""
LISTED = """[{"part": "Lid (upper)", "cost": 1.0, "seen": "2026-03-01", "wet": "no"},\
 {"part": "Lid", "cost": -2.5, "seen": "2026-03-02", "wet": "yes"}]"""
ENTRIES = """(1) part: Lid (upper), cost of repair: 1.00 EUR, seen: 2026-03-01, wet: no;\
 (2) part: Lid, cost of repair: -2.50 EUR, seen: 2026-03-02, wet: yes"""


def test_a_list_is_stated_entry_by_entry() -> None:
    field = "        fragile: {role: input, type: boolean, description: whether it breaks easily}\n"
    model, cells = parcel((field, field + DAMAGES)), {**CELLS, "damages": LISTED}
    texts = one_of_each(model, cells)

    assert sum(ENTRIES in text for text in texts.values()) == 2
    assert all("[{" not in text for text in texts.values())
    for task, text in texts.items():
        assert parse_task_text(model, task, text) == cells
        assert parse_task_text(model, task, text.replace("-2.50", "-2.05")) != cells
        assert parse_task_text(model, task, text.replace("(upper)", "(lower)")) is None


def test_a_list_of_free_texts_is_stated_as_json() -> None:
    field = "        fragile: {role: input, type: boolean, description: whether it breaks easily}\n"
    pattern = 'mark: {type: string, pattern: "[A-Z]{2}", description: mark}'
    damages = DAMAGES.replace("items: {", f"items: {{{pattern}, ", 1)
    listed = LISTED.replace('{"part"', '{"mark": "AB", "part"')
    model, cells = parcel((field, field + damages)), {**CELLS, "damages": listed}

    for task, text in one_of_each(model, cells).items():
        assert listed in text
        assert parse_task_text(model, task, text) == cells


@pytest.mark.parametrize(
    ("old", "new"),
    [("5.00", "5"), ("PX00009", ""), ("Medicine", "Toys"), ("no", "none"), ("arcel id", "umber")],
)
def test_a_text_that_states_a_cell_otherwise_is_not_read_as_it(old: str, new: str) -> None:
    for task, text in one_of_each(MODEL, CELLS).items():
        assert parse_task_text(MODEL, task, text.replace(old, new)) != CELLS


@pytest.mark.parametrize(
    "model",
    [
        pytest.param(MODEL, id="parcel"),
        pytest.param(claims(), id="everything"),
        pytest.param(orders(), id="orders"),
        pytest.param(
            read_brief(BRIEF.read_text(encoding="utf-8"), BRIEF.name).model, id="patient intake"
        ),
    ],
)
def test_sampled_tasks_of_every_domain_can_be_read_back(model: DomainModel) -> None:
    rows = [DrawnRow(f"task-{number}", f"fill:{number}", number, {}) for number in range(150)]
    tasks = [as_task(model, drawn, 20) for drawn in redraw(model, 5, rows)]

    assert [parse_task_text(model, task.id, task.text) for task in tasks] == [
        dict(task.inputs) for task in tasks
    ]
    for task in tasks:
        kinds = {name: model.fields[name].type for name in task.inputs}
        # A list stands entry by entry, and an answer may stand as a clause.
        others = [name for name, kind in kinds.items() if isinstance(kind, BooleanType | ListType)]
        assert all(cell in task.text or x in others for x, cell in task.inputs.items())
