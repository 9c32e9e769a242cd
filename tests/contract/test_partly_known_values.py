"""A domain in which most values are known on some paths only becomes a solved package."""

from __future__ import annotations

from pathlib import Path

from sopforge.checks.package.package_solved import read_graded, run_agents
from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.releases.publishing import publish
from sopforge.pipeline.stages.pipeline import Ending, advance
from sopforge.store.opening import open_store
from tests.worlds.packages import package_texts
from tests.worlds.small_models import REBOOKING


def test_it_passes_all_gates_and_is_solved(tmp_path: Path) -> None:
    store, brief = open_store(tmp_path), read_brief(REBOOKING, "rebooking.yaml")
    ended = advance(store, brief, approve_clean=True)
    assert ended.ending is Ending.APPROVED, ended

    packages = publish(store, brief).packages
    for level in ("L0", "L3"):
        runs = {
            run.agent: run for run in run_agents(read_graded(package_texts(Path(packages[level]))))
        }
        assert runs["reference"].success == 1
