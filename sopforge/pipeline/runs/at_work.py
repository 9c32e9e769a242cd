"""Runs that are at work: whoever holds a domain's lock says in it where the run is.

The lock alone decides whether a run is alive: what a run noted that was killed is not shown.
"""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime

from sopforge.errors import StoreError
from sopforge.progress.describing import Reporter
from sopforge.progress.tracking import Step, listen
from sopforge.store.places import S3
from sopforge.store.versions import DomainStore, Store

NOTE_SECONDS = 2.0
_READERS = 10
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class RunAtWork:
    """A run at work, as far as it says so itself: where, since when, and what it does.

    ``since`` is when it began, ``stage_since`` when it came to the ``stage``, and ``at`` when it
    last said what it is ``doing``; all are UTC. ``host`` and ``process`` are those of the run.
    """

    since: str = ""
    stage: str = ""
    stage_since: str = ""
    doing: str = ""
    at: str = ""
    host: str = ""
    process: int = 0

    def describe(self) -> str:
        """Return it in one line."""
        since = f" since {format_time(self.since)}" if self.since else ""
        verb = "has been" if since else "is"
        where = f" on {self.host} (process {self.process})" if self.host else ""
        stage = f"; {self.stage} since {format_time(self.stage_since)}" if self.stage else ""
        # What it does begins with the stage.
        inside = self.doing.removeprefix(self.stage).removeprefix(": ")
        return f"a run {verb} at work{since}{where}{stage}" + (f": {inside}" if inside else "")


def find_run_at_work(domain: DomainStore) -> RunAtWork | None:
    """Return the run that is at work on a domain and has not died, None where none is."""
    note = domain.objects.read_holder(name_run_lock(domain.name))
    return None if note is None else _parse_note(note)


def find_runs_at_work(store: Store, domains: Sequence[str]) -> dict[str, RunAtWork]:
    """Return the runs that are at work on domains, by their names."""
    # A bucket answers each read late; files of a folder are there at once.
    with ThreadPoolExecutor(_READERS if store.place.startswith(S3) else 1) as readers:
        found = readers.map(lambda domain: find_run_at_work(store.get_domain(domain)), domains)
        return {name: run for name, run in zip(domains, found, strict=True) if run is not None}


@contextmanager
def note_run(
    domain: DomainStore, now: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> Iterator[None]:
    """Say in the lock that a run of a domain holds where it is, as long as this lasts."""
    noter = _Noter(domain.store, domain.name, now)
    noter.note("")
    try:
        with listen(noter.hear):
            yield
    finally:
        with suppress(StoreError):
            domain.objects.note_holder(name_run_lock(domain.name), "")


def name_run_lock(domain: str) -> str:
    """Return the name of the lock that a run of a domain holds."""
    # Not the domain's own lock, which decisions take for a moment while a run is at work.
    return f"{domain}/run"


class _Noter:
    def __init__(
        self,
        store: Store,
        domain: str,
        now: Callable[[], datetime],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store, self._domain, self._now = store, domain, now
        self._run = RunAtWork(self._format_now(), host=socket.gethostname(), process=os.getpid())
        self._widest: Step | None = None
        self._reporter = Reporter(self.note, NOTE_SECONDS, at_once=True, clock=clock)

    def hear(self, steps: Sequence[Step]) -> None:
        """Take in where work is; a further stage is noted at once."""
        widest = steps[0] if steps else None
        if widest is not self._widest:
            self._widest, stage = widest, widest.what if widest else ""
            since = self._format_now() if stage else ""
            self._run = replace(self._run, stage=stage, stage_since=since)
            if not stage:
                self.note("")
        self._reporter.hear(steps)

    def note(self, line: str) -> None:
        self._run = replace(self._run, doing=line[:_LONGEST], at=self._format_now())
        # It is no part of the result: what keeps it from being noted stops the run where it writes.
        with suppress(StoreError):
            self._store.objects.note_holder(
                name_run_lock(self._domain), json.dumps(asdict(self._run))
            )

    def _format_now(self) -> str:
        return self._now().isoformat(timespec="seconds")


def format_time(moment: str) -> str:
    """Return a time of UTC as people read it.

    >>> format_time("2026-03-01T09:30:05+00:00")
    '2026-03-01 09:30:05 UTC'
    """
    return moment.replace("T", " ").replace("+00:00", " UTC")


def _parse_note(note: str) -> RunAtWork:
    """Return what a run said of itself, nothing where that cannot be read."""
    with suppress(ValueError, TypeError):
        said = json.loads(note)
        names = RunAtWork.__dataclass_fields__
        return RunAtWork(**{name: said[name] for name in names if name in said})
    return RunAtWork()
