from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from prefect.client.schemas.objects import State

from flows.generate import generate_domain
from flows.regenerate import regenerate_domain
from sopforge.pipeline.briefs.brief_files import list_kept_versions, load_latest_brief
from sopforge.store.opening import open_store
from sopforge.store.versions import Store

pytestmark = pytest.mark.usefixtures("prefect_server")

BRIEF = Path(__file__).parents[1] / "briefs" / "refund.yaml"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, prefect_server: None) -> Path:  # noqa: ARG001 - it is there
    place = tmp_path_factory.mktemp("store")
    generate_domain(str(BRIEF), store=str(place), approve_clean=True)
    return place


@pytest.fixture
def store(made: Path, tmp_path: Path) -> Store:
    """Return a store with an approved domain, of the test's own."""
    shutil.copytree(made, tmp_path / "store")
    return open_store(tmp_path / "store")


def regenerated(store: Store, **given: str) -> State[State[None]]:
    return regenerate_domain("refund", store=store.place, return_state=True, **given)


def test_context_builds_what_is_stale_up_to_its_gate(store: Store) -> None:
    state = regenerated(store, context="Staff wear\nbadges.")
    assert state.name == "AwaitingApproval"
    assert str(state.message).startswith("refund: sop ")
    assert load_latest_brief(store.get_domain("refund")).parts.context == ("Staff wear badges.",)


def test_context_may_be_in_a_file_and_is_added_once_if_the_run_is_tried_again(
    store: Store, tmp_path: Path
) -> None:
    note = tmp_path / "note.md"
    note.write_text("Staff wear badges.", encoding="utf-8")
    for _ in range(2):
        assert regenerated(store, context=str(note)).name == "AwaitingApproval"
    assert load_latest_brief(store.get_domain("refund")).parts.context == ("Staff wear badges.",)


def test_a_patch_changes_the_facts(store: Store, tmp_path: Path) -> None:
    patch = tmp_path / "patch.yaml"
    patch.write_text("policy: {refund_days: {value: 20}}\n", encoding="utf-8")
    assert regenerated(store, model_patch=str(patch)).name == "AwaitingApproval"
    assert (
        "value: 20" in store.get_domain("refund").list_versions("schema")[-1].files["domain.yaml"]
    )


def test_without_context_it_goes_on_where_it_waits(store: Store) -> None:
    assert regenerated(store).name == "Approved"
    assert list_kept_versions(store.get_domain("refund")) == ["0001"]


def test_a_patch_with_faults_changes_nothing(store: Store, tmp_path: Path) -> None:
    patch = tmp_path / "patch.yaml"
    patch.write_text("policy: {refund_dais: {value: 20}}\n", encoding="utf-8")
    state = regenerated(store, model_patch=str(patch))
    assert state.is_failed()
    assert "did you mean 'refund_days'?" in str(state.message)
    assert list_kept_versions(store.get_domain("refund")) == ["0001"]
