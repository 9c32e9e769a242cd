"""Which of many rows show which goals: whole columns at once, what goals share worked out once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sopforge.dataset.coverage.goals.goal import Goal
from sopforge.dataset.coverage.noticing import Noticed, Noticing, collect_shared_parts
from sopforge.dataset.sampling.bulk import as_columns
from sopforge.domain.language.expressions import Expression
from sopforge.domain.model import DomainModel
from sopforge.domain.values.types import Value
from sopforge.logic.readings.algebra import Interpretation
from sopforge.logic.readings.vector import PIECE, Column, Columns, Vector, evaluate_all
from sopforge.solving.unfolding import TRUE

Row = Mapping[str, Value | None]
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


def find_sightings(
    noticing: Noticing, goals: Sequence[Goal], rows: Sequence[Row]
) -> Iterator[Sighting]:
    """Yield for each goal which of the rows show it."""
    if not rows:
        yield from (Sighting(*[np.zeros(0, dtype=bool)] * 4) for _ in goals)
        return
    yield from find_column_sightings(noticing, goals, as_columns(noticing.model, rows))


def find_column_sightings(
    noticing: Noticing, goals: Sequence[Goal], columns: Columns
) -> Iterator[Sighting]:
    """Yield for each goal which rows of columns show it."""
    pieces = [
        _Piece(noticing, columns.slice_rows(start, start + PIECE))
        for start in range(0, max(1, columns.count), PIECE)
    ]
    for first in range(0, len(goals), AT_ONCE):
        some = goals[first : first + AT_ONCE]
        there = [column != 0 for column in evaluate_all([goal.condition for goal in some], columns)]
        for goal, occurs in zip(some, there, strict=True):
            (begins,) = _evaluate_pieces(pieces, [noticing.derive_first_difference(goal)])
            # Whole answers are dear to compare: spared where no row can show the goal.
            if (here := occurs & begins).any():
                # Without the goal's own condition, which is in `here` already.
                notice = noticing.derive_notice(goal, TRUE)
                wanted = (notice.primary, notice.outcomes, notice.trajectory)
                primary, outcomes, trajectory = (
                    level & here for level in _evaluate_pieces(pieces, wanted)
                )
                yield Sighting(primary, outcomes, trajectory, here)
            else:
                yield Sighting(here, here, here, here)


def evaluate_conditions(
    model: DomainModel, conditions: Sequence[Expression], rows: Sequence[Row]
) -> list[Column]:
    """Return for each condition on which of the rows it holds."""
    if not rows or not conditions:
        return [np.zeros(len(rows), dtype=bool) for _ in conditions]
    columns = as_columns(model, rows)
    return [column != 0 for column in evaluate_all(conditions, columns)]


def _evaluate_pieces(pieces: Sequence[_Piece], conditions: Sequence[Expression]) -> list[Column]:
    found = [piece.evaluate(conditions) for piece in pieces]
    return [np.concatenate(parts) for parts in zip(*found, strict=True)]


class _Piece:
    """Some rows, and the values on them of what all conditions share."""

    def __init__(self, noticing: Noticing, columns: Columns) -> None:
        self.count = columns.count
        self.reading = Interpretation(Vector(columns))
        for part in collect_shared_parts(noticing):
            self.reading.interpret_node(part)
        self.shared = dict(self.reading.known)

    def evaluate(self, conditions: Iterable[Expression]) -> list[Column]:
        # Begun anew from what is shared: the columns of all conditions together fill the memory.
        self.reading.known = dict(self.shared)
        found = [
            np.asarray(self.reading.interpret_node(condition)) != 0 for condition in conditions
        ]
        return [np.broadcast_to(column, (self.count,)) for column in found]
