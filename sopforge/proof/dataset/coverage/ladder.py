"""The ladder of finders: each looks for rows only for the goals that no row found before shows.

Every finder takes goals that are still open and returns rows, from the cheapest source to the
dearest. What the whole ladder leaves open, the solver is asked about, goal by goal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.readings.vector import Column
from sopforge.proof.dataset.coverage.goals.goal import Goal
from sopforge.proof.dataset.coverage.noticing import Noticed
from sopforge.proof.dataset.coverage.sighting import Row, Sighting, find_sightings


@dataclass(frozen=True, slots=True)
class Found:
    """Rows that show goals, and for each row the drawn one that it is or was made of (``likes``).

    ``begun`` and ``walked`` name the goals whose mistake was seen to make a difference where it is
    made, and on a path.
    """

    rows: list[Row]
    likes: list[Row]
    begun: frozenset[str]
    walked: frozenset[str]


Finder: TypeAlias = Callable[[Sequence[Goal]], Found]


@dataclass(frozen=True, slots=True)
class Drawn:
    """What is known of the pool's rows, and of those that finders made after them.

    ``seen`` has a line for each goal and a column for each row: whether the answers asked for show
    the goal, some of them by the ``primary`` one. Of rows that were made it is known for the goals
    alone that no row of the pool shows. ``begun`` and ``on_path`` say of each goal whether its
    mistake was seen to make a difference where it is made, and on a path.
    """

    seen: Column
    primary: Column
    begun: Column
    on_path: Column
    rows: tuple[Row, ...] = ()
    likes: tuple[Row, ...] = ()

    def list_showing_rows(self, number: int, pool: npt.NDArray[np.intp]) -> list[int]:
        """Return the rows that show a goal, by the primary answer first.

        ``pool`` has the places of the pool in the order in which they are to be tried.
        """
        order = np.concatenate([pool, np.arange(len(pool), self.seen.shape[1])])
        seen, primary = self.seen[number][order], self.primary[number][order]
        return [*order[seen & primary].tolist(), *order[seen & ~primary].tolist()]

    def with_rows(
        self, made: Found, goals: Sequence[Goal], level: Noticed, found: Mapping[int, Sighting]
    ) -> Drawn:
        """Return what is known with further rows, looked at for some of the goals."""
        seen, primary = np.zeros((2, len(goals), len(made.rows)), dtype=bool)
        for number, item in found.items():
            seen[number], primary[number] = item.get_column(level), item.primary
        return Drawn(
            np.hstack([self.seen, seen]),
            np.hstack([self.primary, primary]),
            self.begun | np.array([goal.id in made.begun for goal in goals]),
            self.on_path | np.array([goal.id in made.walked for goal in goals]),
            (*self.rows, *made.rows),
            (*self.likes, *made.likes),
        )


def find_drawn_rows(
    model: DomainModel,
    goals: Sequence[Goal],
    level: Noticed,
    pool: Sequence[Row],
    finders: Iterable[Finder],
) -> Drawn:
    """Return what the pool shows of goals, with rows of the finders for what it does not show."""
    found = find_sightings(model, goals, pool, "drawn cases")
    drawn = Drawn(
        np.stack([item.get_column(level) for item in found]),
        np.stack([item.primary for item in found]),
        np.array([item.begins.any() for item in found]),
        np.array([item.trajectory.any() for item in found]),
    )
    rare = np.flatnonzero(~drawn.seen.any(axis=1)).tolist()
    for find in finders:
        open_ = [goals[number] for number in rare if not drawn.seen[number].any()]
        if not open_:
            break
        made, about = find(open_), [goals[number] for number in rare]
        found = find_sightings(model, about, made.rows, "further cases")
        drawn = drawn.with_rows(made, goals, level, dict(zip(rare, found, strict=True)))
    return drawn
