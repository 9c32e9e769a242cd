"""Rows of the solver made as plausible as drawn ones, with what they are to show kept.

A witness lies as near to a drawn row as a condition allows: at an edge of it, time and again. What
is drawn together is drawn again, part by part, from the rows that are drawn, and the first values
with which the condition still holds are taken. Repeated, this is Gibbs sampling: it leads to the
rows that are drawn and happen to meet the condition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import reduce
from itertools import product

import numpy as np

from sopforge.language.domain.expressions.expressions import (
    Expression,
    collect_all_read_fields,
    collect_read_fields,
)
from sopforge.language.domain.fields import STORED, Sampling
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.readings.programs import Program
from sopforge.language.logic.readings.vector import Column, Columns, ListColumn, Vector
from sopforge.proof.dataset.sampling.bulk import as_columns
from sopforge.proof.dataset.sampling.equal_texts import find_equal_texts
from sopforge.proof.solving.conjunctions import list_conjuncts
from sopforge.seeds import draw_below

SWEEPS = 4
TRIED = 256
Row = Mapping[str, Value | None]


@dataclass(slots=True)
class Resampling:
    """Draws parts of rows again from a pool of drawn rows."""

    model: DomainModel
    seed: int
    pool: Sequence[Row]
    columns: Columns = field(init=False)
    parts: list[frozenset[str]] = field(init=False)

    def __post_init__(self) -> None:
        self.columns = as_columns(self.model, self.pool)
        parts = (*group_bound_fields(self.model), *group_drawn_fields(self.model))
        self.parts = list(dict.fromkeys(parts))

    def redraw_row(
        self, row: Row, drawn: Row, condition: Expression, name: str, fits: Callable[[Row], bool]
    ) -> tuple[Row, Row]:
        """Return a row that meets the condition, drawn again, and the drawn row that it is like.

        ``drawn`` is the latter before, and ``fits`` says which rows may be taken.
        """
        tests = [
            test
            for whole in (*self.model.row_conditions, condition)
            for test in list_conjuncts(whole)
        ]
        program = Program(tests)
        read = frozenset[str]().union(*program.fields)
        # What no condition touches is as it was drawn, and need not be drawn again.
        parts = [_Part(part, program) for part in self.parts if part & read]
        begun = _Redrawn(program, row, drawn, self.build_columns(row, read))
        again = copy(begun)
        self.redraw_parts(again, parts, name)
        if not fits(again.row):
            # Whether a row fits takes a walk: asked once at the end, and by part only if not.
            again = begun
            self.redraw_parts(again, parts, name, fits)
        return again.row, again.like

    def redraw_parts(
        self,
        again: _Redrawn,
        parts: Sequence[_Part],
        name: str,
        fits: Callable[[Row], bool] = lambda _: True,
    ) -> None:
        """Draw each part of a row again, and all of them again, where one is found that fits."""
        for sweep, (number, part) in product(range(SWEEPS), enumerate(parts)):
            start = draw_below(len(self.pool), self.seed, "again", name, sweep, number)
            places = (np.arange(min(TRIED, len(self.pool))) + start) % len(self.pool)
            rows = _mix_rows(again.columns, self.columns, part.fields, places)
            values = again.evaluate(part, rows)
            met = reduce(np.logical_and, [values[test] != 0 for test in part.tests])
            for place in np.flatnonzero(np.broadcast_to(met, places.shape)).tolist():
                taken = {key: self.pool[places[place]][key] for key in part.fields}
                if fits({**again.row, **taken}):
                    again.take(part, taken, rows.slice_rows(place, place + 1), values, place)
                    break

    def build_columns(self, row: Row, names: Iterable[str]) -> Columns:
        """Return some fields of one row as columns."""
        return as_columns(self.model, [{name: row[name] for name in names if name in row}])


class _Part:
    """Fields that are drawn together; the steps of conditions that depend on them, and the tests.

    Most steps do not: they have the same value for every row that differs in the fields alone.
    """

    def __init__(self, fields: frozenset[str], program: Program) -> None:
        self.fields = fields
        self.steps = program.list_dependent_steps(fields)
        dependent = set(self.steps)
        self.tests = [number for number in program.results if number in dependent]


class _Redrawn:
    """A row, the drawn row that it is like, and the values of all steps of conditions on it."""

    def __init__(self, program: Program, row: Row, like: Row, columns: Columns) -> None:
        self.program = program
        self.row, self.like, self.columns = row, like, columns
        self.values = program.run(Vector(columns))

    def evaluate(self, part: _Part, rows: Columns) -> list[Column]:
        """Return the values of all steps on rows that differ from this one in a part."""
        values = list(self.values)
        self.program.run_steps(Vector(rows), part.steps, values)
        return values

    def take(
        self, part: _Part, taken: Row, columns: Columns, values: Sequence[Column], place: int
    ) -> None:
        """Go on with one of the rows on which a part was tried, the one at a place."""
        self.row, self.like = {**self.row, **taken}, {**self.like, **taken}
        self.columns, self.values = columns, list(self.values)
        for step in part.steps:
            column = values[step]
            self.values[step] = column[place : place + 1] if column.size > 1 else column


def group_drawn_fields(model: DomainModel) -> list[frozenset[str]]:
    """Return what is drawn by itself: fields, and fields by which others are drawn, with those.

    The record that a reference leads to is drawn with it. Unique texts are in no part.
    """
    ties = [(entity.name, entity.key, *entity.fields) for entity in model.references]
    ties += [
        (item.name, *_collect_source_fields(item.sampling)) for item in model.with_role(*STORED)
    ]
    return _join_parts(model, [*ties, *find_equal_texts(model)])


def group_bound_fields(model: DomainModel) -> list[frozenset[str]]:
    """Return what is drawn by itself, what constraints bind taken together."""
    bound = [tuple(collect_read_fields(constraint)) for constraint in model.row_conditions]
    return _join_parts(model, [*map(tuple, group_drawn_fields(model)), *bound])


def _join_parts(model: DomainModel, ties: Iterable[tuple[str, ...]]) -> list[frozenset[str]]:
    parts = {item.name: frozenset({item.name}) for item in model.with_role(*STORED)}
    parts |= {entity.name: frozenset({entity.name}) for entity in model.references}
    unique = {name for name in model.case.fields if model.fields[name].sampling.unique}
    for tie in ties:
        whole = frozenset[str]().union(*(parts[name] for name in tie))
        parts |= dict.fromkeys(whole, whole)
    # Unique texts are given out one by one; from a row of the pool they would stand twice.
    return [part - unique for part in dict.fromkeys(parts.values()) if part - unique]


def _collect_source_fields(sampling: Sampling) -> frozenset[str]:
    """Return the fields by which another one is drawn."""
    same = sampling.same_as[:1] if sampling.same_as else ()
    texts = {sampling.of} if sampling.of else set[str]()
    return collect_all_read_fields(sampling.expressions).union(texts, same)


def _mix_rows(own: Columns, pool: Columns, part: frozenset[str], places: Column) -> Columns:
    """Return one row as often as there are places, with a part of it from the pool's rows there."""

    def mix_column(name: str, mine: Column, others: Column) -> Column:
        if name in part:
            return others[places]
        return np.broadcast_to(mine, (len(places), *mine.shape[1:]))

    return Columns(
        len(places),
        {name: mix_column(name, mine, pool.values[name]) for name, mine in own.values.items()},
        {name: mix_column(name, mine, pool.present[name]) for name, mine in own.present.items()},
        {
            name: ListColumn(
                {
                    key: mix_column(name, mine, pool.lists[name].fields[key])
                    for key, mine in listed.fields.items()
                },
                mix_column(name, listed.lengths, pool.lists[name].lengths),
            )
            for name, listed in own.lists.items()
        },
    )
