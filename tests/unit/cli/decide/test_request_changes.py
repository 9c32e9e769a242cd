"""Requests in words go to a language model alone, and no policy overrules them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.entries import DecisionVerdict
from sopforge.store.log.audit_log import AuditLog, Opinion
from sopforge.store.opening import open_store
from sopforge.store.versions import Store
from tests.running.commands import Ran, run
from tests.unit.authors.test_model_author import brief_of, replacing
from tests.unit.authors.test_model_author import run as run_with_model
from tests.worlds.quick_builds import LONGER, go, refund, settle
from tests.worlds.worded import let_worded_wait

WORDS = "Do not publish: the limit must be 30 days."


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Return a store in which a schema waits that was written from a model in the brief."""
    opened = open_store(tmp_path / "store")
    go(opened)
    return opened


def ask(store: Store, domain: str = "refund", words: str = WORDS) -> Ran:
    return run("request-changes", domain, "schema", "--feedback", words, "--store", store.place)


def list_verdicts(store: Store) -> list[tuple[str, str]]:
    entries = AuditLog(store.get_domain("refund")).list_entries()
    return [(item.verdict.value, item.by) for item in entries if item.stage == "schema"]


def waits_at(store: Store, domain: str = "refund") -> str:
    version = store.get_domain(domain).find_waiting_version()
    return version.manifest.stage if version else ""


def test_words_that_nobody_would_act_on_are_refused_with_what_to_do(store: Store) -> None:
    ran = ask(store)

    assert (ran.code, list_verdicts(store)) == (2, [])
    assert "feedback-unheeded: refund schema: no language model writes the schema" in ran.err
    for command in ("regenerate refund --model-patch FILE", "edit refund schema", "reject refund"):
        assert f"sopforge {command}" in ran.err


def test_words_that_are_blank_are_refused(store: Store) -> None:
    let_worded_wait(store, "refund")

    assert (ask(store, words=" ").code, list_verdicts(store)) == (2, [])


def test_no_policy_approves_what_a_person_sent_back(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    advance(store, refund())
    let_worded_wait(store, "refund")
    settle(store, "schema", DecisionVerdict.REQUEST_CHANGES, opinion=Opinion(WORDS))

    advance(store, refund(), approve_clean=True)
    assert waits_at(store) == "schema"

    settle(store, "schema")
    assert advance(store, refund()).version.manifest.stage == "sop"


def test_no_policy_approves_from_other_inputs_what_a_person_rejected(tmp_path: Path) -> None:
    """How often a reason occurs stands in the schema, and nowhere in the SOP."""
    store = open_store(tmp_path)
    advance(store, refund())
    settle(store, "schema")
    rejected = advance(store, refund()).version
    settle(store, "sop", DecisionVerdict.REJECT)

    other = refund(("weights: [40, 30, 30]", "weights: [50, 25, 25]"))
    ended = advance(store, other, approve_clean=True).version

    assert ended.manifest.stage == "sop"
    assert ended.manifest.content == rejected.manifest.content
    assert ended.manifest.key != rejected.manifest.key
    assert waits_at(store) == "sop"


def test_what_a_model_did_not_carry_out_waits_for_a_person(tmp_path: Path) -> None:
    store, brief = open_store(tmp_path), brief_of(gates={"approvers": {"schema": 2}})
    waiting, _ = run_with_model(tmp_path, {}, brief)
    assert waiting.version.manifest.stage == "schema"
    assert ask(store, "fees").code == 0

    unmoved = replacing(not_applied=("the limit is set by law",))
    ended, _ = run_with_model(tmp_path, {"edit_document": lambda _: unmoved}, brief_of())

    assert ended.version.manifest.stage == "schema"
    assert [item.id for item in ended.version.manifest.findings] == ["feedback-not-applied"] * 2
    assert waits_at(store, "fees") == "schema"


def test_an_approval_of_before_a_request_is_not_carried_past_it(store: Store) -> None:
    settle(store, "schema")
    go(store, refund(LONGER))
    let_worded_wait(store, "refund")
    settle(store, "schema", DecisionVerdict.REQUEST_CHANGES, opinion=Opinion("Back to 30 days."))

    go(store)

    assert waits_at(store) == "schema"
    assert len(list_verdicts(store)) == 2
