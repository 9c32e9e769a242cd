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
from contextlib import closing, contextmanager, nullcontext
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeVar

from sopforge.errors import Fault, MaterialError, WorkerError
from sopforge.progress.relaying import Relay
from sopforge.progress.ticking import count_working_threads
from sopforge.progress.tracking import has_listeners, ignore_listeners, repeat_report, track

if TYPE_CHECKING:
    from concurrent.futures import Future

Item = TypeVar("Item")
Result = TypeVar("Result")

VARIABLE = "SOPFORGE_JOBS"
REPORT_SECONDS = 1.0
"""While others work, listeners hear again so often where the work is."""
_jobs: ContextVar[int] = ContextVar("jobs", default=0)
_given: list[tuple[Callable[[Any], Any], Sequence[Any], Relay | None]] = []
"""In a worker, its work and all items, of which it then receives the places only, and whom it
reports to."""


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


def map_in_processes(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    what: str = "parts",
    size: Callable[[Item], int] = lambda _: 1,
) -> list[Result]:
    """Return what some work makes of each item, in the order of the items.

    The work must depend on its item alone. What it notes in memory, as caches do, is lost. ``what``
    the items are, and as how many each counts, is said to who listens.

    Raises:
        WorkerError: a process was killed, as is done where memory runs out.
    """
    jobs = min(count_jobs(), len(items))
    if jobs <= 1 or not _is_fork_safe():
        return [work(item) for item in track(items, what, sum(map(size, items)), size=size)]
    return _map_in_forks(work, items, jobs, what, size)


def _map_in_forks(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    jobs: int,
    what: str,
    size: Callable[[Item], int],
) -> list[Result]:
    # Not at start-up, for most commands share nothing out.
    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor
    from multiprocessing import active_children, get_context

    relay = Relay() if has_listeners() else None
    pool = ProcessPoolExecutor(jobs, get_context("fork"), _begin_worker, (work, items, relay))
    with pool, closing(relay) if relay else nullcontext():
        futures: list[Future[Result]] = []
        try:
            futures += [pool.submit(_apply_work, place) for place in range(len(items))]
            sizes = dict(zip(futures, map(size, items), strict=True))
            ended = _iterate_ended(futures, relay)
            for _ in track(ended, what, sum(sizes.values()), size=sizes.__getitem__):
                pass
            return [future.result() for future in futures]
        except BrokenProcessPool as cause:
            message = "a process that shared the work was killed, perhaps for want of memory"
            hint = f"run the same again with {VARIABLE}=1, which needs less; what was built stays"
            raise WorkerError(Fault("worker-killed", message, hint=hint)) from cause
        except BaseException:
            # Nobody waits for the rest: an error, or Ctrl-C, ends all of it at once.
            # What is cancelled from here, the pool's own thread would complain of.
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in active_children():
                worker.terminate()
            raise


def _iterate_ended(
    futures: Sequence[Future[Result]], relay: Relay | None
) -> Iterator[Future[Result]]:
    """Yield work as it ends, up to the first that failed; listeners hear of it in between."""
    from concurrent.futures import FIRST_COMPLETED, wait

    waiting = set(futures)
    while waiting:
        ended, waiting = wait(waiting, REPORT_SECONDS, FIRST_COMPLETED)
        for future in ended:
            if future.exception() is not None:
                return
            yield future
        at_work = [place for place, future in enumerate(futures) if not future.done()]
        # Of several, the first: what is said of one goes on from what was said before.
        repeat_report(relay.find_steps(at_work[0]) if relay and at_work else ())


def _is_fork_safe() -> bool:
    # In a fork, a lock that another thread holds is never let go. macOS's own libraries break.
    return sys.platform == "linux" and count_working_threads() == 1


def _begin_worker(work: Callable[[Any], Any], items: Sequence[Any], relay: Relay | None) -> None:
    _given[:] = [(work, items, relay)]
    _jobs.set(1)
    # The first process speaks for all: what listens there would be heard once for each worker.
    ignore_listeners()
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
    work, items, relay = _given[0]
    with relay.send_from(place) if relay else nullcontext():
        return work(items[place])
