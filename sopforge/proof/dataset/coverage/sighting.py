"""Which of many rows show which goals: whole columns at once, what goals share worked out once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce

import numpy as np

from sopforge.language.domain.expressions.expressions import Expression
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.readings.vector import Column, Columns, evaluate_all
from sopforge.parallel import map_in_processes
from sopforge.proof.dataset.coverage.goals.goal import Goal
from sopforge.proof.dataset.coverage.noticing import Noticed
from sopforge.proof.dataset.sampling.bulk import as_columns
from sopforge.proof.solving.comparing.beside import Comparison
from sopforge.proof.solving.unfolded_columns import NEVER, ColumnUnfolder

Row = Mapping[str, Value | None]
GROUP = 128
AT_ONCE = 64  # conditions whose columns are in memory together


@dataclass(frozen=True, slots=True)
class Sighting:
    """By what each of some rows shows a goal: truth values, one for each row.

    ``begins`` says where the goal occurs and its mistake makes a difference where it is made.
    """

    primary: Column
    outcomes: Column
    trajectory: Column
    begins: Column

    def get_column(self, level: Noticed) -> Column:
        """Return which rows show the goal by a level or a stronger one."""
        return (self.primary, self.outcomes, self.outcomes | self.trajectory)[
            list(Noticed).index(level)
        ]


class Watch:
    """Says which of some rows show which goals.

    Raises:
        TooManyStepsError: the back edges unroll into too many steps.
    """

    def __init__(self, model: DomainModel, rows: Columns) -> None:
        self.rows = rows
        begin = partial(ColumnUnfolder, rows)
        self.comparison = Comparison(model, begin) if rows.count else None

    def find_sightings(self, goals: Sequence[Goal]) -> Iterator[Sighting]:
        """Yield for each goal which of the rows show it."""
        for first in range(0, len(goals), AT_ONCE):
            some = goals[first : first + AT_ONCE]
            there = evaluate_all([goal.condition for goal in some], self.rows)
            for goal, occurs in zip(some, there, strict=True):
                yield self.find_sighting(goal, occurs != 0)

    def find_sighting(self, goal: Goal, occurs: Column) -> Sighting:
        if self.comparison is None:
            return Sighting(occurs, occurs, occurs, occurs)
        begins = map(self.comparison.derive_first_difference, goal.wrong)
        here = occurs & reduce(np.logical_or, begins, NEVER)
        # Whole answers are dear to compare: spared where no row can show the goal.
        if not here.any():
            return Sighting(here, here, here, here)
        found = [self.comparison.compare(wrong) for wrong in goal.wrong]
        primary, outcomes, trajectory = (
            here & reduce(np.logical_or, (getattr(item, level) for item in found), NEVER)
            for level in Noticed
        )
        return Sighting(primary, outcomes, trajectory, here)


def find_sightings(
    model: DomainModel, goals: Sequence[Goal], rows: Sequence[Row], where: str = "cases"
) -> list[Sighting]:
    """Return for each goal which of the rows show it; ``where`` says in words what rows they are.

    Processes share the goals.
    """
    columns = as_columns(model, rows)
    groups = [goals[first : first + GROUP] for first in range(0, len(goals), GROUP)]
    # Each goal is one task that is wanted, which is what people know.
    what = f"tasks looked for in {where}"
    found = map_in_processes(partial(_look_for_goals, model, columns), groups, what, len)
    return [sighting for part in found for sighting in part]


def _look_for_goals(model: DomainModel, rows: Columns, goals: Sequence[Goal]) -> list[Sighting]:
    return list(Watch(model, rows).find_sightings(goals))


def evaluate_conditions(
    model: DomainModel, conditions: Sequence[Expression], rows: Sequence[Row]
) -> list[Column]:
    """Return for each condition on which of the rows it holds."""
    if not rows or not conditions:
        return [np.zeros(len(rows), dtype=bool) for _ in conditions]
    columns = as_columns(model, rows)
    return [column != 0 for column in evaluate_all(conditions, columns)]
