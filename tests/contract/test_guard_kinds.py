"""Guards with alternatives in order and with what must not hold, from a brief to a package."""

from __future__ import annotations

import json
from pathlib import Path

from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.releases.publishing import publish
from sopforge.pipeline.stages.pipeline import Ending, advance
from sopforge.store.opening import open_store
from tests.worlds.packages import package_texts
from tests.worlds.small_models import PERMITS


def test_each_leaf_of_a_guard_decides_alone_in_tasks_of_a_package(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    brief = read_brief(PERMITS, "permits.yaml")

    assert advance(store, brief, approve_clean=True).ending is Ending.APPROVED
    package = package_texts(Path(publish(store, brief).packages["L0"]))

    goals = json.loads(package["grader/coverage.json"])["goals"].values()
    parts = [
        goal
        for goal in goals
        if goal["kind"] == "part of a condition" and "guard grantPermit." in goal["words"]
    ]
    # Two leaves below the "not", four below the alternatives; each with either result.
    assert len(parts) == 12
    assert all(goal["tasks"] for goal in parts)
