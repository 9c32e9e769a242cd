"""A version is shown with what it was made from, though there are newer versions of that."""

from __future__ import annotations

from pathlib import Path

import pytest

from review.reading.version_inputs import load_workspace
from sopforge.pipeline.stages.pipeline import STAGES, advance
from sopforge.store.opening import open_store
from sopforge.store.versions import Store
from tests.unit.review.app.conftest import refund


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Return a store in which all stages were made twice, of a limit of 30 days and of 20."""
    store = open_store(tmp_path_factory.mktemp("twice"))
    for days in (30, 20):
        brief = refund(("{value: 30, unit: days", f"{{value: {days}, unit: days"))
        advance(store, brief, approve_clean=True)
    return store


@pytest.mark.parametrize("stage", [stage.name for stage in STAGES])
@pytest.mark.parametrize(("number", "days"), [(1, 30), (2, 20)])
def test_the_files_are_those_of_the_same_making(
    twice: Store, stage: str, number: int, days: int
) -> None:
    versions = {item.number: item for item in twice.get_domain("refund").list_versions(stage)}
    if number not in versions:
        assert stage in {"api", "toolspec"}  # they do not state the limit
        return

    workspace = load_workspace(twice.get_domain("refund"), versions[number])

    names = [item.name for item in STAGES]
    made = {name.partition("/")[0] for name in workspace.files}
    assert made == set(names[: names.index(stage) + 1])
    assert f"value: {days}, unit: days" in workspace.files["schema/domain.yaml"]
    assert f"value: {days}, unit: days" in workspace.brief.text
    if "sop/sop.txt" in workspace.files:
        assert f"{days} days" in workspace.files["sop/sop.txt"]


def test_a_stage_before_that_is_damaged_is_left_out(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    version = advance(store, refund(), approve_clean=True).version
    store.objects.replace("refund/stages/sop/0001/files/sop.txt", b"changed")

    made = {
        name.partition("/")[0] for name in load_workspace(store.get_domain("refund"), version).files
    }

    assert "sop" not in made
    assert {"schema", "complexity"} <= made
