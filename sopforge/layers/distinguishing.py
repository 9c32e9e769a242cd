"""Which tasks distinguish another model from the right one, worked out for all of them at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from typing import Any

import numpy as np

from sopforge.dataset.coverage.noticing import Comparison
from sopforge.dataset.oracle import answer_row
from sopforge.dataset.records import Row
from sopforge.dataset.sampling.bulk import as_columns
from sopforge.domain.fields import Field
from sopforge.domain.model import DomainModel
from sopforge.domain.values.types import ListType, NumberType
from sopforge.logic.readings.vector import Column, Columns
from sopforge.logic.tables import build_coverage_condition
from sopforge.solving.unfolded_columns import ColumnUnfolder, KnownColumn
from sopforge.solving.unfolded_places import Parts


def find_distinguished(
    model: DomainModel, rows: Mapping[str, Row], others: Sequence[DomainModel]
) -> Iterator[frozenset[str]]:
    """Yield for each other model the tasks at which it comes to another outcome.

    Raises:
        TooManyStepsError: the back edges of the model unroll into too many steps.
    """
    if not rows:
        yield from (frozenset[str]() for _ in others)
        return
    names, columns = list(rows), as_columns(model, list(rows.values()))
    comparison = Comparison(_ask_for_outcomes(model), partial(ColumnUnfolder, columns))
    for other in map(_ask_for_outcomes, others):
        # One value may stand for all rows, where they do not differ in it.
        apart = comparison.compare(other).outcomes
        is_apart = [bool(apart)] * len(names) if apart.ndim == 0 else apart.tolist()
        yield frozenset(name for name, differs in zip(names, is_apart, strict=True) if differs)


def find_other_answers(
    model: DomainModel, rows: Mapping[str, Row], others: Sequence[DomainModel]
) -> Iterator[dict[str, dict[str, str]]]:
    """Yield for each other model the tasks at which it comes to another outcome, with all of them.

    Outcomes are cells, as ``answer_row`` gives them case by case.

    Raises:
        TooManyStepsError: the back edges of the model unroll into too many steps.
    """
    if not rows:
        yield from ({} for _ in others)
        return
    gaps: list[Column] = []
    columns = as_columns(model, list(rows.values()))
    comparison = Comparison(_ask_for_outcomes(model), partial(_NotingGaps, gaps, columns))
    for other in others:
        gaps.clear()
        found = comparison.answer(_ask_for_outcomes(other))
        apart = reduce(np.logical_or, gaps, found.apart)
        cells = {item.name: _read_cells(item, found.answers[item.name]) for item in model.outcomes}
        if None in cells.values():
            walked = np.asarray(True)  # noqa: FBT003 - numpy
        else:
            walked = reduce(np.logical_or, gaps, found.refused)
        yield _collect_answers(model, other, rows, (apart, walked), cells)


def _collect_answers(
    model: DomainModel,
    other: DomainModel,
    rows: Mapping[str, Row],
    chosen: tuple[Column, Column],
    cells: Mapping[str, Callable[[int], str] | None],
) -> dict[str, dict[str, str]]:
    """Return answers where they are other ones, as columns have them or, where not, by walking."""
    apart, walked = (np.broadcast_to(column, (len(rows),)) for column in chosen)
    names = list(rows)
    found = {}
    for place in np.flatnonzero(apart).tolist():
        name = names[place]
        if not walked[place]:
            found[name] = {item: read(place) for item, read in cells.items() if read}
            continue
        answer = answer_row(other, rows[name])
        if answer != answer_row(model, rows[name]):
            found[name] = answer
    return found


class _NotingGaps(ColumnUnfolder):
    """Notes the rows at which no rule of a table applies: there a case ends."""

    def __init__(
        self,
        gaps: list[Column],
        columns: Columns,
        model: DomainModel,
        parts: Parts | None = None,
    ) -> None:
        super().__init__(columns, model, parts)
        self.gaps = gaps

    def resolve_decision(self, target: str, known: Mapping[str, KnownColumn]) -> KnownColumn:
        decision = self.model.decisions[target]
        condition = self.parts.make_once(
            "coverage", partial(build_coverage_condition, decision), decision
        )
        if condition is not None:
            self.gaps.append(self.negate(self.resolve_condition(condition, known)))
        return super().resolve_decision(target, known)


def _read_cells(item: Field, column: KnownColumn) -> Callable[[int], str] | None:
    """Return what reads an outcome of a row as a cell, None where a column does not have it."""
    factor = 1
    if isinstance(item.type, NumberType) and isinstance(column.kind, NumberType):
        digits = item.type.places - column.kind.places
        factor = 10**digits if digits >= 0 else 0
    if isinstance(item.type, ListType) or not factor:
        return None

    def read(place: int) -> str:
        if not _take(column.present, place):
            return item.format_cell(None)
        value = _take(column.value, place)
        return item.format_cell(value if isinstance(value, str) else int(value) * factor)

    return read


def _take(column: Column, place: int) -> Any:  # noqa: ANN401 - of the column's type
    """Return a column's value on a row; one value may stand for all of them."""
    return column.item() if column.ndim == 0 else column[place]


def _ask_for_outcomes(model: DomainModel) -> DomainModel:
    """Return a model of whose values the outcomes alone are answers."""
    fields = {name: replace(item, scored=False) for name, item in model.fields.items()}
    return replace(model, fields=fields)
