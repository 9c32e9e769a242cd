"""Whatever a row says, each part of an expression lies within its bounds, with a mistake too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

import pytest

from sopforge.language.domain.expressions.expressions import (
    Expression,
    collect_read_fields,
    list_ordered_parts,
)
from sopforge.language.domain.values.types import ListType, SetType, TextType, Value
from sopforge.language.logic.readings.bounds import find_bounds
from sopforge.language.logic.readings.scalar import evaluate, holds
from sopforge.language.logic.tables import build_presence
from sopforge.proof.dataset.mutants.expression_mistakes import derive_edits
from tests.generators.models import make_model
from tests.judges.agreement import make_rows

MODELS, ROWS, EDITS = 20, 25, 12
TABLES = ("{", "covered: {", "a value: {")

Row = Mapping[str, Value | None]


def iterate_values(expression: Expression, rows: list[Row]) -> Iterator[tuple[Expression, int]]:
    """Yield each part that is a number, a day, a time or a label, with its value on each row."""
    for part in list_ordered_parts([expression]):
        if isinstance(part.type, TextType | SetType | ListType):
            continue
        read = collect_read_fields(part)
        for row in rows:
            is_there = holds(build_presence(part), row)
            if is_there and all(row[name] is not None for name in read):
                value = evaluate(part, row)
                assert isinstance(value, int)
                yield part, value


@pytest.mark.parametrize("number", range(MODELS))
def test_every_part_lies_within_the_range_of_its_type(number: int) -> None:
    model = make_model(number)
    rows = list(make_rows(model, ROWS).stored)
    for question in model.questions:
        for part, value in iterate_values(question.expression, rows):
            low, high = part.type.bounds
            assert low <= value <= high, (question.text, part)


@pytest.mark.parametrize("number", range(MODELS))
def test_every_part_lies_within_its_bounds_with_a_mistake_too(number: int) -> None:
    model, random = make_model(number), Random(number)  # noqa: S311 - no secret
    rows = list(make_rows(model, ROWS).stored)
    lists = {name: kind for name, kind in model.scope.fields.items() if isinstance(kind, ListType)}
    # What briefs write: a whole table as one expression has parts that no brief has.
    for question in (item for item in model.questions if not item.text.startswith(TABLES)):
        edits = [edit.wrong for edit in derive_edits(question.expression, lists)]
        for wrong in random.sample(edits, min(EDITS, len(edits))):
            known: dict[int, tuple[int, int]] = {}
            for part, value in iterate_values(wrong, rows):
                low, high = known.setdefault(id(part), find_bounds(part))
                assert low <= value <= high, (question.text, part)
