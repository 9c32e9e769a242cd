"""What is worked out of a mistake on all rows at once is what walking each row with it says.

The procedure is unfolded into conditions, for the solver, and over columns of rows. Walking shares
no code with either but the expressions of the model: it goes case by case, with the tools as the
wrong model has them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial, reduce
from itertools import chain

import numpy as np
import pytest

from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.readings.vector import Column, Columns, evaluate_all
from sopforge.proof.dataset.coverage.goals.goal import Goal
from sopforge.proof.dataset.coverage.goals.goals import collect_goals, make_mutant_goals
from sopforge.proof.dataset.coverage.noticing import Noticed, Noticing
from sopforge.proof.dataset.mutants.mutants import derive_mutants
from sopforge.proof.dataset.sampling.bulk import as_columns
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.solving.comparing.beside import Comparison
from sopforge.proof.solving.unfolded_columns import NEVER, ColumnUnfolder, KnownColumn
from sopforge.proof.solving.unfolding import TRUE
from tests.judges.walked_mistakes import Walked
from tests.worlds.small_models import (
    callers,
    claims,
    orders,
    parcel,
    permits,
    rebooking,
    stays,
    warranty,
)

MODELS = [
    *((parcel, 40), (orders, 40), (warranty, 40), (stays, 40), (rebooking, 60), (claims, 12)),
    *((callers, 40), (permits, 40)),
]


def evaluate_notice(noticing: Noticing, goal: Goal, rows: Columns) -> list[Column]:
    """Return the rows on which each measure notices a mistake, and where it begins to matter."""
    notice = noticing.derive_notice(replace(goal, condition=TRUE))
    conditions = [
        notice.primary,
        notice.outcomes,
        notice.trajectory,
        noticing.derive_first_difference(goal),
    ]
    return [column != 0 for column in evaluate_all(conditions, rows)]


def compare_columns(
    comparison: Comparison[Column, KnownColumn, None], goal: Goal, rows: Columns
) -> list[Column]:
    """Return the same, worked out over the columns themselves."""
    begins = [comparison.derive_first_difference(wrong) for wrong in goal.wrong]
    found = [comparison.compare(wrong) for wrong in goal.wrong]
    measures = [[getattr(item, level) for item in found] for level in Noticed]
    return [
        np.broadcast_to(reduce(np.logical_or, measure, NEVER), (rows.count,))
        for measure in (*measures, begins)
    ]


@pytest.mark.parametrize(("make", "count"), MODELS, ids=[make.__name__ for make, _ in MODELS])
def test_a_mistake_is_noticed_where_a_walk_with_it_differs(
    make: Callable[[], DomainModel], count: int
) -> None:
    model = make()
    noticing = Noticing(model)
    rows = sample_rows(model, 41, range(count))
    walked = [item for item in (Walked(model, row) for row in rows) if item.is_task]
    columns = as_columns(model, [item.row for item in walked])
    comparison = Comparison(model, partial(ColumnUnfolder, columns))
    goals = chain(make_mutant_goals(derive_mutants(model)), collect_goals(model, noticing.places))
    seen = 0
    for goal in goals:
        by_condition = evaluate_notice(noticing, goal, columns)
        by_column = compare_columns(comparison, goal, columns)
        for one, other in zip(by_condition, by_column, strict=True):
            assert (one == other).all(), goal.id
        primary, outcomes, trajectory, begins = by_column
        for place, item in enumerate(walked):
            found = [item.noticed(wrong) for wrong in goal.wrong]
            if None in found:
                continue
            by_walk = tuple(any(part) for part in zip(*filter(None, found), strict=True))
            by_rows = bool(primary[place]), bool(outcomes[place]), bool(trajectory[place])
            assert by_rows == by_walk, (goal.id, item.row)
            assert begins[place] or not any(by_walk), (goal.id, item.row)
            seen += any(by_walk)
    assert seen > 100
