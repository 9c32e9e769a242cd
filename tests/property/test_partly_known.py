"""A read of what only some paths make known is accepted just where no case comes to it unknowing.

Models are small enough to walk each of their cases, by the document alone. Where the check finds
nothing, no case reads what it does not know, and all readings give each case the same answer,
whatever stands for the values that it does not know; a model with a mistake, which may read them,
is answered alike by all as well. Where it finds something, the case that it shows comes by the path
that it shows to such a read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial

import numpy as np
import pytest

from sopforge.findings import Finding
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.procedure.known_fields import find_partly_known_fields
from sopforge.language.domain.reading import read_domain
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.readings.scalar import evaluate
from sopforge.language.logic.readings.vector import evaluate_all
from sopforge.proof.dataset.mutants.mutants import derive_mutants
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.bulk import as_columns
from sopforge.proof.solving.comparing.beside import Comparison
from sopforge.proof.solving.examining.known_values import examine_known_values
from sopforge.proof.solving.unfolded_columns import ColumnUnfolder
from sopforge.proof.solving.unfolding import Unfolder, derive_answers, unfold
from tests.generators.partly_known import list_rows, make_document, write_document
from tests.judges.agreement import as_stored
from tests.judges.document_walker import DocumentWalk, walk_document
from tests.judges.reference_interpreter import Natural
from tests.judges.walked_mistakes import Walked

NUMBERS = range(60)
ROWS = list(list_rows())
EVIDENCE = re.compile(r"^(?:any case|(?P<cells>.*?))(?:; path: (?P<path>.*))?$")


@cache
def make(number: int) -> tuple[DomainModel, list[DocumentWalk]]:
    document = make_document(number)
    model = read_domain(write_document(document), "partly_known.yaml")
    return model, [walk_document(document["model"], row) for row in ROWS]


def store(model: DomainModel, row: Mapping[str, Natural]) -> dict[str, Value | None]:
    return {name: as_stored(model.fields[name].type, value) for name, value in row.items()}


def find_matching(model: DomainModel, cells: str) -> list[int]:
    """Return the numbers of the rows that have all values of the evidence."""
    wanted = dict(part.split(" = ", 1) for part in cells.split(", ")) if cells else {}
    wanted.pop("k", None)
    return [
        number
        for number, row in enumerate(ROWS)
        if all(
            model.fields[name].format_cell(as_stored(model.fields[name].type, row[name])) == cell
            for name, cell in wanted.items()
        )
    ]


@pytest.mark.parametrize("number", NUMBERS)
def test_a_finding_is_there_just_where_a_case_reads_what_it_does_not_know(number: int) -> None:
    model, walks = make(number)

    found = examine_known_values(model)

    met = {(item.where.rpartition(".")[2], _name(item)) for item in found}
    assert {(walk.steps[-1], walk.unknown) for walk in walks if walk.unknown} <= met
    assert bool(found) == any(walk.unknown for walk in walks)
    for item in found:
        assert item.id == "value-not-known"
        parts = EVIDENCE.match(item.evidence)
        assert parts is not None
        shown = (parts["path"] or "").split(" > ")
        numbers = find_matching(model, parts["cells"] or "")
        assert numbers
        for place in numbers:
            assert walks[place].unknown
            assert shown[: len(walks[place].steps)] == walks[place].steps


@pytest.mark.parametrize("number", NUMBERS)
def test_what_stands_for_the_unknown_decides_nothing_in_a_sound_model(number: int) -> None:
    model, walks = make(number)
    if examine_known_values(model):
        return
    rows = [store(model, row) for row in ROWS]
    right = [as_stored(model.primary.type, walk.known["out"]) for walk in walks]
    paths = [walk.steps for walk in walks]

    labelled = [label_row(model, row) for row in rows]

    assert [[node for node in done.path if "." not in node] for done in labelled] == paths
    assert [done.known["out"] for done in labelled] == right
    # Nothing, as in a walk; and what the record holds, which the case has not seen.
    for other in (model, replace(model, partly_known=frozenset())):
        answer = derive_answers(other, unfold(other))["out"].value
        assert [evaluate(answer, row) for row in rows] == right
        begin = partial(ColumnUnfolder, as_columns(model, rows))
        column = Comparison(other, begin).answers["out"].value
        assert column.tolist() == right


@pytest.mark.parametrize("number", NUMBERS[:40:2])
def test_a_mistake_that_reads_the_unknown_is_noticed_where_a_walk_with_it_differs(
    number: int,
) -> None:
    model, _ = make(number)
    if examine_known_values(model):
        return
    rows = [store(model, row) for row in ROWS[number % 9 :: 9]]
    walked = [Walked(model, row) for row in rows]
    columns = as_columns(model, rows)
    by_column = Comparison(model, partial(ColumnUnfolder, columns))
    by_condition = Comparison(model, Unfolder)
    # An edge that leads elsewhere may leave out what every path of the model makes known.
    for mutant in derive_mutants(model):
        if not find_partly_known_fields(mutant.model) <= model.partly_known:
            continue
        found = [item.noticed(mutant.model) for item in walked]
        # A walk without a rule for the case is no answer to compare with.
        walks = {place: item for place, item in enumerate(found) if item}
        notices = by_column.compare(mutant.model), by_condition.compare(mutant.model)
        asked = [notices[1].primary, notices[1].trajectory]
        by_reading = [
            [np.broadcast_to(part, (len(rows),)) for part in one]
            for one in ((notices[0].primary, notices[0].trajectory), evaluate_all(asked, columns))
        ]
        for primary, path in by_reading:
            read = [(primary[n] != 0, path[n] != 0) for n in walks]
            assert read == [(item[0], item[2]) for item in walks.values()], mutant.id


def test_many_models_are_sound_and_many_are_not_and_most_have_something_to_prove() -> None:
    models = [make(number)[0] for number in NUMBERS[:40]]
    found: list[Sequence[Finding]] = [examine_known_values(model) for model in models]

    assert len([item for item in found if item]) >= len(models) // 5
    proved = [model for model, item in zip(models, found, strict=True) if not item]
    assert len([model for model in proved if model.partly_known]) >= len(models) // 5


def _name(finding: Finding) -> str:
    return finding.message.partition(" needs '")[2].partition("'")[0]
