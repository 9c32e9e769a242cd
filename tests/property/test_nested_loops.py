"""Loops in loops: what their counts are over is the same in each reading, on every course."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest

from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.readings.scalar import evaluate, holds
from sopforge.language.logic.walking import collect_outcomes
from sopforge.proof.dataset.coverage.goals.goals import make_mutant_goals
from sopforge.proof.dataset.coverage.noticing import Noticing
from sopforge.proof.dataset.mutants.mutants import derive_mutants
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.bulk import as_columns
from sopforge.proof.solving.comparing.beside import Comparison
from sopforge.proof.solving.unfolded_columns import ColumnUnfolder
from sopforge.proof.solving.unfolding import derive_outcomes, unfold
from tests.generators.nested_loops import COURSES, make_nested
from tests.judges.document_walker import walk_document
from tests.judges.reference_interpreter import Natural
from tests.judges.walked_mistakes import Walked
from tests.worlds.read_models import list_unread, read_model

COUNT = 40
MUTANTS = 30
Row = Mapping[str, Value | None]


def list_rows() -> list[dict[str, Value | None]]:
    """Return every course that a case can take."""
    return [{"case_id": f"C00000{n}", "n": n, "colour": None} for n in range(COURSES)]


def walk(document: Mapping[str, Any], row: Row) -> list[str]:
    record: dict[str, Natural | None] = {
        "case_id": str(row["case_id"]),
        "n": Fraction(str(row["n"])),
    }
    return walk_document(document, record).path


@pytest.mark.parametrize("number", range(COUNT))
def test_each_reading_counts_as_the_document_says(number: int) -> None:
    model, document = make_nested(number)
    places, rows = unfold(model), list_rows()
    outcomes = derive_outcomes(model, places)
    unfolder = ColumnUnfolder(as_columns(model, rows), model)
    columns = unfolder.merge_at_ends(tuple(unfolder.unfold()), outcomes)
    text = render_sop(model, "")
    read = read_model(model, text)
    assert read.unread == list_unread(text)
    for place, row in enumerate(rows):
        expected = walk(document, row)

        done = label_row(model, row)

        assert done.path == expected
        colour = collect_outcomes(model, done)["colour"]
        assert evaluate(outcomes["colour"].value, row) == colour
        assert np.broadcast_to(columns["colour"].value, COURSES)[place] == colour
        come_to = {item.step.id for item in places if holds(item.reached, row)}
        assert come_to == {node for node in expected if node in model.steps}
        assert label_row(read.model, row).path[-1] == expected[-1]


@pytest.mark.parametrize("number", range(0, COUNT, 5))
def test_a_wrong_count_is_noticed_where_a_walk_differs(number: int) -> None:
    model, _ = make_nested(number)
    rows = list_rows()
    comparison = Comparison(model, partial(ColumnUnfolder, as_columns(model, rows)))
    noticing = Noticing(model)
    mutants = [item for item in derive_mutants(model) if "edge" in item.id or "loops" in item.id]
    # Each repeat has mistakes of its own, up to 800: some of them, from all over, show the same.
    for goal in make_mutant_goals(mutants[:: max(1, len(mutants) // MUTANTS)]):
        (wrong,) = goal.wrong
        found = comparison.compare(wrong)
        measures = (found.primary, found.outcomes, found.trajectory)
        notice = noticing.derive_notice(goal)
        conditions = (notice.primary, notice.outcomes, notice.trajectory)
        for place, row in enumerate(rows):
            expected = Walked(model, row).noticed(wrong)
            columns = tuple(bool(np.broadcast_to(item, COURSES)[place]) for item in measures)
            assert columns == expected, goal.id
            assert tuple(map(partial(holds, row=row), conditions)) == expected, goal.id


def test_the_readings_differ_where_a_loop_is_entered_again() -> None:
    differing = 0
    for number in range(COUNT):
        _, document = make_nested(number)
        other = deepcopy(document)
        for step in _iterate_steps(other):
            for edge in step.get("edges", []):
                if edge.get("counts") == "visit":
                    edge["counts"] = "case"
        differing += any(walk(document, row) != walk(other, row) for row in list_rows())
    assert differing > COUNT / 10


def _iterate_steps(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    procedure = document["procedure"]
    parts = [procedure, *procedure.get("parts", {}).values()]
    return [step for part in parts for step in part["steps"].values()]
