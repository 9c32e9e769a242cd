"""Further rows, for the goals that no row of the pool shows: of a larger draw, and at boundaries.

Such a row costs a millionth of what the solver takes for one, and it is as natural as the rows that
fill, or differs from one of them in a value that lies at a limit: of the goals that some case shows
at all, most are shown by one of so many.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np

from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.readings.vector import Column, Columns
from sopforge.parallel import map_in_processes
from sopforge.progress.tracking import track
from sopforge.proof.dataset.coverage.boundary_rows import Moved, make_boundary_rows
from sopforge.proof.dataset.coverage.goals.goal import Goal
from sopforge.proof.dataset.coverage.ladder import Found
from sopforge.proof.dataset.coverage.noticing import Noticed
from sopforge.proof.dataset.coverage.sighting import Sighting, Watch
from sopforge.proof.dataset.sampling.bulk import as_rows
from sopforge.proof.dataset.sampling.sampling import Row, sample_columns
from sopforge.proof.dataset.sampling.screening import screen_rows

SLICE = 1 << 14
"""How many rows are in memory at a time."""
EACH = 3
"""How many rows are taken for a goal at most, to choose from."""
MOVED = 1 << 14
"""Of how many rows values are moved to boundaries, those of a first part."""
PART = 1 << 13
Shown: TypeAlias = tuple[bool, int]
"""Whether the primary answer does not show the goal, and the place of the row: the best first."""
Pair: TypeAlias = tuple[Row, Row]
"""A row, and the drawn one that it is or was made of."""


@dataclass(frozen=True, slots=True)
class _Look:
    """What was seen among some rows, goal by goal, and those rows that show one."""

    shown: list[list[Shown]]
    begun: set[str]
    walked: set[str]
    rows: dict[int, Pair]

    def note(self, goal: str, number: int, sighting: Sighting, shown: Column, first: int) -> None:
        """Note which rows show a goal; ``first`` is the place of the first of them."""
        if sighting.begins.any():
            self.begun.add(goal)
        if sighting.trajectory.any():
            self.walked.add(goal)
        for is_beside, here in ((False, sighting.primary), (True, ~sighting.primary)):
            places = np.flatnonzero(shown & here)[:EACH] + first
            self.shown[number] += [(is_beside, int(place)) for place in places]


def find_further_rows(
    model: DomainModel, seed: int, numbers: range, level: Noticed, goals: Sequence[Goal]
) -> Found:
    """Return drawn rows of the given numbers for goals that a level shows, the first of them.

    Raises:
        TooManyStepsError: the back edges unroll into too many steps.
    """
    look = partial(_look_through_draw, model, seed, goals, level)
    parts = [numbers[first : first + SLICE] for first in range(0, len(numbers), SLICE)]
    return _choose_rows(goals, map_in_processes(look, parts, "more cases looked through", len))


def find_boundary_rows(
    model: DomainModel, seed: int, numbers: range, level: Noticed, goals: Sequence[Goal]
) -> Found:
    """Return rows at limits for goals that a level shows, made of the first of the drawn ones.

    Raises:
        TooManyStepsError: the back edges unroll into too many steps.
    """
    look = partial(_look_at_boundaries, model, seed, goals, level)
    parts = [numbers[first : first + PART] for first in range(0, MOVED, PART)]
    return _choose_rows(goals, map_in_processes(look, parts, "cases at limits looked through", len))


def _choose_rows(goals: Sequence[Goal], looks: Sequence[_Look]) -> Found:
    """Return the best rows for goals."""
    chosen: dict[tuple[int, int], Pair] = {}
    for number in range(len(goals)):
        shown = [
            (is_beside, part, place)
            for part, look in enumerate(looks)
            for is_beside, place in look.shown[number]
        ]
        best = [(part, place) for _, part, place in sorted(shown)[:EACH]]
        chosen |= {(part, place): looks[part].rows[place] for part, place in best}
    return Found(
        [row for row, _ in chosen.values()],
        [like for _, like in chosen.values()],
        frozenset[str]().union(*(look.begun for look in looks)),
        frozenset[str]().union(*(look.walked for look in looks)),
    )


def _look_through_draw(
    model: DomainModel, seed: int, goals: Sequence[Goal], level: Noticed, numbers: range
) -> _Look:
    """Return which of some drawn rows show goals."""
    rows = sample_columns(model, seed, list(screen_rows(model, seed, numbers).paths))
    return _look(model, goals, level, rows, Moved(rows, np.arange(rows.count)))


def _look_at_boundaries(
    model: DomainModel, seed: int, goals: Sequence[Goal], level: Noticed, numbers: range
) -> _Look:
    """Return which rows show goals that are made of some drawn ones."""
    rows = sample_columns(model, seed, list(screen_rows(model, seed, numbers).paths))
    return _look(model, goals, level, rows, make_boundary_rows(model, rows, seed))


def _look(
    model: DomainModel, goals: Sequence[Goal], level: Noticed, drawn: Columns, moved: Moved
) -> _Look:
    """Return which of some rows show goals, ``SLICE`` of them at a time."""
    found = _Look([[] for _ in goals], set(), set(), {})
    for first in range(0, moved.rows.count, SLICE):
        watch = Watch(model, moved.rows.slice_rows(first, first + SLICE))
        sightings = track(watch.find_sightings(goals), "tasks looked for in them", len(goals))
        for number, sighting in enumerate(sightings):
            found.note(goals[number].id, number, sighting, sighting.get_column(level), first)
    places = list(dict.fromkeys(place for shown in found.shown for _, place in shown))
    rows = as_rows(model, moved.rows.take_rows(np.array(places, dtype=np.int64)))
    likes = as_rows(model, drawn.take_rows(moved.sources[places]))
    found.rows.update(zip(places, zip(rows, likes, strict=True), strict=True))
    return found
