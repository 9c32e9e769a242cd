"""Small domains with features of their own become packages, which their checks solve."""

from __future__ import annotations

import json
from importlib.metadata import version

import pytest

from tests.worlds.made_domains import make_domain
from tests.worlds.shared_builds import Shared


def test_each_leaf_of_a_guard_decides_alone_in_tasks_of_a_package(shared: Shared) -> None:
    package = make_domain(shared, "permits").package()

    goals = json.loads(package["grader/coverage.json"])["goals"].values()
    parts = [
        goal
        for goal in goals
        if goal["kind"] == "part of a condition" and "guard grantPermit." in goal["words"]
    ]
    # Two leaves below the "not", four below the alternatives; each with either result.
    assert len(parts) == 12
    assert all(goal["tasks"] for goal in parts)


def test_each_step_with_a_part_is_come_back_to_in_some_task(shared: Shared) -> None:
    workspace = make_domain(shared, "callers").workspace

    for step in ("verify_large", "look", "verify_change", "check"):
        paths = [task.path for task in workspace.tasks if step in task.path]
        # The edge out of it is taken.
        assert any(node.startswith(f"{step}.") for path in paths for node in path), step
    goals = json.loads(workspace.files["dataset/coverage.json"])["goals"].values()
    assert "return" in {goal["kind"] for goal in goals}


def test_values_that_fit_each_other_are_drawn_by_the_word_lists_that_versions_name(
    shared: Shared,
) -> None:
    domain = make_domain(shared, "stays").store.get_domain("stay_settlement")

    found = {
        domain.list_versions(stage)[0].manifest.inputs["words"]
        for stage in ("schema", "dataset", "tools")
    }
    assert found == {version("faker")}


@pytest.mark.exhaustive
def test_values_that_are_known_on_some_paths_only(shared: Shared) -> None:
    assert make_domain(shared, "rebooking").packages.keys() == {"L0", "L2", "L3"}
