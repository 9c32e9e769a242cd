"""Boundaries that no case comes near to by one unit: the nearest values of cases show them."""

from __future__ import annotations

from functools import cache

import pytest

from sopforge.language.domain.documents.schema import DatasetDocument
from sopforge.language.domain.model import DomainModel
from sopforge.proof.dataset.coverage.coverage import (
    NEAREST,
    GoalVerdict,
    compute_coverage,
    read_coverage,
)
from sopforge.proof.dataset.coverage.covering import Covering, Unmet, cover_goals
from sopforge.proof.dataset.coverage.drawing import Draw, draw_tasks
from sopforge.proof.dataset.tasks.recounting import recount_coverage
from sopforge.proof.dataset.tasks.writing import render_coverage_json
from tests.judges.walked_mistakes import Walked
from tests.worlds.small_models import held_parcels

G1, G2 = "guard releaseParcel.G1, part 1 at ", "guard releaseParcel.G2, part 2 at "


@cache
def parcels() -> DomainModel:
    return held_parcels()


@cache
def covering() -> Covering:
    return cover_goals(parcels(), 5)


@cache
def drawn() -> Draw:
    return draw_tasks(parcels(), DatasetDocument.model_validate({"n_samples": 30, "seed": 5}))


def weights(goal: str) -> set[object]:
    """Return the weights, in 0.01 kg, of the tasks that show a goal."""
    (model_goal,) = (item for item in covering().goals if item.id == goal)
    tasks = [Walked(parcels(), task.row) for task in covering().tasks]
    found = [(item, item.noticed(wrong)) for item in tasks for wrong in model_goal.wrong]
    return {item.row["weight"] for item, noticed in found if noticed and noticed[0]}


@pytest.mark.parametrize(
    ("goal", "shown"),
    [
        (f"{G1}-1", {2499}),
        (f"{G1}+0", {2500}),
        (f"{G1}+1", {2501}),
        (f"{G2}-1", {1166}),
        (f"{G2}+1", {1167}),
    ],
)
def test_a_limit_is_shown_by_the_nearest_weights(goal: str, shown: set[object]) -> None:
    """Each kilogram above 5 costs 1.50 dollars: 30 dollars at 25.00 kg, 10 dollars at none.

    0.01 kg are 1.5 cents, so that 24.99 kg and 25.01 kg are nearest to the limit of 30 dollars, and
    11.66 kg (9.99 dollars) and 11.67 kg (10.005 dollars) to that of 10 dollars.
    """
    assert weights(goal) == shown


def test_how_far_off_the_nearest_values_are_is_known() -> None:
    """In units of 0.0001 dollars: 0.0150 on both sides, and 0.0100 and 0.0050."""
    assert covering().nearest == {f"{G1}-1": 150, f"{G1}+1": 150, f"{G2}-1": 100, f"{G2}+1": 50}
    assert covering().collect_impossible_goals() == {f"{G2}+0"}


def test_nearest_values_may_change_the_path_alone() -> None:
    """Whether a parcel is too dear or not, it goes."""
    model = held_parcels(("too_dear: hold", "too_dear: done"))
    found = cover_goals(model, 5)

    assert {name: found.unmet.get(name) for name in found.nearest if G1 in name} == {
        f"{G1}-1": Unmet.PATH_ONLY,
        f"{G1}+1": Unmet.PATH_ONLY,
    }


def test_the_report_names_the_nearest_values_and_is_read_back_and_counted_again() -> None:
    draw = drawn()
    text = render_coverage_json(parcels(), draw, compute_coverage(draw, {}))

    report = read_coverage(text)
    for name, gap in covering().nearest.items():
        goal = report.goals[name]
        assert (goal.verdict, goal.gap) == (GoalVerdict.PRIMARY, gap)
        assert goal.words.endswith(NEAREST)
        assert goal.tasks
    assert [name for name, goal in report.goals.items() if goal.gap] == list(covering().nearest)
    assert recount_coverage(parcels(), text, draw.tasks)[0] == text
