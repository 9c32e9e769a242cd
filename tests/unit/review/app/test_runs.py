"""Runs go on in the background, one at a time for each domain, and report what went wrong."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from review.runs import one_run, sweeping
from review.runs.handing import Handing
from review.runs.local_runs import LocalRuns, Processes, Task
from review.runs.sweeping import Sweeps
from sopforge.errors import ContinuationError, Fault, StoreError
from sopforge.pipeline.gates.stage_states import list_stage_states
from sopforge.pipeline.runs.continuing import Due
from sopforge.pipeline.stages.building import version as building
from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.entries import DecisionVerdict
from sopforge.store.last_run import LastRun, RunSettings, keep_last_run
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.opening import open_store
from tests.servers.review_browser import Served
from tests.unit.review.app.conftest import Serve, refund
from tests.worlds.quick_builds import QuickBuild, settle


def until(holds: Callable[[], bool], seconds: float = 60) -> None:
    """Wait for something to hold."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


class Held:
    """Work that waits until it is let go, and notes what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[Task, str]] = []
        self.let_go = threading.Semaphore(0)
        self.trouble: dict[str, str] = {}

    def __call__(self, task: Task, domain: str) -> str:
        self.asked.append((task, domain))
        self.let_go.acquire(timeout=30)
        return self.trouble.get(domain, "")

    def stop(self) -> None:
        for _ in range(20):
            self.let_go.release()


@pytest.fixture
def work() -> Held:
    return Held()


@pytest.fixture
def runs(work: Held) -> Iterator[LocalRuns]:
    made = LocalRuns(work, at_once=2)
    yield made
    made.close()


def test_a_domain_has_one_run_and_one_more_for_all_that_was_decided_meanwhile(
    work: Held, runs: LocalRuns
) -> None:
    for _ in range(5):
        runs.go_on("refund")
    until(lambda: len(work.asked) == 1)
    assert runs.find_current_run("refund") is not None
    for _ in range(3):
        work.let_go.release()
    until(lambda: runs.find_current_run("refund") is None)

    assert work.asked == [(Task.GO_ON, "refund")] * 2


def test_domains_run_beside_each_other(work: Held, runs: LocalRuns) -> None:
    for domain in ("one", "two", "three"):
        runs.go_on(domain)
    until(lambda: len(work.asked) == 2)
    assert runs.find_current_run("three") is not None
    work.let_go.release()
    until(lambda: len(work.asked) == 3)


def test_what_went_wrong_is_reported_until_the_next_run(work: Held, runs: LocalRuns) -> None:
    work.trouble["refund"] = "no model answers"
    runs.go_on("refund")
    work.let_go.release()
    until(lambda: runs.find_current_run("refund") is None)
    failed = runs.find_failed_run("refund")
    assert failed is not None
    assert (failed.task, failed.trouble) == (Task.GO_ON, "no model answers")

    work.trouble.clear()
    runs.publish("refund")
    work.let_go.release()
    until(lambda: runs.find_current_run("refund") is None)
    assert runs.find_failed_run("refund") is None
    assert work.asked[-1] == (Task.PUBLISH, "refund")


def test_a_failure_of_the_work_is_reported_as_well() -> None:
    class Failing(Held):
        def __call__(self, task: Task, domain: str) -> str:
            message = f"{task} {domain}"
            raise RuntimeError(message)

    failing = LocalRuns(Failing())
    failing.go_on("refund")
    until(lambda: failing.find_current_run("refund") is None)
    failed = failing.find_failed_run("refund")

    assert failed is not None
    assert failed.trouble == "RuntimeError: go-on refund"
    failing.close()


def test_a_process_takes_a_domain_on(serve: Serve, waiting_store: Path) -> None:
    store = serve(waiting_store).store
    settle(store, "schema")

    assert Processes(store.place)(Task.GO_ON, "refund") == ""

    version = open_store(store.place).get_domain("refund").find_waiting_version()
    assert version is not None
    assert version.manifest.stage == "sop"


def test_a_process_reports_why_it_failed(serve: Serve, waiting_store: Path) -> None:
    store = serve(waiting_store).store

    assert "unknown-domain" in Processes(store.place)(Task.GO_ON, "nothing")
    assert "not-approved" in Processes(store.place)(Task.PUBLISH, "refund")


def test_a_process_that_is_stopped_ends_and_starts_nothing_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = tmp_path / "python"
    slow.write_text("#!/bin/sh\nexec sleep 60\n", encoding="utf-8")
    slow.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(slow))
    processes = Processes("store")
    runs = LocalRuns(processes)
    runs.go_on("refund")
    until(lambda: bool(processes._processes))  # noqa: SLF001 - what is there to be stopped

    runs.close()

    until(lambda: runs.find_current_run("refund") is None, seconds=10)
    assert runs.find_failed_run("refund") is None
    assert processes(Task.GO_ON, "refund") == ""


def test_what_was_decided_while_nobody_was_there_goes_on_when_the_app_starts(
    serve: Serve, waiting_store: Path
) -> None:
    served = serve(waiting_store)
    settle(served.store, "schema")

    with served.browser("ada").client:
        until(lambda: served.store.get_domain("refund").find_waiting_version() is not None)

    version = served.store.get_domain("refund").find_waiting_version()
    assert version is not None
    assert version.manifest.stage == "sop"
    assert [entry.by for entry in AuditLog(served.store.get_domain("refund")).list_entries()] == [
        "ada"
    ]


def test_nothing_goes_on_that_waits_or_was_rejected(serve: Serve, waiting_store: Path) -> None:
    served, asked = serve(waiting_store), list[str]()
    object.__setattr__(served.app.state.desk, "go_on", asked.append)
    served.app.state.desk.sweep()
    settle(served.store, "schema", DecisionVerdict.REJECT)
    served.app.state.desk.sweep()
    advance(served.store, refund())
    served.app.state.desk.sweep()

    assert asked == []


def test_a_run_goes_on_as_the_last_one_was_asked_for(
    serve: Serve, waiting_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = serve(waiting_store).store
    asked = RunSettings(approve_clean=True)
    keep_last_run(store.get_domain("refund"), LastRun(asked, Decimal(0), 0, 1, "AwaitingApproval"))
    settle(store, "schema")
    monkeypatch.setattr(building, "build_and_store_version", QuickBuild())

    assert one_run.main(["go-on", "refund", store.place]) == 0

    assert [item.description for item in list_stage_states(store.get_domain("refund"))[:2]] == [
        "approved by ada",
        "approved by policy",
    ]
    assert store.get_domain("refund").find_waiting_version() is None


def test_a_run_that_was_cut_off_is_found_unless_its_turn_is_to_come(
    serve: Serve, waiting_store: Path, work: Held, runs: LocalRuns
) -> None:
    served, asked = serve(waiting_store, runs=runs), list[str]()
    desk = served.app.state.desk
    object.__setattr__(desk, "go_on", asked.append)
    cut_off = LastRun(RunSettings(), Decimal(0), 0, 1)
    keep_last_run(served.store.get_domain("refund"), cut_off)
    desk.sweep()
    assert asked == ["refund"]

    runs.go_on("refund")
    desk.sweep()

    assert asked == ["refund"]
    work.stop()


class Server:
    """A scheduler that notes what it is asked for, and may be away."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, str]] = []
        self.is_away = False

    def start(self, place: str, due: Due) -> str:
        if self.is_away:
            raise ContinuationError(Fault("run-not-started", "the server is away", "here"))
        self.asked.append((place, due.domain, due.after))
        return "started"

    def get_page_address(self, domain: str) -> str:
        return f"http://scheduler/{domain}"


