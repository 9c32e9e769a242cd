"""Work that is shared out among processes, with the same results for any number of them.

The processes are forks of this one: they have all that it has loaded, and nothing has to be sent
to them. Where a fork is not safe, because other threads are at work, this process does it all.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from sopforge.errors import Fault, MaterialError, WorkerError

Item = TypeVar("Item")
Result = TypeVar("Result")

VARIABLE = "SOPFORGE_JOBS"
_jobs: ContextVar[int] = ContextVar("jobs", default=0)
_given: list[tuple[Callable[[Any], Any], Sequence[Any]]] = []
"""In a worker, its work and all items, of which it then receives the places only."""


@contextmanager
def use_jobs(count: int) -> Iterator[None]:
    """Have work shared out among at most so many processes; 0 means as ``count_jobs`` says.

    Raises:
        MaterialError: ``SOPFORGE_JOBS`` is malformed; now, and not hours later.
    """
    count_jobs()
    before = _jobs.set(count)
    try:
        yield
    finally:
        _jobs.reset(before)


def count_jobs() -> int:
    """Return among how many processes work is shared out.

    It is what was asked for, else what ``SOPFORGE_JOBS`` says, else one for each core.

    Raises:
        MaterialError: the variable says no number from 1 on.
    """
    said = os.environ.get(VARIABLE, "")
    if said and not re.fullmatch("[1-9][0-9]{0,3}", said):
        message, hint = f"'{said[:40]}' is no number of processes", "give a number from 1 on"
        raise MaterialError(Fault("jobs-not-a-number", message, VARIABLE, hint))
    if asked := _jobs.get() or int(said or 0):
        return asked
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


def map_in_processes(work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """Return what some work makes of each item, in the order of the items.

    The work must depend on its item alone. What it notes in memory, as caches do, is lost.

    Raises:
        WorkerError: a process was killed, as is done where memory runs out.
    """
    jobs = min(count_jobs(), len(items))
    if jobs <= 1 or not _is_fork_safe():
        return [work(item) for item in items]
    return _map_in_forks(work, items, jobs)


def _map_in_forks(work: Callable[[Item], Result], items: Sequence[Item], jobs: int) -> list[Result]:
    # Not at start-up, for most commands share nothing out.
    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor
    from multiprocessing import active_children, get_context

    pool = ProcessPoolExecutor(jobs, get_context("fork"), _begin_worker, (work, items))
    with pool:
        try:
            return list(pool.map(_apply_work, range(len(items))))
        except BrokenProcessPool as cause:
            message = "a process that shared the work was killed, perhaps for want of memory"
            hint = f"run the same again with {VARIABLE}=1, which needs less; what was built stays"
            raise WorkerError(Fault("worker-killed", message, hint=hint)) from cause
        except BaseException:
            # Nobody waits for the rest: an error, or Ctrl-C, ends all of it at once.
            for worker in active_children():
                worker.terminate()
            raise


def _is_fork_safe() -> bool:
    # In a fork, a lock that another thread holds is never let go. macOS's own libraries break.
    return sys.platform == "linux" and threading.active_count() == 1


def _begin_worker(work: Callable[[Any], Any], items: Sequence[Any]) -> None:
    _given[:] = [(work, items)]
    _jobs.set(1)
    # Ctrl-C goes to all processes of a terminal: the first one ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    # A worker whose parent is killed would wait for work for ever.
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


def _apply_work(place: int) -> Any:  # noqa: ANN401 - whatever the work returns
    work, items = _given[0]
    return work(items[place])
