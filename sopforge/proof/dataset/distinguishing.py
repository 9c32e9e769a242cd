"""Which tasks distinguish another model from the right one, worked out for all of them at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial, reduce
from typing import Any

import numpy as np

from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import ListType, NumberType
from sopforge.language.logic.readings.vector import Column, Columns
from sopforge.language.logic.tables import build_coverage_condition
from sopforge.proof.dataset.oracle import answer_row
from sopforge.proof.dataset.records import Row
from sopforge.proof.dataset.sampling.bulk import as_columns
from sopforge.proof.solving.comparing.beside import Comparison
from sopforge.proof.solving.unfolded_columns import ColumnUnfolder, KnownColumn
from sopforge.proof.solving.unfolded_places import Parts


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


class AnswerFinder:
    """Finds what other models answer to some cases; what the right one answers is worked out once.

    Raises:
        TooManyStepsError: the back edges of the model unroll into too many steps.
    """

    def __init__(self, model: DomainModel, rows: Mapping[str, Row]) -> None:
        self.model = model
        self.rows = rows
        self._names = list(rows)
        self._gaps: list[Column] = []
        self._right: dict[str, Mapping[str, str]] = {}

    @cached_property
    def _comparison(self) -> Comparison[Column, KnownColumn, None]:
        columns = as_columns(self.model, list(self.rows.values()))
        begin = partial(_NotingGaps, self._gaps, columns)
        return Comparison(_ask_for_outcomes(self.model), begin)

    def find(self, other: DomainModel) -> dict[str, dict[str, str]]:
        """Return the tasks at which another model comes to another outcome, with all outcomes.

        Outcomes are cells, as ``answer_row`` gives them case by case.

        Raises:
            TooManyStepsError: the back edges of the model unroll into too many steps.
        """
        if not self.rows:
            return {}
        self._gaps.clear()
        found = self._comparison.answer(_ask_for_outcomes(other))
        apart = reduce(np.logical_or, self._gaps, found.apart)
        outcomes = self.model.outcomes
        cells = {item.name: _read_cells(item, found.answers[item.name]) for item in outcomes}
        if None in cells.values():
            walked = np.asarray(True)  # noqa: FBT003 - numpy
        else:
            walked = reduce(np.logical_or, self._gaps, found.refused)
        return self._collect(other, (apart, walked), cells)

    def _collect(
        self,
        other: DomainModel,
        chosen: tuple[Column, Column],
        cells: Mapping[str, Callable[[int], str] | None],
    ) -> dict[str, dict[str, str]]:
        """Return the answers that are other ones: from columns, or by walking the case."""
        apart, walked = (np.broadcast_to(column, (len(self.rows),)) for column in chosen)
        found = {}
        for place in np.flatnonzero(apart).tolist():
            name = self._names[place]
            if not walked[place]:
                found[name] = {item: read(place) for item, read in cells.items() if read}
                continue
            answer = answer_row(other, self.rows[name])
            if answer != self._answer_rightly(name):
                found[name] = answer
        return found

    def _answer_rightly(self, name: str) -> Mapping[str, str]:
        if name not in self._right:
            self._right[name] = answer_row(self.model, self.rows[name])
        return self._right[name]


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
