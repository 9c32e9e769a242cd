"""Fixtures that several folders share: the shipped brief's whole pipeline, and golden files."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TypeAlias

import pytest
import typer.main
import typer.testing

from sopforge.language.domain.documents import yaml_documents
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.releases import publishing
from sopforge.pipeline.releases.publishing import Published, publish
from sopforge.pipeline.stages.building import version as building
from sopforge.pipeline.stages.pipeline import advance, build_workspace, list_approved_versions
from sopforge.store.opening import open_store
from sopforge.store.versions import Store
from sopforge.workspace import Workspace
from tests.sampling import iterate_left_out, read_list
from tests.worlds.keys import make_key
from tests.worlds.packages import package_texts
from tests.worlds.shared_builds import Shared

# The other cores have tests of their own.
os.environ.setdefault("SOPFORGE_JOBS", "1")
# A slow machine must not add lines to what commands print.
os.environ.setdefault("SOPFORGE_PROGRESS", "0")
# Thousands of tests stay in memory: to look through them for garbage as often as a command does
# would take a sixth of the time.
gc.set_threshold(20_000, 20, 50)
# Pytest keeps what it compiles of tests, a third of the time of collecting them, as Python does.
sys.dont_write_bytecode = False
# What is on the disk matters after a power cut alone, and a test of those notes each call; other
# tests would wait for the disk some thousand times.
setattr(os, "fsync", lambda handle: None)  # noqa: ARG005, B010 - of any file; mypy's
# Typer reads the signatures of all commands at each call, half of the time of a quick one.
setattr(typer.main, "get_command", cache(typer.main.get_command))  # noqa: B010 - mypy's
setattr(typer.testing, "_get_command", typer.main.get_command)  # noqa: B010 - mypy's
# The same briefs are read thousands of times, a tenth of the time of tests; nobody changes a node.
setattr(yaml_documents, "compose_node", lru_cache(500)(yaml_documents.compose_node))  # noqa: B010 - mypy's

Golden: TypeAlias = Callable[[Path, str], None]
OWN = pytest.StashKey[bool]()

BRIEFS = Path(__file__).parent.parent / "briefs"


@dataclass(frozen=True)
class Released:
    """A store in which the shipped brief is approved and published; tests leave it as it is."""

    store: Store
    published: Published

    @property
    def package(self) -> dict[str, str]:
        """The files of the plain package."""
        return package_texts(Path(self.published.packages["L0"]))


@pytest.fixture(scope="session")
def patient_brief() -> Brief:
    """Return the brief of the patient intake."""
    path = BRIEFS / "patient_intake.yaml"
    draft = BRIEFS / "drafts" / "patient_intake.md"
    return read_brief(
        path.read_text(encoding="utf-8"), path.name, draft.read_text(encoding="utf-8")
    )


@pytest.fixture(scope="session", autouse=True)
def shared(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Shared]:
    """Return what the processes of a test run made so far; a stage is built once by all."""
    base = tmp_path_factory.getbasetemp()
    # The folders of workers lie beside each other.
    home = base.parent if hasattr(request.config, "workerinput") else base
    made = Shared(home / "shared")
    with pytest.MonkeyPatch.context() as patch:
        stash = request.config.stash
        patch.setattr(building, "build_and_repair", made.share_builds(lambda: stash[OWN]))
        patch.setattr(publishing, "check_packages", made.share_examinations(lambda: stash[OWN]))
        yield made


def pytest_collection_finish() -> None:
    """Leave out what was imported and collected, which stays, wherever garbage is looked for."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Note whether a test builds its stages itself, before its fixtures do."""
    item.config.stash[OWN] = item.get_closest_marker("own_builds") is not None


@pytest.fixture(scope="session")
def released(patient_brief: Brief, shared: Shared) -> Released:
    """Return the store after the whole pipeline."""

    def make(folder: Path) -> Published:
        store = open_store(folder)
        advance(store, patient_brief, approve_clean=True)
        return publish(store, patient_brief)

    folder, published = shared.get_folder("patient-intake", make)
    return Released(open_store(folder), published)


@pytest.fixture(scope="session")
def sound(patient_brief: Brief, released: Released) -> Workspace:
    """Return the workspace with the files of all stages, and of the plain package."""
    stages = build_workspace(patient_brief, list_approved_versions(released.store, patient_brief))
    return stages.with_files({f"package/{name}": text for name, text in released.package.items()})


@pytest.hookimpl(tryfirst=True)  # Before those are left out that carry the mark.
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what ``sampled.txt`` leaves to ``make exhaustive``."""
    for item in iterate_left_out(items, *read_list()):
        item.add_marker(pytest.mark.exhaustive)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer ``--rewrite-golden``."""
    parser.addoption(
        "--rewrite-golden",
        action="store_true",
        help="write the golden files from what the tests find, to be read before they are kept",
    )


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Return what compares a text with a golden file, or rewrites the file where so asked."""

    def compare(path: Path, text: str) -> None:
        if request.config.getoption("--rewrite-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8")

    return compare


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return a key for each of two persons, and one of a stranger."""
    folder = tmp_path_factory.mktemp("keys")
    return {name: make_key(folder, name) for name in ("ada", "grace", "mallory")}