def test_a_scheduler_starts_what_goes_on_and_no_release(
    serve: Serve, waiting_store: Path, work: Held
) -> None:
    store, server = serve(waiting_store).store, Server()
    settle(store, "schema")
    handing = Handing(store, server, work)
    work.stop()

    assert handing(Task.GO_ON, "refund") == ""
    assert handing(Task.PUBLISH, "refund") == ""

    assert server.asked == [(str(Path(store.place).resolve()), "refund", "schema, approve by ada")]
    assert work.asked == [(Task.PUBLISH, "refund")]


def test_a_decision_stands_where_the_scheduler_is_away(
    serve: Serve, waiting_store: Path, work: Held
) -> None:
    copy, server = serve(waiting_store), Server()
    server.is_away = True
    runs = LocalRuns(Handing(copy.store, server, work))
    served = Served(copy.store, copy.settings, runs.go_on, runs, server)
    ada = served.browser("ada")

    form = ada.page("/d/refund/schema").form("/d/refund/schema/decide", verdict="approve")
    assert ada.send(form).headers["location"] == "/d/refund?done=approved"

    until(lambda: runs.find_failed_run("refund") is not None)
    page = ada.page("/d/refund")
    assert "run-not-started" in page.text
    assert "another service starts its run" in page.text
    assert '<a id="runs" href="http://scheduler/refund">' in page.text
    server.is_away = False
    assert ada.send(page.form("/d/refund/continue")).status_code == 303
    until(lambda: len(server.asked) == 1)
    runs.close()


def test_a_look_that_fails_is_not_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeping, "_PAUSE_SECONDS", 0.01)
    looks = list[int]()

    def look() -> None:
        looks.append(len(looks))
        if len(looks) == 1:
            raise StoreError(Fault("store-unusable", "it does not answer", "s3://sops"))
        if len(looks) == 2:
            raise RuntimeError

    sweeps = Sweeps(look)
    sweeps.start()
    until(lambda: len(looks) >= 4)
    sweeps.stop()


def test_a_run_by_hand_is_there_where_nothing_acts_on_a_decision(served: Served) -> None:
    settle(served.store, "schema", by="eve")
    ada = served.browser("ada")
    form = ada.page("/d/refund").form("/d/refund/continue")

    assert ada.send(form).status_code == 303

    assert "The <strong>sop</strong> waits for a decision." in ada.page("/d/refund").text
