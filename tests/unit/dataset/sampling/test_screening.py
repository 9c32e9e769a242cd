"""Screening by columns says of each row what walking it would say."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from sopforge.language.domain.model import DomainModel
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.sampling import sample_columns, sample_rows
from sopforge.proof.dataset.sampling.screening import (
    ByColumns,
    Walking,
    choose_screening,
    screen_rows,
)
from tests.worlds.small_models import claims, condition, orders, parcel, warranty

INTAKE = load_brief(Path(__file__).parents[4] / "briefs" / "patient_intake.yaml").model
PARCEL = parcel()
OLD = "{id: C2, otherwise: plain}"
MODELS = {
    "intake": INTAKE,
    "claims": claims(),
    "orders": orders(),
    "parcel": PARCEL,
    "warranty": warranty(),
    "a constraint": replace(PARCEL, constraints=(condition(PARCEL, "weight >= 20"),)),
    "a gap": parcel((OLD, "{id: C2, when: weight < 20, then: plain}")),
    "gaps at a step that some edges lead to": orders(
        ("{id: R3, otherwise: held}", "{id: R3, when: open_amount > 6000, then: held}"),
        ("{id: N2, otherwise: no credit}", "{id: N2, when: amount > 2000, then: no credit}"),
    ),
    "nothing can go wrong": replace(
        PARCEL,
        constraints=(),
        tools={name: replace(tool, guard=None) for name, tool in PARCEL.tools.items()},
    ),
    "refusals without an edge": orders(("refused: {unknown_record: no_customer}", "refused: {}")),
}


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_columns_say_what_walking_says(model: DomainModel) -> None:
    columns = sample_columns(model, 11, range(1_500))
    by_columns = choose_screening(model)

    assert isinstance(by_columns, ByColumns)
    assert by_columns.judge_rows(columns) == Walking(model).judge_rows(columns)


def test_every_row_may_become_a_task_or_has_a_reason() -> None:
    """In kilograms: from 20 on a row is held back by the constraint, below 1 by no rule."""
    gap = parcel((OLD, "{id: C2, when: weight >= 1, then: plain}"))
    model = replace(gap, constraints=(condition(gap, "weight < 20"),))
    rows = sample_rows(model, 11, range(3_000))
    heavy = [row for row in rows if isinstance(row["weight"], int) and row["weight"] >= 2_000]

    found = screen_rows(model, 11, range(3_000))

    assert found.rejected["a constraint does not hold"] == len(heavy)
    assert found.rejected["no rule applies of care"] > 0
    assert len(found.paths) + sum(found.rejected.values()) == 3_000
    assert list(found.paths) == sorted(found.paths)
    for number in list(found.paths)[:200]:
        walk = label_row(model, rows[number])
        assert tuple(walk.path) == found.paths[number]
        assert not walk.undecided
        assert walk.refusal is None


def test_a_procedure_that_is_too_long_to_be_unfolded_is_walked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    by_columns = screen_rows(INTAKE, 11, range(600))
    monkeypatch.setattr("sopforge.proof.solving.unfolded_places.MOST_PLACES", 1)

    assert isinstance(choose_screening(INTAKE), Walking)
    assert screen_rows(INTAKE, 11, range(600)) == by_columns


def test_paths_are_counted_alike_whichever_rows_are_screened_beside_them() -> None:
    whole = screen_rows(INTAKE, 11, range(2_000))
    parts = [screen_rows(INTAKE, 11, range(start, start + 500)) for start in range(0, 2_000, 500)]

    assert dict(whole.paths) == {k: path for part in parts for k, path in part.paths.items()}
    assert whole.rejected == sum((Counter(part.rejected) for part in parts), Counter())
