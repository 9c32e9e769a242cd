"""A domain with names and values that fit each other becomes a solved package."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest

from sopforge.checks.package.package_solved import read_graded, run_agents
from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.releases.publishing import publish
from sopforge.pipeline.stages.pipeline import Ending, advance, list_approved_versions
from sopforge.store.opening import open_store
from sopforge.store.versions import Store
from tests.worlds.packages import package_texts
from tests.worlds.small_models import STAYS


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    store = open_store(tmp_path_factory.mktemp("store"))
    ended = advance(store, read_brief(STAYS, "stays.yaml"), approve_clean=True)
    assert ended.ending is Ending.APPROVED, ended
    return store


def test_it_passes_all_gates_and_is_solved(store: Store) -> None:
    packages = publish(store, read_brief(STAYS, "stays.yaml")).packages
    for level in ("L0", "L3"):
        runs = {
            run.agent: run for run in run_agents(read_graded(package_texts(Path(packages[level]))))
        }
        assert runs["reference"].success == 1


def test_the_version_of_the_word_lists_is_part_of_what_every_version_is_known_by(
    store: Store,
) -> None:
    versions = list_approved_versions(store, read_brief(STAYS, "stays.yaml"))

    assert {found.manifest.inputs["words"] for found in versions} == {version("faker")}
