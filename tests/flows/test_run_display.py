"""What a run shows while it works; a server that is away stops no run."""

from __future__ import annotations

import logging
from collections.abc import Coroutine
from pathlib import Path
from threading import Thread
from uuid import UUID

import httpx
import pytest
from prefect import flow, get_run_logger
from prefect.artifacts import Artifact

from flows import gate_artifacts, run_display
from flows.gate_words import Approvals
from flows.run_display import RunDisplay
from sopforge.errors import Fault, MaterialError
from sopforge.pipeline.stages.pipeline import Ending, Progress, StageReport
from sopforge.store.backends.folder import FolderObjects
from sopforge.store.log.audit_log import AtGate, GateState
from sopforge.store.versions import Manifest, Version

CALL = {"call": 7, "key": "ab12", "stage": "sop", "template": "sop_section", "repair": 0}
TOKENS = {"input": 1500, "output": 200, "cache_read": 500, "cache_write": 0}
ANSWER = {**CALL, "event": "answered", "outcome": "answer", "tokens": TOKENS, "cost": "0.0125"}
SPENT = "1 call, 2,000 tokens in, 200 out, $0.0125"
VERSION = Version(
    1, "v1", Manifest("fees", "sop", "ff", "00" * 32, "model", {}, ()), FolderObjects(Path())
)


class Bar:
    """Stands in for Prefect's progress artifacts: notes what they show."""

    def __init__(self) -> None:
        self.shown: list[tuple[float, str | None]] = []
        self.keys: list[str | None] = []

    def create(self, progress: float, key: str | None, description: str | None) -> UUID:
        self.keys.append(key)
        self.shown.append((progress, description))
        return UUID(int=1)

    def update(self, _artifact: UUID, progress: float, description: str | None) -> UUID:
        self.shown.append((progress, description))
        return UUID(int=1)


@pytest.fixture
def bar(monkeypatch: pytest.MonkeyPatch) -> Bar:
    bar = Bar()
    monkeypatch.setattr(run_display, "create_progress_artifact", bar.create)
    monkeypatch.setattr(run_display, "update_progress_artifact", bar.update)
    monkeypatch.setattr("flows.gate_artifacts.Artifact.get", lambda _key: None)
    return bar


def shown_at(*times: float) -> RunDisplay:
    clock = iter(times)
    return RunDisplay("fees", logging.getLogger("run"), lambda: next(clock, 0.0))


def test_a_bar_is_there_once_something_is_built_or_the_run_ends(bar: Bar) -> None:
    run = shown_at()
    run.report(StageReport(VERSION, AtGate(GateState.APPROVED)))
    assert bar.shown == []
    run.show_building("dataset")
    run.show_building("api")
    run.show_end("api version 1 waits at its gate")
    assert bar.keys == ["progress-fees"]
    assert bar.shown == [
        (5, "dataset is being built"),
        (27, "api is being built"),
        (27, "api version 1 waits at its gate"),
    ]


def test_a_run_that_builds_nothing_shows_its_end_in_the_place_of_an_earlier_one(bar: Bar) -> None:
    run = shown_at()
    run.report(StageReport(VERSION, AtGate(GateState.WAITING)))
    run.show_end("sop version 1 waits at its gate")
    assert bar.keys == ["progress-fees"]
    assert bar.shown == [(5, "sop version 1 waits at its gate")]


@pytest.mark.parametrize(
    ("error", "description"),
    [
        (
            MaterialError(Fault("gap", "no rule holds", "brief.yaml:3", "add one")),
            "failed: no rule holds (brief.yaml:3, gap)\n  hint: add one",
        ),
        (OSError(28, "No space left on device"), "failed: the disk is full"),
        (
            ValueError("a fault of ours"),
            "failed because of a fault of SOPForge; see the log of the run",
        ),
        (SystemExit(1), "was stopped from outside"),
    ],
    ids=["material", "machine", "ours", "exit"],
)
def test_a_run_that_stops_shows_why(bar: Bar, error: BaseException, description: str) -> None:
    run = shown_at()
    run.show_building("dataset")
    with pytest.raises(type(error)), run.show_failure():
        raise error
    assert bar.shown[-1] == (5, description)


def test_calls_are_shown_but_not_each_of_them(bar: Bar) -> None:
    run = shown_at(10.0, 10.0, 11.0, 13.0, 13.0)
    run.show_building("sop")
    for event in ({**CALL, "event": "asked"}, ANSWER, {**CALL, "call": 8, "event": "asked"}):
        run.hear(event)
    spent = "2,000 tokens in, 200 out, $0.0125"
    assert bar.shown[1:] == [
        (4, "sop: call 7, sop_section; so far: 1 call, 0 tokens in, 0 out, $0.0000"),
        (4, f"sop: call 8, sop_section; so far: 2 calls, {spent}"),
    ]


def test_the_log_reports_stages_rounds_and_waits(
    bar: Bar,  # noqa: ARG001 - takes what is shown
    caplog: pytest.LogCaptureFixture,
) -> None:
    run = shown_at()
    with caplog.at_level(logging.INFO):
        run.hear({**CALL, "event": "asked"})
        run.hear({**CALL, "event": "waits", "reason": "529: busy", "waited": 9})
        run.hear(ANSWER)
        run.hear(
            {
                "event": "goes-back",
                "stage": "sop",
                "errors": 2,
                "warnings": 0,
                "round": 1,
                "rounds": 3,
            }
        )
        run.report(StageReport(VERSION, AtGate(GateState.WAITING)))
    assert [record.getMessage() for record in caplog.records] == [
        "sop: call 7, sop_section: 529: busy; asking again later",
        "sop: 2 errors go back, round 1 of 3",
        f"2/7 sop         version 1  000000000000  no findings, waiting; {SPENT}",
    ]


@pytest.mark.usefixtures("prefect_server")
def test_a_thread_that_asks_a_model_reaches_the_bar() -> None:
    @flow
    def asking() -> None:
        run = RunDisplay("asked", get_run_logger())
        run.show_building("sop")
        thread = Thread(target=run.hear, args=({**CALL, "event": "asked"},))
        thread.start()
        thread.join()

    asking()
    bar = Artifact.get("progress-asked")
    assert bar is not None
    assert not isinstance(bar, Coroutine)  # so typed for callers that await it
    assert str(bar.description).startswith("sop: call 7, sop_section; so far: 1 call")


def test_a_server_that_is_away_is_logged_and_stops_no_run(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(*_positional: object, **_named: object) -> None:
        raise httpx.ConnectError("refused")

    monkeypatch.setattr(run_display, "create_progress_artifact", away)
    monkeypatch.setattr(gate_artifacts, "create_markdown_artifact", away)
    monkeypatch.setattr("flows.gate_artifacts.Artifact.get", away)
    run = shown_at()
    run.show_building("sop")
    run.hear({**CALL, "event": "asked"})
    run.show_gate(Progress(Ending.AWAITING_APPROVAL, VERSION, ()), "generated", Approvals())
    messages = [record.getMessage() for record in caplog.records]
    assert messages == ["not shown in Prefect: refused"] * 3
