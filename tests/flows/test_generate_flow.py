from __future__ import annotations

import json
import logging
from collections.abc import Coroutine
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import pytest
from prefect import Flow, get_client
from prefect.artifacts import Artifact
from prefect.client.schemas.filters import FlowFilter, FlowFilterName
from prefect.client.schemas.objects import Artifact as Shown
from prefect.client.schemas.objects import State

from flows import run_display, running, waiting_mark
from flows.continue_domains import continue_domains
from flows.generate import generate_domain
from flows.publish import publish_domain
from flows.regenerate import regenerate_domain
from sopforge.errors import Fault, MaterialError, ProviderError
from sopforge.pipeline.briefs.brief_files import load_latest_brief
from sopforge.pipeline.briefs.taking import Newer
from sopforge.pipeline.runs.at_work import RunAtWork, find_run_at_work
from sopforge.pipeline.runs.continuing import find_due_run
from sopforge.pipeline.stages.building import version as building
from sopforge.pipeline.stages.pipeline import Order, build_version
from sopforge.progress.tracking import enter_step, track
from sopforge.store.entries import DeciderKind, DecisionVerdict
from sopforge.store.last_run import RunSettings, load_last_run
from sopforge.store.log.audit_log import AuditLog, Opinion
from sopforge.store.opening import open_store
from sopforge.store.versions import DomainStore, Store, Version
from sopforge.workspace import STAGE_NAMES

pytestmark = pytest.mark.usefixtures("prefect_server")

BRIEF = Path(__file__).parents[1] / "briefs" / "refund.yaml"
DOMAIN = "refund"
FIRST = datetime.min.replace(tzinfo=UTC)


def run(store: Store, *, approve_clean: bool = False) -> State[State[None]]:
    return generate_domain(
        str(BRIEF), store=store.place, approve_clean=approve_clean, return_state=True
    )


def decide(store: Store, stage: str, verdict: DecisionVerdict) -> None:
    [version] = store.get_domain(DOMAIN).list_versions(stage)
    with store.get_domain(DOMAIN).lock():
        AuditLog(store.get_domain(DOMAIN)).append_decision(
            version, verdict, "reviewer", DeciderKind.PERSON
        )


def stages_in(store: Store) -> list[str]:
    return sorted(path.name for path in (Path(store.place, DOMAIN) / "stages").glob("*"))


