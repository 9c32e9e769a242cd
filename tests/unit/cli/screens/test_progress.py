"""While a model writes, a terminal shows one view, and a file gets plain lines."""

from __future__ import annotations

import io
import time
from contextlib import redirect_stderr
from typing import Any

import pytest
from rich.console import Console

from sopforge.cli.screens import work_view
from sopforge.cli.screens.progress import Watching
from sopforge.cli.screens.work_view import show_work

CALL = {"call": 7, "key": "ab12", "stage": "sop", "template": "sop_section", "repair": 0}
TOKENS = {"input": 1500, "output": 200, "cache_read": 500, "cache_write": 0}
ANSWER = {**CALL, "event": "answered", "outcome": "answer", "tokens": TOKENS, "cost": "0.0125"}


def progress_on(*times: float) -> tuple[Watching, io.StringIO]:
    """Return a progress whose clock shows these times, one after the other."""
    file, clock = io.StringIO(), iter(times)
    screen = Console(file=file, width=100, color_system=None)
    return Watching(screen, lambda: next(clock, 0.0)), file


def heard(progress: Watching, *events: dict[str, Any]) -> Watching:
    for event in events:
        progress.hear(event)
    return progress


def test_a_stage_that_asked_nobody_has_nothing_to_report() -> None:
    progress, file = progress_on()
    with progress.show_live():
        assert (
            progress.describe_spending("sop"),
            progress.describe_spending(),
            str(progress.render_view()),
        ) == ("", "", "")
    assert not file.getvalue()


def test_a_stage_reports_its_calls_tokens_and_cost() -> None:
    other = {**ANSWER, "stage": "api", "cost": "unknown"}
    replayed = {**ANSWER, "event": "replayed", "cost": "0"}
    progress, _ = progress_on()
    heard(progress, {**CALL, "event": "asked"}, ANSWER, replayed)
    heard(progress, {**CALL, "stage": "api", "event": "asked"}, other)

    spent = "1 call, 1 from record, 2,000 tokens in, 200 out, $0.0125"
    assert progress.describe_spending("sop") == spent
    assert progress.describe_spending("api") == "1 call, 2,000 tokens in, 200 out, cost unknown"
    total = "2 calls, 1 from record, 4,000 tokens in, 400 out, $0.0125 + unknown"
    assert progress.describe_spending() == total


def test_what_is_all_on_record_costs_nothing() -> None:
    progress, _ = progress_on()
    heard(progress, {**ANSWER, "event": "replayed", "cost": "0"})
    assert progress.describe_spending("sop") == "1 from record, $0"


def test_a_round_of_repair_is_one_plain_line() -> None:
    progress, file = progress_on()
    back = {
        "event": "goes-back",
        "stage": "sop",
        "errors": 2,
        "warnings": 0,
        "round": 1,
        "rounds": 3,
    }
    heard(progress, back, {**back, "errors": 1, "round": 2}, {**back, "round": 4})
    assert file.getvalue().splitlines() == [
        "  sop: 2 errors go back, round 1 of 3",
        "  sop: 1 error goes back, round 2 of 3",
        "  sop: 2 errors left; the sections that have them are derived",
    ]


def test_the_view_shows_what_is_asked_and_what_is_waited_for() -> None:
    progress, _ = progress_on(100.0, 112.0, 200.0, 203.0)
    heard(progress, {**CALL, "event": "asked", "repair": 2})
    assert (
        str(progress.render_view()).splitlines()[0] == "  sop: call 7, sop_section, repair 2, 12 s"
    )
    heard(progress, {**CALL, "event": "waits", "reason": "529: busy", "waited": 9.6})
    waits = "  sop: call 7, sop_section: 529: busy; next try in 6 s"
    assert str(progress.render_view()).splitlines()[0] == waits


def test_the_view_shows_how_many_more_are_asked_at_once() -> None:
    progress, _ = progress_on(100.0, 101.0, 102.0, 103.0, 107.0)
    for number in (7, 8, 9):
        heard(progress, {**CALL, "event": "asked", "call": number})
    assert str(progress.render_view()).splitlines()[0] == (
        "  sop: call 7, sop_section and 2 more, 3 s"
    )
    heard(progress, ANSWER, {**ANSWER, "call": 8})
    assert "call 9, sop_section, " in str(progress.render_view())
    heard(progress, {**ANSWER, "call": 9})
    assert str(progress.render_view()).startswith("  applying and checking the answers")


def test_a_terminal_shows_one_view_and_takes_it_away(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(work_view, "FIRST_SECONDS", 0.0)
    progress, _ = progress_on()
    with redirect_stderr(Terminal()) as shown, show_work("generate"), progress.show_live():
        heard(progress, {**CALL, "event": "asked"}, ANSWER)
        for _ in range(600):
            if "so far" in shown.getvalue():
                break
            time.sleep(0.05)
    assert "so far: 1 call, 2,000 tokens in, 200 out, $0.0125" in shown.getvalue()
    assert shown.getvalue().endswith("\x1b[2K")  # the last thing done is to clear its lines
