"""Runs on this machine: each a process of its own, one at a time for each domain.

A run that is stopped loses nothing: versions are kept whole or not at all, and what was decided
is found by the next one.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from threading import Lock
from typing import Protocol, TypeAlias

Continue: TypeAlias = Callable[[str], None]
"""Has a domain taken on from what was decided, and returns at once."""

_LONGEST_TROUBLE = 2_000


class Task(StrEnum):
    """What a run does."""

    GO_ON = "go-on"
    PUBLISH = "publish"


class Work(Protocol):
    """Does what a run is for."""

    def __call__(self, task: Task, domain: str) -> str:
        """Do it; return what went wrong, empty if nothing did."""

    def stop(self) -> None:
        """Stop all that is running."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run in progress since a time of ``time.time``, or what went wrong with one that ended."""

    task: Task
    since: float
    trouble: str = ""


class Processes:
    """Does the work of each run in a process of its own, which keeps the pages quick."""

    def __init__(self, place: str) -> None:
        self._place = place
        self._processes: set[subprocess.Popen[str]] = set()
        self._is_stopped = False
        self._lock = Lock()

    def __call__(self, task: Task, domain: str) -> str:
        """Have the run to its end; return what it says where it failed."""
        # -P: no module that lies in the working folder is taken for one of ours.
        command = [sys.executable, "-P", "-m", "review.runs.one_run", task, domain, self._place]
        with self._lock:
            # The app ends: what has not begun is left to the first sweep of the next one.
            if self._is_stopped:
                return ""
            process = subprocess.Popen(  # noqa: S603 - our own module, and no shell
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
            self._processes.add(process)
        # Outside of the lock: a run may take long, and `stop` has to reach its process meanwhile.
        _, errors = process.communicate()
        with self._lock:
            self._processes.discard(process)
            # What was stopped with the app has not failed: the first sweep of the next one goes on
            # with it.
            is_fine = process.returncode == 0 or self._is_stopped
        return (
            ""
            if is_fine
            else errors[-_LONGEST_TROUBLE:].strip() or "the run ended without a result"
        )

    def stop(self) -> None:
        """End the processes."""
        with self._lock:
            self._is_stopped = True
            for process in self._processes:
                process.terminate()


class LocalRuns:
    """Runs by domain: those in progress, those that wait for their turn, and what went wrong."""

    def __init__(self, work: Work, at_once: int = 1) -> None:
        self._work = work
        self._workers = ThreadPoolExecutor(at_once, thread_name_prefix="run")
        self._lock = Lock()
        self._running: dict[str, Run] = {}
        self._asked_again: set[str] = set()
        self._ended: dict[str, Run] = {}

    def go_on(self, domain: str) -> None:
        """Take a domain on; once more after the current run, where there is one."""
        self._start(Task.GO_ON, domain)

    def publish(self, domain: str) -> None:
        """Write a domain's release."""
        self._start(Task.PUBLISH, domain)

    def find_current_run(self, domain: str) -> Run | None:
        """Return the run of a domain that is in progress."""
        with self._lock:
            return self._running.get(domain)

    def find_failed_run(self, domain: str) -> Run | None:
        """Return the last run of a domain, if something went wrong with it."""
        with self._lock:
            run = self._ended.get(domain)
        return run if run is not None and run.trouble else None

    def close(self) -> None:
        """Stop what is running, and start nothing more."""
        self._workers.shutdown(wait=False, cancel_futures=True)
        self._work.stop()

    def _start(self, task: Task, domain: str) -> None:
        with self._lock:
            if domain in self._running:
                if task is Task.GO_ON:
                    self._asked_again.add(domain)
                return
            run = Run(task, time.time())
            self._running[domain] = run
        asked = self._workers.submit(self._work, task, domain)
        asked.add_done_callback(lambda ended: self._end_run(domain, run, ended))

    def _end_run(self, domain: str, run: Run, ended: Future[str]) -> None:
        if ended.cancelled():
            return
        failed = ended.exception()
        trouble = f"{type(failed).__name__}: {failed}" if failed else ended.result()
        with self._lock:
            del self._running[domain]
            self._ended[domain] = Run(run.task, run.since, trouble)
            is_asked_again = domain in self._asked_again
            self._asked_again.discard(domain)
        # After the lock was let go, for `go_on` takes it itself.
        if is_asked_again:
            self.go_on(domain)
