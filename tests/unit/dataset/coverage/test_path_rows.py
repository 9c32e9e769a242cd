"""Tasks for control paths: as the brief asks, and by the number of tasks where it does not."""

from __future__ import annotations

import json

import pytest

from sopforge.errors import MaterialError
from sopforge.language.domain.documents.schema import DatasetDocument
from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.readings.scalar import holds
from sopforge.proof.dataset.coverage.coverage import compute_coverage
from sopforge.proof.dataset.coverage.drawing import Draw, draw_tasks
from sopforge.proof.dataset.tasks.writing import render_coverage_json
from tests.worlds.small_models import branches, orders

MODEL = branches(50, 50, 50, 97, 97)
RARE = branches(50, 50, 99, 99, 99)
PATHS = 32


def drawn(
    model: DomainModel,
    samples: int,
    paths: object = None,
    mix: str = "natural",
    noticed_by: str = "outcomes",
) -> Draw:
    coverage = {"paths": paths, "noticed_by": noticed_by}
    asked = {"n_samples": samples, "seed": 3, "mix": mix, "coverage": coverage}
    return draw_tasks(model, DatasetDocument.model_validate(asked))


def taken(draw: Draw) -> set[tuple[str, ...]]:
    return {tuple(task.walk.path) for task in draw.tasks}


def control_paths(model: DomainModel, draw: Draw) -> dict[str, object]:
    found = json.loads(render_coverage_json(model, draw, compute_coverage(draw, {})))[
        "control_paths"
    ]
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("model", [MODEL, RARE], ids=["drawn", "solved"])
def test_each_path_has_a_task_where_there_are_twice_as_many_tasks(model: DomainModel) -> None:
    draw = drawn(model, 2 * PATHS)

    assert len(taken(draw)) == PATHS
    assert len(draw.tasks) == 2 * PATHS
    report = control_paths(model, draw)
    assert report["asked_for"] == "all paths"
    assert report["feasible"] == PATHS
    assert report["not_asked_for"] == []


def test_fewer_tasks_leave_paths_that_are_listed() -> None:
    draw = drawn(RARE, 2 * PATHS - 20)

    report = control_paths(RARE, draw)
    assert report["asked_for"] == "0 paths and edge pairs"
    assert isinstance(report["not_asked_for"], list)
    assert len(report["not_asked_for"]) == PATHS - len(taken(draw)) > 0


@pytest.mark.parametrize("mix", ["balanced", pytest.param("natural", marks=pytest.mark.exhaustive)])
def test_more_tasks_keep_those_of_fewer_across_the_number_from_which_all_paths_are_taken(
    mix: str,
) -> None:
    whole = drawn(RARE, 90, mix=mix).tasks

    for samples in (30, 40, 55, 60, 63, 64, 65, 70):
        few = drawn(RARE, samples, mix=mix).tasks
        ids = {task.id for task in few}
        assert [task for task in whole if task.id in ids] == list(few)


def test_all_paths_can_be_asked_for_with_as_many_tasks_as_they_need() -> None:
    with pytest.raises(MaterialError) as caught:
        drawn(RARE, 31, "all")
    (fault,) = caught.value.faults
    needed = int(fault.message.rpartition(" ")[2])

    assert fault.code == "n-samples-too-small"
    assert needed > PATHS
    assert fault.hint.startswith(f"write n_samples: {needed} or more")
    assert len(taken(drawn(RARE, needed, "all"))) == PATHS
    with pytest.raises(MaterialError):
        drawn(RARE, needed - 1, "all")


def test_a_number_of_paths_can_be_asked_for() -> None:
    few, some = (drawn(RARE, 50, paths) for paths in ("edge-pairs", 25))

    assert len(taken(few)) < 25 <= len(taken(some))
    assert control_paths(RARE, some)["asked_for"] == "25 paths and edge pairs"


def test_edge_pairs_are_shown_where_paths_are_to_notice_mistakes() -> None:
    """The result depends on the first branch alone, so that no answer shows the others."""
    draw = drawn(RARE, 40, "edge-pairs", noticed_by="trajectory")

    pairs = {
        (first, third)
        for path in taken(draw)
        for first, third in zip(path[1::2], path[3::2], strict=False)
    }
    expected = {
        (before, after)
        for place in range(1, 5)
        for before in (f"x{place - 1}.1", f"s{place - 1}.2")
        for after in (f"s{place}.1", f"s{place}.2")
    }
    assert expected <= pairs


def test_rows_of_paths_satisfy_the_constraints_and_own_their_ids() -> None:
    model = branches(50, 50, 99, 99, 99, constraints=["f2 + f3 <= 150", "f0 != f1"])

    draw = drawn(model, 80)

    assert len({task.row["case_id"] for task in draw.tasks}) == 80
    for task in draw.tasks:
        assert all(holds(test, task.row) for test in model.constraints)
    # Of 99 and 99 no two fit under 150: the paths that are off at both are impossible.
    assert len(taken(draw)) == 24
    assert control_paths(model, draw)["infeasible"] != []


def test_dangling_references_are_paths_too() -> None:
    model = orders()
    draw = drawn(model, 60)

    assert control_paths(model, draw)["asked_for"] == "all paths"
    assert any("refused" in node for path in taken(draw) for node in path)
