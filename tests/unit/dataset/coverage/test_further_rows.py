"""Rows of a larger draw, and at limits: for goals that no row of the pool shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import pytest

from sopforge.language.domain.expressions.expressions import Expression
from sopforge.language.domain.model import DomainModel
from sopforge.parallel import use_jobs
from sopforge.proof.dataset.coverage import further_rows, goal_rows
from sopforge.proof.dataset.coverage.covering import cover_goals
from sopforge.proof.dataset.coverage.further_rows import EACH, find_boundary_rows, find_further_rows
from sopforge.proof.dataset.coverage.goal_rows import FAR_NUMBERS, POOL, POOL_FIRST, Witness
from sopforge.proof.dataset.coverage.goals.goal import Goal
from sopforge.proof.dataset.coverage.goals.goals import collect_goals
from sopforge.proof.dataset.coverage.ladder import Drawn, Finder, Found, find_drawn_rows
from sopforge.proof.dataset.coverage.noticing import Noticed, Noticing
from sopforge.proof.dataset.coverage.sighting import find_sightings
from sopforge.proof.dataset.sampling.sampling import sample_columns, sample_rows
from sopforge.proof.solving.search.witnesses import find_witness
from tests.worlds.small_models import judged, observed

FindRows: TypeAlias = Callable[[DomainModel, int, range, Noticed, Sequence[Goal]], Found]
SEED = 5
GOAL = "rule result.A"
# One row in 20,000 has the value, and no two of those have the same noise.
MODEL = judged(
    {"value": observed(0, 19_999), "noise": observed(0, 999_999)},
    {"A": ("value == 1234", "good")},
)


def collect_noises(numbers: range) -> set[int]:
    """Return the noise of each drawn row with the value."""
    columns = sample_columns(MODEL, SEED, numbers)
    here = np.flatnonzero(columns.values["value"] == 1234)
    return {int(columns.values["noise"][place]) for place in here}


GOALS = [goal for goal in collect_goals(MODEL, Noticing(MODEL).places) if goal.id == GOAL]


def find(numbers: range, finder: FindRows = find_further_rows) -> Found:
    """Return the rows that a finder makes for the goal of few rows."""
    return finder(MODEL, SEED, numbers, Noticed.OUTCOMES, GOALS)


@pytest.fixture(scope="module")
def first() -> int:
    """Return how many further rows are drawn before the first with the value."""
    values = sample_columns(MODEL, SEED, FAR_NUMBERS).values["value"]
    return int(np.flatnonzero(values == 1234)[0])


def test_a_rare_goal_has_a_drawn_row_for_which_the_solver_is_not_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert collect_noises(range(POOL_FIRST, POOL_FIRST + POOL)) == set()
    asked: list[str] = []

    def note(
        model: DomainModel, condition: Expression, drawn: goal_rows.Row, units: int
    ) -> Witness:
        found = find_witness(model, condition, drawn, units)
        asked.append(str(found))
        return found

    monkeypatch.setattr(goal_rows, "find_witness", note)
    covering = cover_goals(MODEL, SEED)

    (task,) = [task for task in covering.tasks if task.key == f"goal:{GOAL}"]
    assert task.row["value"] == 1234
    assert task.row["noise"] in collect_noises(FAR_NUMBERS)
    assert not any("'value': 1234," in row for row in asked)


def test_each_goal_is_given_its_first_rows_and_none_that_does_not_show_it() -> None:
    found = find(FAR_NUMBERS)

    columns = sample_columns(MODEL, SEED, FAR_NUMBERS)
    with_value = np.flatnonzero(columns.values["value"] == 1234)
    assert len(with_value) > 1
    noises = columns.values["noise"][with_value].tolist()
    assert [row["noise"] for row in found.rows] == noises[:EACH]
    assert found.likes == found.rows
    (sighting,) = find_sightings(MODEL, GOALS, found.rows)
    assert sighting.outcomes.all()
    assert found.begun == {GOAL}


def test_what_no_drawn_row_shows_is_shown_by_one_that_was_moved(first: int) -> None:
    found = find(FAR_NUMBERS[:first], find_boundary_rows)

    assert {row["value"] for row in found.rows} == {1234}
    assert 1234 not in {like["value"] for like in found.likes}
    assert all(
        {**row, "value": 0} == {**like, "value": 0}
        for row, like in zip(found.rows, found.likes, strict=True)
    )


@pytest.mark.parametrize("jobs", [1, 3])
def test_in_whatever_parts_rows_are_looked_through_the_same_are_found(
    jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = find(FAR_NUMBERS).rows
    monkeypatch.setattr(further_rows, "SLICE", 5_000)

    with use_jobs(jobs):
        assert find(FAR_NUMBERS).rows == whole
    assert whole


def find_with(finders: Sequence[Finder]) -> Drawn:
    pool = sample_rows(MODEL, SEED, range(POOL_FIRST, POOL_FIRST + 20))
    return find_drawn_rows(MODEL, GOALS, Noticed.OUTCOMES, pool, finders)


def test_a_finder_is_asked_only_for_what_those_before_it_leave_open(first: int) -> None:
    asked: list[tuple[str, int]] = []

    def note(name: str, numbers: range) -> Finder:
        def look(goals: Sequence[Goal]) -> Found:
            asked.append((name, len(goals)))
            return find_further_rows(MODEL, SEED, numbers, Noticed.OUTCOMES, goals)

        return look

    none, some = note("none", FAR_NUMBERS[:first]), note("some", FAR_NUMBERS)
    drawn = find_with([none, some, none])

    assert asked == [("none", 1), ("some", 1)]
    assert {row["value"] for row in drawn.rows} == {1234}
    assert drawn.list_showing_rows(0, np.arange(20)) == list(range(20, 20 + len(drawn.rows)))


def test_what_every_finder_leaves_open_no_row_shows() -> None:
    drawn = find_with([])

    assert drawn.rows == ()
    assert drawn.list_showing_rows(0, np.arange(20)) == []