class Builds:
    """Stands in for ``build_version``: notes each call, and fails as often as it is asked to."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.stages: list[str] = []

    def __call__(self, domain: DomainStore, order: Order) -> Version:
        self.stages.append(order.stage.name)
        if self.failures:
            raise self.failures.pop(0)
        return build_version(domain, order)


def test_work_inside_a_stage_is_in_the_log_beside_the_bar_and_in_the_lock(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    shown: list[tuple[float, str]] = []
    found: list[RunAtWork | None] = []

    def build(domain: DomainStore, order: Order) -> Version:
        with enter_step(order.stage.name):
            questions = track(range(3), "questions")
            next(questions)
            found.append(find_run_at_work(open_store(domain.place).get_domain(DOMAIN)))
            list(questions)
        return build_version(domain, order)

    monkeypatch.setattr(running, "build_version", build)
    monkeypatch.setattr(run_display, "LOG_SECONDS", 0.0)
    monkeypatch.setattr(run_display, "BETWEEN_BARS", 0.0)
    monkeypatch.setattr(running, "get_run_logger", lambda: logging.getLogger("run"))
    monkeypatch.setattr(
        run_display,
        "update_progress_artifact",
        lambda _bar, percent, text: shown.append((percent, text)),
    )
    with caplog.at_level(logging.INFO, "run"):
        run(store)
    assert "schema: questions 2 of 3" in [record.getMessage() for record in caplog.records]
    assert (0, "schema: questions 2 of 3") in shown
    assert [(run.stage, run.doing) for run in found if run] == [
        ("schema", "schema: questions 0 of 3")
    ]
    assert find_run_at_work(store.get_domain(DOMAIN)) is None


def artifact(key: str) -> Shown:
    """Return the newest artifact of a key."""
    found = Artifact.get(key)
    assert found is not None
    assert not isinstance(found, Coroutine)  # so typed for callers that await it
    return found


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path / "store")


def names(flow_name: str) -> set[str]:
    """Return the names of all runs of a flow."""
    with get_client(sync_client=True) as client:
        runs = client.read_flow_runs(flow_filter=FlowFilter(name=FlowFilterName(any_=[flow_name])))
    return {item.name for item in runs}


def test_runs_are_listed_under_the_domain_or_the_brief_that_they_were_given(store: Store) -> None:
    run(store)
    assert names("generate-domain") >= {BRIEF.stem}
    regenerate_domain(DOMAIN, store=store.place, return_state=True)
    assert names("regenerate-domain") >= {DOMAIN}
    generate_domain(domain=DOMAIN, store=store.place, return_state=True)
    assert names("generate-domain") >= {f"{DOMAIN} continued"}


def tags(store: Store) -> list[set[str]]:
    """Return the tags of the runs on a store, the first one first."""
    with get_client(sync_client=True) as client:
        runs = client.read_flow_runs(limit=200)
    own = [item for item in runs if item.parameters.get("store") == store.place]
    return [set(item.tags) for item in sorted(own, key=lambda item: item.start_time or FIRST)]


def test_the_run_after_which_a_domain_waits_is_tagged_and_said_in_an_event(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[tuple[str, str, object]] = []

    def emit(event: str, resource: dict[str, str], payload: dict[str, object]) -> None:
        events.append((event, resource["prefect.resource.name"], payload["stage"]))

    monkeypatch.setattr(waiting_mark, "emit_event", emit)
    elsewhere = open_store(tmp_path / "elsewhere")
    run(elsewhere)
    run(store)
    decide(store, "schema", DecisionVerdict.APPROVE)
    run(store)
    # Of the same domain in another store nothing was decided.
    assert tags(elsewhere) == [{DOMAIN, "awaiting-approval"}]
    assert tags(store) == [{DOMAIN}, {DOMAIN, "awaiting-approval"}]
    decide(store, "sop", DecisionVerdict.REJECT)
    run(store)
    assert tags(store) == [{DOMAIN}, {DOMAIN}, set()]
    waits = "sopforge.gate.awaiting-approval"
    assert events == [
        (waits, "refund schema", "schema"),
        (waits, "refund schema", "schema"),
        (waits, "refund sop", "sop"),
    ]


def test_a_run_ends_at_the_first_gate_as_a_completed_state(store: Store) -> None:
    state = run(store)
    [schema] = store.get_domain(DOMAIN).list_versions("schema")
    assert (state.name, state.is_completed()) == ("AwaitingApproval", True)
    assert state.message == (
        f"refund: schema {schema.manifest.content[:12]} waits. "
        f"Approve: sopforge approve refund schema --digest {schema.manifest.content[:12]}"
        f" --store {Path(store.place)} | Continue: prefect deployment run generate-domain/local"
        f" --param domain=refund --param store={Path(store.place)}"
    )
    assert stages_in(store) == ["schema"]


def test_a_run_after_an_approval_builds_the_next_stage_and_no_other(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(store)
    decide(store, "schema", DecisionVerdict.APPROVE)
    builds = Builds()
    monkeypatch.setattr(running, "build_version", builds)
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
    monkeypatch.setattr(running, "build_version", builds)
    assert run(store).name == "AwaitingApproval"
    assert builds.stages == []


def test_a_rejection_ends_the_next_run_as_rejected(store: Store) -> None:
    run(store)
    decide(store, "schema", DecisionVerdict.REJECT)
    state = run(store)
    assert (state.name, state.is_completed()) == ("Rejected", True)
    assert stages_in(store) == ["schema"]


@pytest.mark.own_builds
def test_a_stage_that_fails_stores_nothing_and_the_next_run_goes_on(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(store)
    decide(store, "schema", DecisionVerdict.APPROVE)
    fault = Fault("cannot-examine", "the stage is built, but cannot be examined")
    with monkeypatch.context() as patched:
        patched.setattr(building, "examine", Raises(MaterialError(fault)))
        assert run(store).is_failed()
    assert stages_in(store) == ["schema"]
    assert run(store).name == "AwaitingApproval"
    assert stages_in(store) == ["schema", "sop"]


def test_an_error_of_the_machine_is_tried_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    builds = Builds(OSError("no space left on device"))
    monkeypatch.setattr(running, "build_version", builds)
    assert run(store).name == "AwaitingApproval"
    assert builds.stages == ["schema", "schema"]


def test_a_model_that_is_out_of_order_is_asked_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    builds = Builds(ProviderError(Fault("model-unavailable", "no answer after 6 attempts")))
    monkeypatch.setattr(running, "build_version", builds)
    assert run(store).name == "AwaitingApproval"
    assert builds.stages == ["schema", "schema"]


@pytest.mark.parametrize("code", ["budget-reached", "model-key-refused"])
def test_what_a_person_has_to_settle_is_not_tried_again(
    store: Store, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    builds = Builds(ProviderError(Fault(code, "no retry helps here")))
    monkeypatch.setattr(running, "build_version", builds)
    assert run(store).is_failed()
    assert builds.stages == ["schema"]


def test_an_error_in_the_material_is_not_tried_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    builds = Builds(MaterialError(Fault("broken", "no retry helps here")))
    monkeypatch.setattr(running, "build_version", builds)
    state = run(store)
    assert state.is_failed()
    assert state.message is not None
    assert state.message == "no retry helps here (broken)"
    assert builds.stages == ["schema"]


def test_a_page_at_the_gate_shows_the_findings_and_how_to_approve(store: Store) -> None:
    run(store)
    page = artifact("gate-refund-schema")
    [schema] = store.get_domain(DOMAIN).list_versions("schema")
    approve = f"sopforge approve refund schema --digest {schema.manifest.content[:12]}"
    assert "The checks found nothing." in str(page.data)
    description = f"schema version 1 {schema.manifest.content[:12]} waits at its gate; no findings"
    assert page.description == description
    assert approve in str(page.data)


def test_approve_clean_goes_through_all_gates_to_a_release(store: Store) -> None:
    state = run(store, approve_clean=True)
    assert (state.name, state.is_completed()) == ("Approved", True)
    published = publish_domain(DOMAIN, store.place, return_state=True)
    [release] = store.get_domain(DOMAIN).list_releases()
    assert published.name == "Published"
    assert (
        published.message
        == f"refund 1.0.0 is published, in {store.place}/{DOMAIN}/releases/{release}"
    )


def test_a_domain_goes_on_from_its_kept_brief(store: Store) -> None:
    run(store)
    decide(store, "schema", DecisionVerdict.APPROVE)
    state = generate_domain(domain=DOMAIN, store=store.place, return_state=True)
    assert state.name == "AwaitingApproval"
    assert stages_in(store) == ["schema", "sop"]


def test_a_run_that_is_to_publish_ends_with_a_table_of_the_packages(store: Store) -> None:
    state = generate_domain(
        str(BRIEF), store=store.place, approve_clean=True, publish=True, return_state=True
    )
    assert state.name == "Published"
    shown = artifact("release-refund")
    rows = json.loads(str(shown.data))
    assert [(row["level"], row["tasks"], row["tools"]) for row in rows] == [
        ("L0", "12", "2"),
        ("L1", "12", "2"),
    ]
    assert rows[1]["package"] == f"{store.place}/refund/releases/1.0.0/refund_l1"
    assert shown.description == f"refund 1.0.0, in `{store.place}/refund/releases/1.0.0`."


def test_a_bar_shows_how_far_the_stages_are(store: Store) -> None:
    run(store, approve_clean=True)
    shown = artifact("progress-refund")
    assert (shown.data, shown.description) == (100.0, "all stages are approved")


def test_a_gate_that_is_passed_shows_who_approved_and_offers_nothing(store: Store) -> None:
    run(store)
    decide(store, "schema", DecisionVerdict.APPROVE)
    run(store)
    [schema] = store.get_domain(DOMAIN).list_versions("schema")
    passed = artifact("gate-refund-schema")
    description = f"schema version 1 {schema.manifest.content[:12]} approved by reviewer"
    assert passed.description == description
    assert "sopforge approve" not in str(passed.data)
    assert "waits at its gate" in str(artifact("gate-refund-sop").description)


def test_publishing_shows_the_last_gate_as_passed_and_the_release_as_the_end(store: Store) -> None:
    for stage in STAGE_NAMES:
        run(store)
        decide(store, stage, DecisionVerdict.APPROVE)
    publish_domain(DOMAIN, store.place, return_state=True)
    assert str(artifact("gate-refund-complexity").description).endswith("approved by reviewer")
    bar = artifact("progress-refund")
    assert (bar.data, bar.description) == (
        100.0,
        f"published 1.0.0 in {store.place}/refund/releases/1.0.0",
    )


def test_what_is_built_again_waits_nowhere_meanwhile(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(store)
    decide(store, "schema", DecisionVerdict.APPROVE)
    run(store)
    [waiting] = store.get_domain(DOMAIN).list_versions("sop")
    with store.get_domain(DOMAIN).lock():
        log = AuditLog(store.get_domain(DOMAIN))
        asked = Opinion(feedback="Shorter.")
        log.append_decision(
            waiting, DecisionVerdict.REQUEST_CHANGES, "ada", DeciderKind.PERSON, asked
        )
        store.get_domain(DOMAIN).set_waiting(None)
    fault = MaterialError(Fault("broken", "no retry helps here"))
    monkeypatch.setattr(running, "build_version", Builds(fault))
    run(store)
    assert artifact("gate-refund-sop").description == "sop is being built"
    assert artifact("progress-refund").description == "failed: no retry helps here (broken)"


def test_a_gate_with_two_approvers_says_who_has_approved(store: Store, tmp_path: Path) -> None:
    asked = tmp_path / "refund.yaml"
    text = BRIEF.read_text(encoding="utf-8")
    asked.write_text(f"{text}\ngates: {{approvers: {{schema: 2}}}}\n", encoding="utf-8")
    generate_domain(str(asked), store=store.place, return_state=True)
    decide(store, "schema", DecisionVerdict.APPROVE)
    state = generate_domain(str(asked), store=store.place, return_state=True)
    standing = "2 people must approve it; it has 1 of these, by reviewer."
    assert standing in str(state.message)
    assert standing in str(artifact("gate-refund-schema").data)


def test_a_domain_goes_on_as_its_last_run_was_asked_for_unless_something_else_is_said(
    store: Store,
) -> None:
    asked = {"publish": True, "budget": Decimal("2.50")}
    generate_domain(str(BRIEF), store=store.place, return_state=True, **asked)
    decide(store, "schema", DecisionVerdict.APPROVE)
    generate_domain(domain=DOMAIN, store=store.place, return_state=True)
    kept = load_last_run(store.get_domain(DOMAIN)).settings
    assert kept == RunSettings(publish=True, budget=Decimal("2.50"))

    state = generate_domain(
        domain=DOMAIN, store=store.place, approve_clean=True, publish=False, return_state=True
    )
    assert state.name == "Approved"
    again = load_last_run(store.get_domain(DOMAIN)).settings
    assert again == RunSettings(approve_clean=True, budget=Decimal("2.50"))


def test_a_run_that_exits_is_cut_off_and_the_next_one_goes_on(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "build_version", Raises(SystemExit(1)))
    with pytest.raises(SystemExit):
        run(store)
    assert load_last_run(store.get_domain(DOMAIN)).ended == ""
    assert artifact("progress-refund").description == "was stopped from outside"
    due = find_due_run(store.get_domain(DOMAIN))
    assert due is not None
    assert due.after == "its brief"


def test_a_server_that_is_lost_in_a_stage_leaves_the_run_to_be_gone_on_with(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = httpx.ConnectError("refused")
    monkeypatch.setattr(running, "build_version", Raises(lost))
    monkeypatch.setattr(running, "RETRY_SECONDS", [])
    state = run(store)
    assert str(state.message).startswith("Prefect's server did not accept the result of schema")
    assert load_last_run(store.get_domain(DOMAIN)).ended == ""


def test_an_unknown_domain_is_reported_with_the_nearest(store: Store) -> None:
    run(store)
    state = generate_domain(domain="refnd", store=store.place, return_state=True)
    assert state.is_failed()
    assert "hint: did you mean 'refund'?" in str(state.message)


@pytest.mark.parametrize("name", ["Refund", "../refund", ""])
def test_what_is_not_the_name_of_a_domain_is_explained(store: Store, name: str) -> None:
    state = generate_domain(domain=name, store=store.place, return_state=True)
    message = f"{name!r} is not the name of a domain: write small letters, digits and _"
    assert message in str(state.message)


def test_a_brief_and_a_domain_are_not_both_meant(store: Store) -> None:
    state = generate_domain(str(BRIEF), domain=DOMAIN, store=store.place, return_state=True)
    assert "brief-and-domain" in str(state.message)


def test_a_brief_that_the_store_is_ahead_of_is_taken_only_if_asked_for(store: Store) -> None:
    run(store)
    context = "Gifts are not refunded."
    regenerate_domain(DOMAIN, context=context, store=store.place, return_state=True)

    refused = run(store)
    merged = generate_domain(str(BRIEF), store=store.place, newer=Newer.MERGE, return_state=True)

    assert "brief-older" in str(refused.message)
    assert merged.is_completed()
    assert load_latest_brief(store.get_domain(DOMAIN)).parts.context == (context,)


def test_a_run_keeps_its_store_in_a_bucket(
    s3: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", s3)
    place = f"s3://sops/{tmp_path.name}"
    state = generate_domain(str(BRIEF), store=place, return_state=True)
    assert state.name == "AwaitingApproval"
    assert f"--store {place}" in str(state.message)
    [version] = open_store(place).get_domain(DOMAIN).list_versions("schema")
    assert f"in `{place}/refund/stages/schema/0001`" in str(artifact("gate-refund-schema").data)
    assert version.is_intact


@pytest.mark.parametrize(
    "entrypoint", [generate_domain, regenerate_domain, publish_domain, continue_domains]
)
def test_each_parameter_is_explained_where_it_is_asked_for(entrypoint: Flow[..., Any]) -> None:
    properties = entrypoint.parameters.properties
    assert properties
    assert [name for name, shown in properties.items() if not shown.get("description")] == []


def test_publishing_before_all_approvals_fails(store: Store) -> None:
    run(store)
    state = publish_domain(DOMAIN, store.place, return_state=True)
    assert state.is_failed()
    assert store.get_domain(DOMAIN).list_releases() == []


class Raises:
    """Stands in for a function; raises the given error at each call."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __call__(self, *_arguments: object) -> list[object]:
        raise self.error
