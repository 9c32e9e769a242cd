"""The cost of a domain is shown by stage, and each call has its end."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

from typer.testing import CliRunner

from sopforge.authors.providers.record import CompletionRecord
from sopforge.authors.providers.selection import RECORDS
from sopforge.cli.app import app
from sopforge.store.backends.folder import FolderObjects

TOKENS = {"input": 1000, "output": 50, "cache_read": 200, "cache_write": 300}


def line(event: str, call: int, stage: str, **more: object) -> str:
    return json.dumps({"event": event, "call": call, "stage": stage, "key": f"k{call}", **more})


def show_cost(folder: Path, *lines: str) -> tuple[int, list[str]]:
    """Return the exit code and what is printed, each line without its blanks."""
    log = folder / "fees" / "calls.jsonl"
    log.parent.mkdir(parents=True)
    log.write_text("\n".join(lines), encoding="utf-8")
    done = CliRunner().invoke(app, ["status", "--cost", "fees", "--store", str(folder)])
    return done.exit_code, [" ".join(text.split()) for text in done.output.splitlines()]


def test_calls_tokens_and_cost_add_up(tmp_path: Path) -> None:
    code, output = show_cost(
        tmp_path,
        line("asked", 1, "schema"),
        line("answered", 1, "schema", outcome="malformed", tokens=TOKENS, cost="0.02"),
        line("asked", 2, "schema", repair=0),
        line("answered", 2, "schema", outcome="answer", tokens=TOKENS, cost="0.03"),
        line("asked", 3, "sop", repair=1),
        line("answered", 3, "sop", outcome="answer", tokens=TOKENS, cost="unknown"),
        line("asked", 4, "sop"),
        line("failed", 4, "sop", code="model-unavailable"),
        line("replayed", 5, "sop", outcome="answer", tokens=TOKENS, cost="0"),
        line("asked", 6, "sop", highest_cost="0.04"),
    )

    # calls, answers, rejects, failures, cut off, open, repairs, from record
    assert output[2:5] == ["schema 2 1 1 0 0 0 0 0", "sop 3 1 0 1 1 0 1 1", "all 5 2 1 1 1 0 1 1"]
    # tokens in with those cached, cached, out, cost
    start = output.index("tokens and cost") + 2
    assert output[start : start + 3] == [
        "schema 3,000 400 100 0.0500",
        "sop 1,500 200 50 unknown + at most 0.0400",
        "all 4,500 600 150 0.0500 + unknown + at most 0.0400",
    ]
    assert "1 attempt cut off, at most $0.0400 more: a provider may bill" in " ".join(output)
    assert "5 calls: 2 answers, 1 rejects, 1 failures, 1 cut off" in output
    assert code == 0


def test_a_call_whose_answer_somebody_waits_for_is_open_and_not_cut_off(tmp_path: Path) -> None:
    record = CompletionRecord(FolderObjects(tmp_path), RECORDS)

    with record.lock_question("k2"):
        _, output = show_cost(
            tmp_path,
            line("asked", 1, "schema"),
            line("asked", 2, "sop"),
            # Cut off once, and asked again now: one of the two is open.
            line("asked", 3, "sop").replace("k3", "k2"),
        )

    assert output[2:5] == ["schema 1 0 0 0 1 0 0 0", "sop 2 0 0 0 1 1 0 0", "all 3 0 0 0 2 1 0 0"]
    assert "3 calls: 0 answers, 0 rejects, 0 failures, 2 cut off, 1 open" in output
    again = CliRunner().invoke(
        app, ["status", "--cost", "fees", "--store", str(tmp_path), "--json"]
    )
    together = json.loads(again.stdout)["all"]
    assert (together["cut_off"], together["open"]) == (3, 0)


def test_a_torn_line_is_reported_and_spoils_no_sum(tmp_path: Path) -> None:
    whole = line("answered", 1, "sop", outcome="answer", tokens=TOKENS, cost="0.02")

    code, output = show_cost(tmp_path, line("asked", 1, "sop"), whole[:-9])

    assert "all 1 0 0 0 1 0 0 0" in output
    assert output[-1].startswith(
        "A crash left 1 incomplete line in the log: a call with an incomplete end line"
    )
    assert code == 1


def test_a_torn_question_was_never_sent(tmp_path: Path) -> None:
    lines = [line("asked", 1, "sop"), line("failed", 1, "sop", code="x"), '{"event": "ask']

    code, output = show_cost(tmp_path, *lines)

    assert (code, "all 1 0 0 1 0 0 0 0" in output) == (1, True)


def test_an_attempt_that_may_be_billed_is_never_shown_as_free(tmp_path: Path) -> None:
    cut = {"reason": "the answer ended early", "waited": 1.5, "may_be_billed": True}
    busy = {"reason": "529: busy", "waited": 2, "may_be_billed": False}
    lines = [
        line("asked", 1, "rate", highest_cost="0.5"),
        line("waits", 1, "rate", **cut),
        line("failed", 1, "rate", code="model-unavailable", failed_attempts=[cut, busy, cut]),
        # Its process ended in its third attempt; the second may not be billed.
        line("asked", 2, "rate", highest_cost="0.25"),
        line("waits", 2, "rate", **cut),
        line("waits", 2, "rate", **busy),
        # Without a price, as where none was known.
        line("asked", 3, "rate", highest_cost="unknown"),
    ]

    _, output = show_cost(tmp_path, *lines)

    assert "rate 0 0 0 at most 1.5000 + unknown" in output
    said = "5 attempts cut off, at most $1.5000 more, 1 of them at a cost that is not known: a"
    assert said in " ".join(output)
    done = CliRunner().invoke(app, ["status", "--cost", "fees", "--store", str(tmp_path), "--json"])
    together = json.loads(done.stdout)["all"]
    assert together["attempts_cut_off"] == 5
    assert Decimal(together["attempts_cut_off_most_usd"]) == Decimal("1.5")
    assert together["attempts_cut_off_unpriced"] == 1
