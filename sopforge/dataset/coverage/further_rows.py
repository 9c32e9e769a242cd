"""Rows of a larger draw, for the goals that no row of the pool shows.

A drawn row costs a millionth of what the solver takes for one, and is as natural as the rows that
fill: of the goals that some case shows at all, most are shown by one of so many.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TypeAlias

import numpy as np

from sopforge.dataset.coverage.goals.goal import Goal
from sopforge.dataset.coverage.noticing import Noticed
from sopforge.dataset.coverage.sighting import Watch
from sopforge.dataset.sampling.sampling import sample_columns
from sopforge.dataset.sampling.screening import screen_rows
from sopforge.domain.model import DomainModel
from sopforge.parallel import map_in_processes

SLICE = 1 << 14
"""How many rows are in memory at a time."""
EACH = 3
"""How many rows are taken for a goal at most, to choose from."""
Shown: TypeAlias = tuple[bool, int]
"""Whether the primary answer does not show the goal, and the number of the row: the best first."""


def find_further_numbers(
    model: DomainModel, seed: int, numbers: range, goals: Sequence[Goal], level: Noticed
) -> list[int]:
    """Return which of the rows of the given numbers to take for goals that a level shows."""
    slices = [numbers[first : first + SLICE] for first in range(0, len(numbers), SLICE)]
    look = partial(_look_through, model, seed, goals, level)
    found = map_in_processes(look, slices, "parts of a larger draw looked through")
    chosen: dict[int, None] = {}
    for parts in zip(*found, strict=True):
        best = sorted(shown for part in parts for shown in part)[:EACH]
        chosen.update(dict.fromkeys(number for _, number in best))
    return list(chosen)


def _look_through(
    model: DomainModel, seed: int, goals: Sequence[Goal], level: Noticed, numbers: range
) -> list[list[Shown]]:
    """Return for each goal the first of some rows that show it."""
    fit = list(screen_rows(model, seed, numbers).paths)
    watch = Watch(model, sample_columns(model, seed, fit))
    found: list[list[Shown]] = []
    for sighting in watch.find_sightings(goals):
        shown = sighting.get_column(level)
        kinds = ((False, shown & sighting.primary), (True, shown & ~sighting.primary))
        found.append(
            [(kind, fit[place]) for kind, here in kinds for place in np.flatnonzero(here)[:EACH]]
        )
    return found
