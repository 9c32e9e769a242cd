from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

from sopforge.authors.providers.completion import StopReason
from sopforge.authors.providers.ledger import Counts, Ledger, Purpose, reconcile
from sopforge.authors.providers.retrying import Failure, Trial
from sopforge.store.backends.folder import FolderObjects
from tests.worlds.providers import REQUEST, answer, events_in

PURPOSE = Purpose("sop", "write_sop", 3, "abc")
NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def ledger_at(path: Path) -> Ledger:
    return Ledger(FolderObjects(path.parent), path.name, lambda: NOW)


def test_a_paid_answer_is_logged_with_all_that_it_took(tmp_path: Path) -> None:
    path = tmp_path / "d" / "calls.jsonl"
    ledger = ledger_at(path)
    call = ledger.record_question("anthropic", "k1", REQUEST, PURPOSE)
    trial = Trial([Failure("529: busy", 2.0, may_be_billed=False)])
    paid = answer("Graz", request_id="req_1")
    ledger.record_answer(call, paid, trial, seconds=3.14159, cost=Decimal("0.0300"))
    assert [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()][1] == {
        "event": "answered",
        "at": "2026-11-20T12:00:00+00:00",
        "call": 1,
        "stage": "sop",
        "template": "write_sop",
        "template_version": 3,
        "template_digest": "abc",
        "repair": 0,
        "provider": "anthropic",
        "model": "claude-test-1",
        "parameters": {"max_tokens": 1000, "effort": None, "has_schema": False, "replicate": 0},
        "key": "k1",
        "outcome": "answer",
        "stop": "end",
        "answered_by": "claude-test-1",
        "route": "text",
        "request_id": "req_1",
        "tokens": {"input": 2000, "output": 1000, "cache_read": 0, "cache_write": 0},
        "seconds": 3.142,
        "failed_attempts": [{"reason": "529: busy", "waited": 2.0, "may_be_billed": False}],
        "cost": "0.0300",
    }


def test_calls_add_up(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    ledger = ledger_at(path)
    calls = [ledger.record_question("anthropic", f"k{n}", REQUEST, PURPOSE) for n in range(5)]
    ledger.record_answer(calls[0], answer("a"), Trial(), seconds=1, cost=Decimal(0))
    refused = answer("", StopReason.REFUSED)
    ledger.record_answer(calls[1], refused, Trial(), seconds=1, cost=Decimal(0))
    ledger.record_failure(calls[2], "model-unavailable", Trial(), seconds=1)
    ledger.record_failure(calls[3], "budget-reached", Trial(), seconds=1)
    ledger.record_replay("anthropic", "k0", REQUEST, PURPOSE, answer("a"))
    counts = reconcile(events_in(path))
    assert counts == Counts(calls=5, answers=1, rejects=1, failures=2, interrupted=1, from_record=1)


def test_numbers_go_on_in_the_next_run(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    for _ in range(2):
        ledger_at(path).record_question("anthropic", "k", REQUEST, PURPOSE)
    assert [event["call"] for event in events_in(path)] == [1, 2]


def test_a_line_that_a_crash_tore_spoils_no_other(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    ledger_at(path).record_question("anthropic", "k", REQUEST, PURPOSE)
    path.write_bytes(path.read_bytes() + b'{"event": "answ\xc3')
    ledger_at(path).record_question("anthropic", "k", REQUEST, PURPOSE)
    events = events_in(path)
    assert [event["event"] for event in events] == ["asked", "damaged", "asked"]
    assert reconcile(events).interrupted == 2


def test_a_line_separator_in_a_message_tears_no_line(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    path.write_text('{"event": "failed", "reason": "a\u2028b\u0085c"}\n', encoding="utf-8")

    assert [event["event"] for event in events_in(path)] == ["failed"]


def test_an_answer_that_outlived_its_process_is_counted_when_it_is_found(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    first = ledger_at(path)
    for _ in range(2):  # cut off twice; the second call's answer was kept
        first.record_question("anthropic", "k", REQUEST, PURPOSE)
    other = first.record_question("anthropic", "other", REQUEST, PURPOSE)
    first.record_answer(other, answer("b"), Trial(), seconds=1, cost=Decimal(1))

    for _ in range(2):
        later = ledger_at(path)
        later.settle("k", answer("a"), REQUEST, Decimal("0.5"))
        later.settle("other", answer("b"), REQUEST, Decimal(1))

    events = events_in(path)
    assert [(e["call"], e["cost"]) for e in events if e["event"] == "answered"] == [
        (3, "1"),
        (2, "0.5"),
    ]
    assert reconcile(events) == Counts(
        calls=3, answers=2, rejects=0, failures=0, interrupted=1, from_record=0
    )


def test_whoever_looks_on_hears_of_each_line_and_each_wait(tmp_path: Path) -> None:
    heard: list[str] = []
    ledger = Ledger(
        FolderObjects(tmp_path), "c", lambda: NOW, lambda event: heard.append(event["event"])
    )
    call = ledger.record_question("anthropic", "k", REQUEST, PURPOSE)
    ledger.record_wait(call, Failure("529: busy", 2.0, may_be_billed=False))
    ledger.record_answer(call, answer("a"), Trial(), seconds=1, cost=None)
    assert heard == ["asked", "waits", "answered"]
    assert [event["event"] for event in events_in(tmp_path / "c")] == heard
