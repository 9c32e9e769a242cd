"""How many tasks goals need, estimated from drawn rows before any is made, without a solver."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.readings.vector import Column
from sopforge.proof.dataset.coverage.goal_rows import POOL_FIRST
from sopforge.proof.dataset.coverage.goals.goals import collect_goals, make_mutant_goals
from sopforge.proof.dataset.coverage.noticing import Noticed, Noticing
from sopforge.proof.dataset.coverage.sighting import find_sightings
from sopforge.proof.dataset.mutants.mutants import derive_mutants
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.dataset.sampling.screening import screen_rows
from sopforge.proof.solving.unfolded_places import TooManyStepsError

DRAWN = 1_024


@dataclass(frozen=True, slots=True)
class Needs:
    """How many tasks show the goals that drawn rows show, and how many goals none of them shows.

    Each of those is rarer, and takes a task of its own at most, or is impossible.
    """

    tasks: int
    rare: int


def compute_needs(model: DomainModel, seed: int) -> Mapping[Noticed, Needs]:
    """Return the needs of a model, by what mistakes are to be noticed by.

    There are none where nothing is drawn, or where the procedure is too long to be examined.
    """
    try:
        noticing = Noticing(model)
    except TooManyStepsError:
        return {}
    # The first rows of the pool from which goals are given theirs later.
    found = screen_rows(model, seed, range(POOL_FIRST, POOL_FIRST + DRAWN))
    rows = sample_rows(model, seed, found.paths)
    if not rows:
        return {}
    goals = (*collect_goals(model, noticing.places), *make_mutant_goals(derive_mutants(model)))
    seen = find_sightings(model, goals, rows)
    return {
        level: _count_needed_tasks(np.stack([item.get_column(level) for item in seen]))
        for level in Noticed
    }


def _count_needed_tasks(shows: Column) -> Needs:
    """Return the needs of goals, given for each which rows show it: greedily, most goals first."""
    is_open = shows.any(axis=1)
    rare, tasks = int((~is_open).sum()), 0
    # Greedily: the fewest rows that show all are hard to find, and an estimate is asked for.
    while is_open.any():
        best = shows[is_open].sum(axis=0).argmax()
        is_open &= ~shows[:, best]
        tasks += 1
    return Needs(tasks, rare)
