"""A procedure with parts, from its brief to a package that is solved."""

from __future__ import annotations

import json
from pathlib import Path

from sopforge.checks.package.package_solved import read_graded
from sopforge.language.domain.reading import read_brief
from sopforge.language.domain.tasks import Task
from sopforge.pipeline.releases.publishing import publish
from sopforge.pipeline.stages.pipeline import Ending, advance
from sopforge.store.opening import open_store
from tests.worlds.packages import package_texts
from tests.worlds.small_models import CALLERS


def test_parts_go_through_all_stages_to_a_package(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    brief = read_brief(CALLERS, "callers.yaml")

    assert advance(store, brief, approve_clean=True).ending is Ending.APPROVED
    package = package_texts(Path(publish(store, brief).packages["L0"]))

    graded = read_graded(package)
    shown: dict[str, list[Task]] = {
        part: [] for part in ("verify_large", "look", "verify_change", "check")
    }
    for task in graded.tasks:
        for node in shown.keys() & set(task.path):
            shown[node].append(task)
    # Each step with a part is come back to in some task: the edge out of it is taken.
    for step, tasks in shown.items():
        assert any(node.startswith(f"{step}.") for task in tasks for node in task.path), step
    coverage = json.loads(package["grader/coverage.json"])
    kinds = {item["kind"] for item in coverage["goals"].values()}
    assert "return" in kinds
