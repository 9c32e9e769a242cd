"""Rows of the solver made as plausible as drawn ones, with what they are to show kept.

A witness lies as near to a drawn row as a condition allows: at an edge of it, time and again. What
is drawn together is drawn again, part by part, from the rows that are drawn, and the first values
with which the condition still holds are taken. Repeated, this is Gibbs sampling: it leads to the
rows that are drawn and happen to meet the condition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from sopforge.dataset.sampling.bulk import as_columns
from sopforge.dataset.sampling.equal_texts import find_equal_texts
from sopforge.domain.fields import STORED, Sampling
from sopforge.domain.language.expressions import (
    Expression,
    collect_all_read_fields,
    collect_read_fields,
)
from sopforge.domain.model import DomainModel
from sopforge.domain.values.types import Value
from sopforge.logic.readings.vector import Column, Columns, ListColumn, evaluate_all
from sopforge.seeds import draw_below
from sopforge.solving.conjunctions import list_conjuncts

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
            test for whole in (*self.model.constraints, condition) for test in list_conjuncts(whole)
        ]
        read = [(test, collect_read_fields(test)) for test in tests]
        # What no condition touches is as it was drawn, and need not be drawn again.
        touched = [(part, [test for test, names in read if part & names]) for part in self.parts]
        parts = [
            _Part(part, tests, collect_all_read_fields(tests)) for part, tests in touched if tests
        ]
        found = self.redraw_parts(row, drawn, parts, name)
        # Whether a row fits takes a walk: asked once at the end, and part by part only if not.
        return found if fits(found[0]) else self.redraw_parts(row, drawn, parts, name, fits)

    def redraw_parts(
        self,
        row: Row,
        drawn: Row,
        parts: Sequence[_Part],
        name: str,
        fits: Callable[[Row], bool] = lambda _: True,
    ) -> tuple[Row, Row]:
        """Return a row and what it is like with each part drawn again, and all of them again."""
        for sweep, (number, part) in product(range(SWEEPS), enumerate(parts)):
            start = draw_below(len(self.pool), self.seed, "again", name, sweep, number)
            for place in self.find_fitting_rows(row, part, start):
                taken = {key: self.pool[place][key] for key in part.fields}
                if fits({**row, **taken}):
                    row, drawn = {**row, **taken}, {**drawn, **taken}
                    break
        return row, drawn

    def find_fitting_rows(self, row: Row, part: _Part, start: int) -> list[int]:
        """Return from which rows of the pool a part can be taken, those from a place on first."""
        places = (np.arange(min(TRIED, len(self.pool))) + start) % len(self.pool)
        own = as_columns(self.model, [{key: row[key] for key in part.read if key in row}])
        mixed = _mix_rows(own, self.columns, part.fields, places)
        met = np.ones(len(places), dtype=bool)
        for column in evaluate_all(part.tests, mixed):
            met &= column != 0
        return [int(place) for place in places[met]]


@dataclass(frozen=True, slots=True)
class _Part:
    """Fields that are drawn together, the conditions that they touch, and what these read."""

    fields: frozenset[str]
    tests: Sequence[Expression]
    read: frozenset[str]


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
    bound = [tuple(collect_read_fields(constraint)) for constraint in model.constraints]
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
    return collect_all_read_fields(sampling.expressions) | ({sampling.of} if sampling.of else set())


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
