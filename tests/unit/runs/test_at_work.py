"""A run that is at work says where it is; the lock says whether it is alive."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sopforge.pipeline.runs.at_work import (
    RunAtWork,
    find_run_at_work,
    find_runs_at_work,
    name_run_lock,
    note_run,
)
from sopforge.pipeline.runs.run import lock_run
from sopforge.progress.tracking import enter_step, track
from sopforge.store.opening import open_store
from sopforge.store.versions import Store

ROOT = Path(__file__).parents[3]
BEGAN = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
# Says that it is at work, and then waits to be killed.
HOLDER = """
import sys, time
from sopforge.progress.tracking import enter_step
from sopforge.pipeline.runs.run import lock_run
from sopforge.pipeline.runs.at_work import note_run
from sopforge.store.opening import open_store

store = open_store(sys.argv[1])
with lock_run(store.get_domain("refund"), lambda: None), note_run(store.get_domain("refund")):
    with enter_step("dataset"):
        print("at work", flush=True)
        time.sleep(120)
"""


def nobody_waits() -> None:
    pytest.fail("another run was said to be at work")


def test_a_run_says_its_stage_and_what_it_does_and_nothing_is_left_of_it(store: Store) -> None:
    minutes = iter(range(100))
    held = lock_run(store.get_domain("refund"), nobody_waits)
    with (
        held,
        note_run(store.get_domain("refund"), lambda: BEGAN + timedelta(minutes=next(minutes))),
    ):
        first = find_run_at_work(open_store(store.place).get_domain("refund"))
        assert first is not None
        assert (first.since, first.stage, first.doing) == ("2026-03-01T09:30:00+00:00", "", "")
        assert (first.host != "", first.process) == (True, os.getpid())
        with enter_step("sop"):
            pass
        with enter_step("dataset"):
            for _ in track(["labels"], "checks", name=lambda name: name):
                found = find_run_at_work(open_store(store.place).get_domain("refund"))
                assert found is not None
                assert found.since == first.since
                assert first.since < found.stage_since <= found.at
                assert found.stage == "dataset"
                assert found.doing == "dataset: checks 0 of 1 (labels)"
    assert find_run_at_work(open_store(store.place).get_domain("refund")) is None
    assert b"dataset" not in (Path(store.place) / "refund" / ".run.lock").read_bytes()


def test_a_run_that_is_killed_is_not_at_work_any_more(store: Store) -> None:
    command = [sys.executable, "-c", HOLDER, store.place]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "at work\n"
        found = find_runs_at_work(store, ["fees", "refund"])
        assert {name: (run.stage, run.process) for name, run in found.items()} == {
            "refund": ("dataset", other.pid)
        }
        other.send_signal(signal.SIGKILL)
    assert find_runs_at_work(store, ["fees", "refund"]) == {}
    with lock_run(store.get_domain("refund"), nobody_waits):
        # What the dead one noted is not taken for what its follower does.
        assert find_run_at_work(store.get_domain("refund")) == RunAtWork()


@pytest.mark.parametrize("note", ["", "{", "[1]", '"x"', "null"])
def test_a_note_that_cannot_be_read_leaves_it_at_a_run_that_is_at_work(
    store: Store, note: str
) -> None:
    with lock_run(store.get_domain("refund"), nobody_waits):
        store.objects.note_holder(name_run_lock("refund"), note)
        found = find_run_at_work(store.get_domain("refund"))
    assert found == RunAtWork()
    assert found.describe() == "a run is at work"


def test_one_line_says_where_a_run_is() -> None:
    run = RunAtWork(
        since="2026-03-01T09:30:00+00:00",
        stage="dataset",
        stage_since="2026-03-01T09:31:07+00:00",
        doing="dataset: goals 120 of 699, about 20 s left",
        host="lab",
        process=17,
    )
    assert run.describe() == (
        "a run has been at work since 2026-03-01 09:30:00 UTC on lab (process 17);"
        " dataset since 2026-03-01 09:31:07 UTC: goals 120 of 699, about 20 s left"
    )
    plain = RunAtWork(stage="sop", stage_since="2026-03-01T09:31:07+00:00", doing="sop")
    assert plain.describe() == "a run is at work; sop since 2026-03-01 09:31:07 UTC"


def test_a_store_that_does_not_take_the_note_stops_no_run(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with lock_run(store.get_domain("refund"), nobody_waits):
        monkeypatch.setattr("os.pwrite", _refuse)
        with note_run(store.get_domain("refund")), enter_step("dataset"):
            assert find_run_at_work(store.get_domain("refund")) == RunAtWork()


def _refuse(*_: object) -> int:
    raise OSError(28, "No space left on device")
