"""Comments on several passages go with one decision into the audit log."""

from __future__ import annotations

import pytest

from sopforge.store.entries import DecisionVerdict
from sopforge.store.log.audit_log import AuditLog
from tests.servers.review_browser import Browser, Served
from tests.worlds.worded import let_worded_wait

SCHEMA, DECIDE = "/d/refund/schema", "/d/refund/schema/decide"
ON_PASSAGES = {
    "about": ["E1 | more than 30 days", "refund_days\n | 30"],
    "said": ["Why not 25?", "Say that it counts\r\nfrom delivery."],
}
WORDS = (
    "About “E1 | more than 30 days”: Why not 25?\n\n"
    "About “refund_days | 30”: Say that it counts\nfrom delivery."
)


def read_last_words(served: Served) -> tuple[DecisionVerdict, str]:
    log = AuditLog(served.store.get_domain("refund"))
    last = log.list_entries()[-1]
    return last.verdict, log.read_words(last)


@pytest.mark.parametrize(
    "verdict", [DecisionVerdict.APPROVE, DecisionVerdict.REQUEST_CHANGES, DecisionVerdict.REJECT]
)
def test_comments_go_with_any_decision(
    ada: Browser, served: Served, verdict: DecisionVerdict
) -> None:
    if verdict is DecisionVerdict.REQUEST_CHANGES:
        let_worded_wait(served.store, "refund")
    form = ada.page(SCHEMA).form(DECIDE, verdict=verdict.value)

    assert ada.send(form, {**ON_PASSAGES}).status_code == 303
    assert read_last_words(served) == (verdict, WORDS)
    assert "About “E1 | more than 30 days”: Why not 25?" in ada.page("/d/refund/history").text


def test_words_of_the_form_stand_after_comments(ada: Browser, served: Served) -> None:
    let_worded_wait(served.store, "refund")
    form = ada.page(SCHEMA).form(DECIDE, verdict="request_changes")
    more = {"comment": "Else it is right.", "quote": "orders"}

    assert ada.send(form, {**ON_PASSAGES, **more}).status_code == 303
    assert read_last_words(served)[1] == f"{WORDS}\n\nAbout “orders”: Else it is right."


def test_blank_comments_are_none(ada: Browser, served: Served) -> None:
    let_worded_wait(served.store, "refund")
    form = ada.page(SCHEMA).form(DECIDE, verdict="request_changes")
    answer = ada.send(form, {"about": ["E1", "E2"], "said": [" ", ""]})

    assert answer.status_code == 422
    assert "the request for changes has no text" in answer.text
    assert AuditLog(served.store.get_domain("refund")).list_entries() == []


def test_comments_that_are_too_long_together_are_given_back(ada: Browser, served: Served) -> None:
    form = ada.page(SCHEMA).form(DECIDE, verdict="approve")
    said = ["first " + "x" * 12_000, "second " + "y" * 12_000]
    answer = ada.send(form, {"about": ["a", "b"], "said": said})

    assert answer.status_code == 413
    assert "characters; at most 20,000 are allowed" in answer.text
    assert all(text in answer.text for text in said)
    assert AuditLog(served.store.get_domain("refund")).list_entries() == []
