"""Texts that presuppose something stand only where it holds, however a row is made."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from sopforge.errors import MaterialError
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.language.logic.readings.scalar import holds
from sopforge.proof.dataset.coverage.drawing import draw_tasks
from sopforge.proof.dataset.coverage.goal_rows import GoalRows
from sopforge.proof.dataset.coverage.written_rows import UNFIT, WrittenRows
from sopforge.proof.dataset.sampling.candidates import Candidate
from sopforge.proof.dataset.sampling.placing import Places
from sopforge.proof.dataset.sampling.sampling import sample_rows

FEES = (Path(__file__).parents[3] / "briefs" / "fees.yaml").read_text(encoding="utf-8")
NOTE = """\
        note:
          role: input
          type: string
          free_text: TEXTS
          description: what the reader says
"""
PLAIN, LATE, FILM = "Thank you.", "I am sorry that it is late.", "The disc was in the player."
TEXTS = [PLAIN, {"text": LATE, "when": "days_late > 0"}, {"text": FILM, "when": "kind == 'Film'"}]


def read(texts: Sequence[object], **changes: str) -> Brief:
    note = NOTE.replace("TEXTS", json.dumps(texts))
    text = FEES.replace("        kind:", f"{note}        kind:", 1)
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new, 1)
    return read_brief(text, "fees.yaml")


def model_of(texts: Sequence[object], **changes: str) -> DomainModel:
    return read(texts, **changes).model


def is_right(row: object, model: DomainModel) -> bool:
    """Return whether the text of a row is true, by hand."""
    assert isinstance(row, dict)
    is_film = row["kind"] == model.fields["kind"].parse("Film")
    return bool({PLAIN: True, LATE: row["days_late"] > 0, FILM: is_film}[row["note"]])


def test_drawn_texts_are_true_and_all_that_are_true_are_drawn_alike() -> None:
    model = model_of(TEXTS)
    rows = sample_rows(model, 3, range(6000))

    assert all(is_right(row, model) for row in rows)
    films = Counter(str(row["note"]) for row in rows if is_right({**row, "note": FILM}, model))
    late = films[LATE] / sum(films.values())
    # A film that is late, as 40 of 41 are, has each of the three texts a third of the time.
    assert late == pytest.approx(40 / 41 / 3, abs=0.03)
    assert films[FILM] / sum(films.values()) == pytest.approx(1 / 3, abs=0.03)


def test_the_text_of_every_task_is_true_also_of_those_made_for_a_goal() -> None:
    brief = read(TEXTS)
    tasks = draw_tasks(brief.model, brief.parts.dataset).tasks

    assert any(task.key.startswith("goal:") for task in tasks)
    assert all(is_right(dict(task.row), brief.model) for task in tasks)
    assert len({task.row["note"] for task in tasks}) == 3


def test_what_holds_of_every_row_excludes_a_text_that_is_not_true() -> None:
    model = model_of(TEXTS)
    row = next(row for row in sample_rows(model, 3, range(99)) if row["days_late"] == 0)

    assert all(holds(test, row) for test in model.row_conditions)
    assert not all(holds(test, {**row, "note": LATE}) for test in model.row_conditions)
    assert model.constraints == ()


def test_a_missing_value_bears_no_text_out() -> None:
    shelf = (
        "        shelf: {role: input, type: integer, min: 0, max: 3, missing: no shelf, "
        "missing_share: 50, description: shelf}\n        kind:"
    )
    text = {"text": LATE, "when": "shelf == 0"}
    model = model_of([PLAIN, text], **{"        kind:": shelf})
    rows = sample_rows(model, 3, range(900))

    late = [row["shelf"] for row in rows if row["note"] == LATE]
    assert set(late) == {0}
    assert {row["shelf"] for row in rows} == {None, 0, 1, 2, 3}
    bare = next(row for row in rows if row["shelf"] is None)
    assert all(holds(test, bare) for test in model.row_conditions)
    assert not all(holds(test, {**bare, "note": LATE}) for test in model.row_conditions)


@pytest.mark.parametrize(
    ("texts", "code"),
    [
        ([TEXTS[1], TEXTS[2]], "no-plain-text"),
        ([PLAIN, {"text": LATE, "when": "days_late >"}], "syntax-error"),
        ([PLAIN, {"text": LATE, "when": "lateness == 'charged'"}], "drawn-later"),
        ([PLAIN, {"text": LATE, "when": "note == 'x'"}], ""),
        ([PLAIN, {"text": LATE}], ""),
    ],
)
def test_what_cannot_be_presupposed_is_refused(texts: Sequence[object], code: str) -> None:
    with pytest.raises(MaterialError) as caught:
        read(texts)
    assert code in {fault.code for fault in caught.value.faults} or not code
    assert any("note" in f"{fault.where}{fault.message}" for fault in caught.value.faults)


def test_a_written_row_with_a_text_that_is_not_true_is_no_task() -> None:
    model = model_of(TEXTS)
    rows = WrittenRows(GoalRows(model, Places(model, 7)))
    cells = {"kind": "Book", "days_late": "0", "note": LATE}

    assert rows.build_candidate(cells) == UNFIT
    assert isinstance(rows.build_candidate({**cells, "days_late": "4"}), Candidate)
