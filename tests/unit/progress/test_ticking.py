"""A thread ticks beside the work, and the work is shared out among processes all the same."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from sopforge.parallel import map_in_processes, use_jobs
from sopforge.progress.ticking import Ticker, turn

PROJECT = Path(__file__).parents[3]


def test_it_ticks_until_it_is_left() -> None:
    ticked = threading.Event()
    with Ticker(ticked.set, 0.001):
        assert ticked.wait(30)
    ticked.clear()
    assert not ticked.wait(0.05)


def test_whoever_holds_the_turn_is_not_disturbed() -> None:
    ticks: list[float] = []
    with Ticker(lambda: ticks.append(time.monotonic()), 0.001), turn:
        before = len(ticks)
        time.sleep(0.05)
        assert len(ticks) == before


def test_processes_share_the_work_beside_it_and_none_hangs_on_a_lock_of_a_tick() -> None:
    # In a process of its own: beside threads that other tests left, nothing is shared out.
    command = f"from {__name__} import share_work; share_work()"
    done = subprocess.run([sys.executable, "-c", command], cwd=PROJECT, check=False)

    assert done.returncode == 0


def share_work() -> None:
    held, busy = threading.Lock(), threading.Event()

    def tick() -> None:
        with held:
            busy.set()
            time.sleep(0.01)

    def work(_: int) -> int:
        # In a copy that was made while the lock was held, nobody would ever let go of it.
        assert held.acquire(timeout=30)
        held.release()
        return os.getpid()

    with Ticker(tick, 0.0), use_jobs(3):
        assert busy.wait(30)
        assert os.getpid() not in map_in_processes(work, range(12))


@pytest.mark.filterwarnings("error")
def test_a_pipe_that_nobody_reads_ends_it_without_a_word() -> None:
    ticks: list[float] = []

    def tick() -> None:
        ticks.append(time.monotonic())
        raise BrokenPipeError

    with Ticker(tick, 0.001) as ticker:
        ticker.join(30)
    assert len(ticks) == 1
