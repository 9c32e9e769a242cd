"""Control paths of a procedure, counted by hand."""

from __future__ import annotations

import pytest

from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.readings.scalar import holds
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.solving.paths import ControlPaths, find_paths
from sopforge.proof.solving.unfolding import unfold
from tests.worlds.small_models import branches, claims, orders, parcel


def paths_of(model: DomainModel, most: int = 1_000, *, drawn: int = 0) -> ControlPaths:
    rows = sample_rows(model, 5, range(drawn))
    walks = [label_row(model, row) for row in rows if all(holds(t, row) for t in model.constraints)]
    taken = [tuple(walk.path) for walk in walks if not walk.refusal and not walk.undecided]
    return find_paths(model, unfold(model), taken, most)


def test_every_branch_doubles_the_paths() -> None:
    found = paths_of(branches(50, 50, 50))

    assert [path.id for path in found.feasible][:2] == [
        "s0 > s0.1 > x0 > x0.1 > s1 > s1.1 > x1 > x1.1 > s2 > s2.1 > x2 > x2.1 > s3 > s3.1 > done",
        "s0 > s0.1 > x0 > x0.1 > s1 > s1.1 > x1 > x1.1 > s2 > s2.2 > s3 > s3.1 > done",
    ]
    assert len({path.id for path in found.feasible}) == 8
    assert found.infeasible == []
    assert found.is_whole


def test_an_edge_that_no_case_enters_is_cut_off_with_all_that_follows() -> None:
    found = paths_of(branches(50, 50, 50, constraints=["f0 < 50 or f1 < 50"]))

    assert len(found.feasible) == 6
    assert [path.id for path in found.infeasible] == ["s0 > s0.1 > x0 > x0.1 > s1 > s1.1 > x1"]


@pytest.mark.parametrize(
    "model", [parcel(), claims(), orders()], ids=["parcel", "claims", "orders"]
)
def test_drawn_rows_spare_questions_and_change_no_answer(model: DomainModel) -> None:
    assert paths_of(model, drawn=300) == paths_of(model)


@pytest.mark.parametrize("model", [claims(), orders()], ids=["claims", "orders"])
def test_a_row_meets_the_condition_of_its_own_path_alone(model: DomainModel) -> None:
    feasible = paths_of(model).feasible
    rows = [
        row
        for row in sample_rows(model, 11, range(400))
        if all(holds(test, row) for test in model.constraints)
    ]

    for row in rows:
        walk = label_row(model, row)
        if not walk.refusal and not walk.undecided:
            met = [path.nodes for path in feasible if holds(path.condition, row)]
            assert met == [tuple(walk.path)]


def test_more_paths_than_are_wanted_are_left_out() -> None:
    found = paths_of(branches(50, 50, 50), most=5)

    assert len(found.feasible) == 5
    assert not found.is_whole
    assert paths_of(branches(50, 50, 50), most=8).is_whole
