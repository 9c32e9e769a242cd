"""Procedures with parts, made at random: each reading says what walking the document says."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.readings.scalar import evaluate, holds
from sopforge.language.logic.walking import Walk, collect_outcomes
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.bulk import as_columns
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.solving.paths import find_paths
from sopforge.proof.solving.unfolded_columns import ColumnUnfolder
from sopforge.proof.solving.unfolding import derive_outcomes, unfold
from tests.generators.procedures import make_procedure
from tests.generators.scopes import natural
from tests.judges.document_walker import walk_document
from tests.judges.reference_interpreter import Natural
from tests.worlds.read_models import list_unread, read_model

COUNT = 40
Row = Mapping[str, Value | None]


def record_of(model: DomainModel, row: Row) -> dict[str, Natural | None]:
    """Return a row as people have it."""
    names = ("case_id", "a", "b", "n", "p", "q")
    return {name: natural(model.fields[name].type, row[name]) for name in names}


def answers_of(model: DomainModel, walk: Walk) -> dict[str, str]:
    found = collect_outcomes(model, walk)
    return {name: model.fields[name].format_cell(value) for name, value in found.items()}


@pytest.mark.parametrize("number", range(COUNT))
def test_a_walk_goes_as_the_document_says(number: int) -> None:
    model, document = make_procedure(number)
    for row in sample_rows(model, number, range(30)):
        expected = walk_document(document, record_of(model, row))

        done = label_row(model, row)

        assert done.path == expected.path
        assert answers_of(model, done) == {
            name: expected.known[name] for name in ("grade", "colour")
        }


@pytest.mark.parametrize("number", range(COUNT))
def test_the_unfolded_procedure_answers_as_the_walk_does(number: int) -> None:
    model, _ = make_procedure(number)
    places = unfold(model)
    outcomes = derive_outcomes(model, places)
    rows = sample_rows(model, number, range(40))
    unfolder = ColumnUnfolder(as_columns(model, rows), model)
    columns = unfolder.merge_at_ends(tuple(unfolder.unfold()), outcomes)
    for place, row in enumerate(rows):
        done = label_row(model, row)
        for name, value in collect_outcomes(model, done).items():
            assert evaluate(outcomes[name].value, row) == value
            column = columns[name].value
            assert (column[place] if column.ndim else column) == value
        come_to = {unfolded.step.id for unfolded in places if holds(unfolded.reached, row)}
        assert come_to == {node for node in done.path if node in model.steps}


@pytest.mark.parametrize("number", range(0, COUNT, 2))
def test_the_path_of_each_row_is_one_that_a_case_can_take(number: int) -> None:
    model, _ = make_procedure(number)
    found = find_paths(model, unfold(model), [], 400)
    conditions = {path.nodes: path.condition for path in found.feasible}
    assert len(conditions) == len(found.feasible)
    for row in sample_rows(model, number, range(20)):
        path = tuple(label_row(model, row).path)
        if found.is_whole:
            assert [nodes for nodes, when in conditions.items() if holds(when, row)] == [path]


@pytest.mark.parametrize("number", range(COUNT))
def test_the_text_is_read_back_and_walked_by_as_the_model_is(number: int) -> None:
    model, _ = make_procedure(number)
    document = render_sop(model, "")

    read = read_model(model, document)

    assert read.unread == list_unread(document)
    for row in sample_rows(model, number, range(20)):
        assert answers_of(read.model, label_row(read.model, row)) == answers_of(
            model, label_row(model, row)
        )
