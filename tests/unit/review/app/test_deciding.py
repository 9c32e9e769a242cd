"""Decisions in the browser are about what was shown, under one's own name, and never lost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from sopforge.errors import Fault, StoreError
from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.entries import DeciderKind, DecisionVerdict
from sopforge.store.log.audit_log import AuditLog
from tests.servers.review_browser import Browser, Form, Served
from tests.unit.review.app.conftest import TWO, Serve, refund
from tests.worlds.quick_builds import settle
from tests.worlds.sealing import seal_anew
from tests.worlds.worded import let_worded_wait

STAGE = "/d/refund/schema"
DECIDE = f"{STAGE}/decide"


def form_of(browser: Browser, verdict: str = "approve", stage: str = "schema") -> Form:
    """Return the form of a decision as the page of a stage has it."""
    address = f"/d/refund/{stage}"
    return browser.page(address).form(f"{address}/decide", verdict=verdict)


def waits(served: Served) -> str:
    """Return the stage and version that waits."""
    version = served.store.get_domain("refund").find_waiting_version()
    return f"{version.manifest.stage} {version.number}" if version else "nothing"


def two_approvers(serve: Serve, waiting_store: Path) -> Served:
    served = serve(waiting_store)
    advance(served.store, refund(("author: offline\n", TWO)))
    return served


def test_an_approval_is_recorded_and_the_run_goes_on_once(
    serve: Serve, waiting_store: Path
) -> None:
    served, asked = serve(waiting_store), list[str]()
    object.__setattr__(served.app.state.desk, "go_on", asked.append)
    ada = served.browser("ada")

    answer = ada.send(form_of(ada), comment="Fine.", rate_ease="7")

    assert answer.headers["location"] == "/d/refund?done=approved"
    assert asked == ["refund"]
    log = AuditLog(served.store.get_domain("refund"))
    [entry] = log.list_entries()
    assert (entry.by, entry.kind, entry.verdict) == (
        "ada",
        DeciderKind.PERSON,
        DecisionVerdict.APPROVE,
    )
    assert (log.read_words(entry), entry.ratings) == ("Fine.", {"ease": 7})
    assert "Your approval is recorded." in ada.page("/d/refund?done=approved").text


def test_changes_are_asked_for_with_the_passage_that_they_are_about(served: Served) -> None:
    let_worded_wait(served.store, "refund")
    ada = served.browser("ada")

    ada.send(form_of(ada, "request_changes"), quote="30 days\r\nat most", comment="Say 20 days.")

    log = AuditLog(served.store.get_domain("refund"))
    [entry] = log.list_entries()
    assert entry.verdict is DecisionVerdict.REQUEST_CHANGES
    assert log.read_words(entry) == "About “30 days\nat most”: Say 20 days."
    assert waits(served) == "schema 3"
    page = ada.page(STAGE)
    assert "feedback-not-applied" in page.text


def test_a_rejection_starts_no_run(serve: Serve, waiting_store: Path) -> None:
    served, asked = serve(waiting_store), list[str]()
    object.__setattr__(served.app.state.desk, "go_on", asked.append)
    ada = served.browser("ada")

    ada.send(form_of(ada, "reject"), comment="Not our trade.")

    assert asked == []
    assert "rejected" in ada.page("/").text


def test_two_must_approve_where_the_brief_says_so(serve: Serve, waiting_store: Path) -> None:
    served = two_approvers(serve, waiting_store)
    ada, grace = served.browser("ada"), served.browser("grace")
    first = ada.send(form_of(ada), checked=["Every limit is there."])

    assert first.headers["location"] == f"{STAGE}?done=approved"
    assert waits(served) == "schema 1"
    seen = ada.page(STAGE)
    assert "You have already decided on this version." in seen.text
    assert seen.posting == ["/logout", f"{STAGE}/withdraw"]
    assert "1 approval is missing." in grace.page(STAGE).text
    assert "approved by ada so far, 1 approval missing" in grace.page("/d/refund").text
    assert 'id="open-refund"' in grace.page("/?phase=me").text
    assert 'id="open-refund"' not in ada.page("/?phase=me").text

    grace.send(form_of(grace))

    assert waits(served) == "sop 1"
    assert AuditLog(served.store.get_domain("refund")).list_entries()[0].checked == (
        "Every limit is there.",
    )


def test_a_point_that_the_checklist_has_not_is_refused(served: Served) -> None:
    ada = served.browser("ada")
    answer = ada.send(form_of(ada), checked=["Something else."])

    assert answer.status_code == 422
    assert "unknown-point" in answer.text
    assert AuditLog(served.store.get_domain("refund")).list_entries() == []


def test_one_reviewer_sees_what_another_decided(serve: Serve, waiting_store: Path) -> None:
    served = two_approvers(serve, waiting_store)
    let_worded_wait(served.store, "refund")
    ada, grace = served.browser("ada"), served.browser("grace")
    again = f"{STAGE}/gate?version=2"
    before = grace.get(again).text

    ada.send(form_of(ada, "request_changes"), comment="Say <b>20</b>.")

    after = grace.get(again).text
    assert "waits" not in before.partition("badge waiting")[0]
    assert "changes requested" in after
    assert "ada: request changes" in after
    assert "Say &lt;b&gt;20&lt;/b&gt;." in after
    assert "Version 3 of the schema does." in after


def test_a_decision_on_what_has_changed_is_not_recorded_and_its_text_given_back(
    served: Served,
) -> None:
    ada = served.browser("ada")
    form = form_of(ada, "reject")
    advance(served.store, refund(("{value: 30, unit: days", "{value: 20, unit: days")))

    answer = ada.send(form, comment="Say 'at the latest'.", quote="30 days")

    assert answer.status_code == 409
    assert "This has changed in the meantime" in answer.text
    assert "Say &#39;at the latest&#39;." in answer.text
    assert "30 days" in answer.text
    assert "Now the <strong>schema</strong>, version 2, waits" in answer.text
    assert AuditLog(served.store.get_domain("refund")).list_entries() == []


def test_a_decision_is_about_the_inputs_as_well(served: Served) -> None:
    ada = served.browser("ada")
    form = form_of(ada)
    # The same model, from a brief of which another part that the stage reads differs.
    advance(served.store, refund(("title: Order Refunds", "title: Refunds of Orders")))
    version = served.store.get_domain("refund").find_waiting_version()
    assert version is not None

    form.fields["digest"] = version.manifest.content
    assert form.fields["key"] != version.manifest.key
    assert ada.send(form).status_code == 409


@pytest.mark.parametrize("digest", ["", "0", "nothing"])
def test_a_decision_without_the_whole_digest_fits_nothing(served: Served, digest: str) -> None:
    ada = served.browser("ada")
    form = form_of(ada)

    assert ada.send(form, digest=digest).status_code == 409
    assert ada.send(form, digest=form.fields["digest"][:12]).status_code == 409
    assert AuditLog(served.store.get_domain("refund")).list_entries() == []


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"verdict": "edit"}, 422, "verdict"),
        ({"verdict": "nonsense"}, 422, "verdict"),
        ({"verdict": "request_changes", "comment": "  "}, 422, "feedback-empty"),
        ({"rate_ease": "11"}, 422, "rating"),
        ({"rate_ease": "<b>"}, 422, "rating"),
        ({"comment": "x" * 1_000_000}, 413, "text-too-long"),
        ({"quote": "x" * 30_000}, 413, "text-too-long"),
        ({"comment": "Refund \u202eevery case."}, 422, "character-unseen"),
        ({"verdict": "reject", "comment": "\x1b[2J"}, 422, "character-unseen"),
    ],
    ids=[
        "an edit",
        "no verdict",
        "no words",
        "no mark",
        "markup",
        "a megabyte",
        "a long quote",
        "an order of reading",
        "an escape",
    ],
)
def test_what_cannot_be_a_decision_is_refused_and_given_back(
    served: Served, fields: dict[str, str], status: int, code: str
) -> None:
    ada = served.browser("ada")
    answer = ada.send(form_of(ada), fields)

    assert answer.status_code == status
    assert f"<code>{code}</code>" in answer.text
    for name in ("comment", "quote"):
        assert fields.get(name, "").strip() in answer.text
    assert AuditLog(served.store.get_domain("refund")).list_entries() == []


def test_errors_are_accepted_on_purpose_alone(serve: Serve, waiting_store: Path) -> None:
    served = serve(waiting_store)
    advance(
        served.store,
        refund(
            ("reason != 'Damaged'", "reason == 'Damaged'"),
            (
                "- {id: E2, otherwise: eligible}",
                "- {id: E2, when: days_since_delivery <= 20, then: eligible}",
            ),
        ),
    )
    version = served.store.get_domain("refund").find_waiting_version()
    assert version is not None
    assert any(item.severity == "error" for item in version.manifest.findings)
    ada = served.browser("ada")
    page = ada.page(STAGE)
    assert page.text.index("badge error") < page.text.index("What was made</h2>")

    refused = ada.send(form_of(ada), comment="I know.")
    accepted = ada.send(form_of(ada), comment="I know.", despite_errors="yes")

    assert refused.status_code == 409
    assert "errors-open" in refused.text
    assert "I know." in refused.text
    assert accepted.status_code == 303


def test_of_many_decisions_at_once_each_is_recorded_or_refused(
    serve: Serve, waiting_store: Path
) -> None:
    served = two_approvers(serve, waiting_store)
    object.__setattr__(served.app.state.desk, "go_on", lambda _domain: None)
    ada, grace = served.browser("ada"), served.browser("grace")
    forms = [(ada, form_of(ada)), (grace, form_of(grace)), (ada, form_of(ada, "reject"))]

    with ThreadPoolExecutor(6) as threads:
        statuses = list(threads.map(lambda item: item[0].send(item[1]).status_code, forms * 2))

    entries = AuditLog(served.store.get_domain("refund")).list_entries()
    assert statuses.count(303) == len(entries)
    assert set(statuses) <= {303, 409}
    assert len({entry.by for entry in entries}) == len(entries)


def test_the_history_shows_who_decided_and_never_takes_a_policy_for_a_person(
    serve: Serve, waiting_store: Path
) -> None:
    served = serve(waiting_store)
    store, log = served.store, AuditLog(served.store.get_domain("refund"))
    advance(store, refund(), approve_clean=True)
    first = store.get_domain("refund").list_versions("schema")[0]
    again = store.get_domain("refund").save(replace(first.manifest, key="f" * 64), first.files, {})
    store.get_domain("refund").set_waiting(again)
    log.renew_approval(again, log.list_entries()[0])

    text = served.browser("vera").page("/d/refund/history").text

    assert "Each of the 8 entries contains the digest of the entry before it" in text
    assert text.count("automatic: the checks found no error") == 8
    assert text.count("carried over from entry 1:") == 1
    assert '<a href="/d/refund/schema?version=2">schema, version 2</a>' in text


def test_a_broken_chain_is_reported_on_its_page_and_hides_no_other_domain(
    serve: Serve, waiting_store: Path
) -> None:
    served = serve(waiting_store)
    settle(served.store, "schema", by="eve")
    advance(served.store, refund())
    settle(served.store, "sop", by="eve")
    first = Path(served.store.place) / "refund" / "decisions" / "000001.json"
    value = json.loads(first.read_text(encoding="utf-8"))
    first.write_text(json.dumps({**value, "by": "mallory"}), encoding="utf-8")
    seal_anew(served.store.place, "refund")
    ada = served.browser("ada")

    for address in ("/d/refund/history", "/d/refund", "/d/refund/sop"):
        answer = ada.get(address)
        assert answer.status_code == 500
        assert "audit-log-broken" in answer.text
        assert "entry 2 does not continue entry 1" in answer.text
    assert ada.get("/").status_code == 200


def test_a_store_that_goes_away_loses_nothing_that_was_typed(served: Served) -> None:
    ada = served.browser("ada")
    form = form_of(ada, "reject")
    place = Path(served.store.place)
    place.rename(place.with_name("moved"))
    place.write_text("no folder", encoding="utf-8")

    answer = ada.send(form, comment="Keep this.")

    assert answer.status_code in {404, 503}
    assert "Keep this." in answer.text
    assert ada.get("/").status_code in {200, 503}
    place.unlink()
    place.with_name("moved").rename(place)
    assert ada.send(form, comment="Keep this.").status_code == 303


def test_a_request_that_is_too_large_is_not_read(served: Served) -> None:
    ada = served.browser("ada")
    answer = ada.send(form_of(ada), comment="x" * 8_000_001)

    assert answer.status_code == 413
    assert "your browser still has what you wrote" in answer.text
    assert answer.headers["x-frame-options"] == "DENY"


def test_a_long_request_that_says_it_is_short_is_not_read(served: Served) -> None:
    ada = served.browser("ada")

    def parts() -> Iterator[bytes]:
        yield b"csrf=x&comment="
        for _ in range(90):
            yield b"x" * 100_000

    answer = ada.client.post(
        DECIDE, content=parts(), headers={"content-type": "application/x-www-form-urlencoded"}
    )
    assert answer.status_code == 413


def test_a_fault_of_ours_is_a_page_without_its_reasons(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        message = "a secret detail"
        raise RuntimeError(message)

    monkeypatch.setattr(served.app.state.desk.index, "list_domains", fail)
    served.app.state.desk.runs.close()
    ada = served.browser("ada")
    ada.client._transport.raise_server_exceptions = False  # type: ignore[attr-defined] # noqa: SLF001

    answer = ada.get("/")

    assert answer.status_code == 500
    assert "SOPForge has an internal error" in answer.text
    assert "secret detail" not in answer.text
    assert "content-security-policy" in answer.headers


@pytest.mark.parametrize("code", ["store-unusable", "domain-locked", "lock-lost"])
def test_what_may_pass_is_reported_as_that_and_not_as_damage(
    ada: Browser, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    form = ada.page("/d/refund/schema").form("/d/refund/schema/decide", verdict="reject")

    def refuse(*_: object, **__: object) -> NoReturn:
        raise StoreError(Fault(code, "it cannot be used", "there"))

    monkeypatch.setattr("review.routes.deciding.decide", refuse)
    answer = ada.send(form, comment="No limit is stated.")

    assert (answer.status_code, answer.headers["retry-after"]) == (503, "10")
    assert "The store cannot be used at the moment" in answer.text
    assert "No limit is stated." in answer.text


def test_a_version_that_no_model_wrote_cannot_be_asked_for_changes(served: Served) -> None:
    ada = served.browser("ada")
    page = ada.page(STAGE)
    assert "so a request in words cannot change it" in page.text
    assert "Ask for changes" not in page.text
    fields = {**form_of(ada).fields, "verdict": "request_changes"}

    answer = ada.send(Form(DECIDE, "post", fields), comment="Say <b>20</b> days.")

    assert answer.status_code == 422
    assert "feedback-unheeded" in answer.text
    assert "Say &lt;b&gt;20&lt;/b&gt; days." in answer.text
    assert AuditLog(served.store.get_domain("refund")).list_entries() == []


def test_an_approval_is_withdrawn_from_the_page_that_showed_it(served: Served) -> None:
    ada, grace = served.browser("ada"), served.browser("grace")
    ada.send(form_of(ada))
    assert waits(served) == "sop 1"
    form = grace.page(STAGE).form(f"{STAGE}/withdraw")

    answer = grace.send(form, comment="The limit is wrong.")

    log = AuditLog(served.store.get_domain("refund"))
    last = log.list_entries()[-1]
    assert answer.headers["location"] == f"{STAGE}?done=withdrawn"
    assert (last.verdict, last.withdraws, last.by) == (DecisionVerdict.WITHDRAW, 1, "grace")
    assert log.read_words(last) == "The limit is wrong."
    assert waits(served) == "schema 1"
    # The page was about an approval that no longer counts.
    assert grace.send(form).status_code == 409
    assert len(log.list_entries()) == 2
