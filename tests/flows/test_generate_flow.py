from __future__ import annotations

from collections.abc import Coroutine
from pathlib import Path

import pytest
from prefect.artifacts import Artifact
from prefect.client.schemas.objects import State

from flows import generate
from flows.generate import generate_domain
from flows.publish import publish_domain
from sopforge.errors import Fault, MaterialError
from sopforge.stages import pipeline
from sopforge.stages.pipeline import Order, build_version
from sopforge.store.decisions import AuditLog, DeciderKind, Verdict
from sopforge.store.opening import open_store
from sopforge.store.versions import Store, Version

pytestmark = pytest.mark.usefixtures("prefect_server")

BRIEF = Path(__file__).parents[1] / "briefs" / "refund.yaml"
DOMAIN = "refund"


def run(store: Store, *, approve_clean: bool = False) -> State[State[None]]:
    return generate_domain(str(BRIEF), store.place, approve_clean=approve_clean, return_state=True)


def decide(store: Store, stage: str, verdict: Verdict) -> None:
    [version] = store.versions(DOMAIN, stage)
    with store.locked(DOMAIN):
        AuditLog(store, DOMAIN).decide(version, verdict, "reviewer", DeciderKind.PERSON)


def stages_in(store: Store) -> list[str]:
    return sorted(path.name for path in (Path(store.place, DOMAIN) / "stages").glob("*"))


class Builds:
    """Stands in for ``build_version``: notes each call, and fails as often as it is told to."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.stages: list[str] = []

    def __call__(self, store: Store, order: Order) -> Version:
        self.stages.append(order.stage.name)
        if self.failures:
            raise self.failures.pop(0)
        return build_version(store, order)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path / "store")


def test_a_run_ends_at_the_first_gate_as_a_completed_state(store: Store) -> None:
    state = run(store)
    [schema] = store.versions(DOMAIN, "schema")
    assert (state.name, state.is_completed()) == ("AwaitingApproval", True)
    assert state.message == (
        f"refund: schema {schema.manifest.content[:12]} waits. "
        f"Approve: sopforge approve refund schema --digest {schema.manifest.content[:12]}"
        f" --store {Path(store.place)} | Go on: prefect deployment run generate-domain/local"
        f" --param brief={BRIEF} --param store={Path(store.place)}"
    )
    assert stages_in(store) == ["schema"]


def test_a_run_after_an_approval_builds_the_next_stage_and_no_other(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(store)
    decide(store, "schema", Verdict.APPROVE)
    builds = Builds()
    monkeypatch.setattr(generate, "build_version", builds)
    state = run(store)
    assert state.name == "AwaitingApproval"
    assert state.message is not None
    assert state.message.startswith("refund: sop ")
    assert builds.stages == ["sop"]


def test_a_run_without_a_decision_builds_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(store)
    builds = Builds()
    monkeypatch.setattr(generate, "build_version", builds)
    assert run(store).name == "AwaitingApproval"
    assert builds.stages == []


def test_a_rejection_ends_the_next_run_as_rejected(store: Store) -> None:
    run(store)
    decide(store, "schema", Verdict.REJECT)
    state = run(store)
    assert (state.name, state.is_completed()) == ("Rejected", True)
    assert stages_in(store) == ["schema"]


def test_a_stage_that_fails_stores_nothing_and_the_next_run_goes_on(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(store)
    decide(store, "schema", Verdict.APPROVE)
    fault = Fault("cannot-examine", "the stage is built, but cannot be examined")
    with monkeypatch.context() as patched:
        patched.setattr(pipeline, "examine", Raises(MaterialError(fault)))
        assert run(store).is_failed()
    assert stages_in(store) == ["schema"]
    assert run(store).name == "AwaitingApproval"
    assert stages_in(store) == ["schema", "sop"]


def test_an_error_of_the_machine_is_tried_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    builds = Builds(OSError("no space left on device"))
    monkeypatch.setattr(generate, "build_version", builds)
    assert run(store).name == "AwaitingApproval"
    assert builds.stages == ["schema", "schema"]


def test_an_error_in_the_material_is_not_tried_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    builds = Builds(MaterialError(Fault("broken", "no retry mends this")))
    monkeypatch.setattr(generate, "build_version", builds)
    state = run(store)
    assert state.is_failed()
    assert state.message is not None
    assert "broken: no retry mends this" in state.message
    assert builds.stages == ["schema"]


def test_a_page_at_the_gate_shows_the_findings_and_how_to_approve(store: Store) -> None:
    run(store)
    page = Artifact.get("gate-refund-schema")
    assert page is not None
    assert not isinstance(page, Coroutine)  # so typed for callers that await it
    [schema] = store.versions(DOMAIN, "schema")
    approve = f"sopforge approve refund schema --digest {schema.manifest.content[:12]}"
    assert "The checks found nothing." in str(page.data)
    assert approve in str(page.data)


def test_approve_clean_goes_through_all_gates_to_a_release(store: Store) -> None:
    state = run(store, approve_clean=True)
    assert (state.name, state.is_completed()) == ("Approved", True)
    published = publish_domain(DOMAIN, store.place, return_state=True)
    [release] = store.releases(DOMAIN)
    assert published.name == "Published"
    assert (
        published.message
        == f"refund 1.0.0 is published, in {store.place}/{DOMAIN}/releases/{release}"
    )


def test_publishing_before_all_approvals_fails(store: Store) -> None:
    run(store)
    state = publish_domain(DOMAIN, store.place, return_state=True)
    assert state.is_failed()
    assert store.releases(DOMAIN) == []


class Raises:
    """Stands in for a function; raises the given error at each call."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __call__(self, *_arguments: object) -> list[object]:
        raise self.error
