"""What all pages share: the store, what is kept of it in memory, and the runs."""

from __future__ import annotations

import pathlib
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Annotated, Generic, TypeVar

from fastapi import Depends, HTTPException, Path, Request

from review.access.turns import Turns
from review.reading.comparisons import Comparisons
from review.reading.domain_index import DomainIndex
from review.runs.local_runs import Continue, LocalRuns
from sopforge.errors import Fault, StoreError
from sopforge.pipeline.runs.continuing import Continuation, find_due_runs
from sopforge.store.overview import Overview, Phase
from sopforge.store.versions import DomainStore, Store, Version, is_name
from sopforge.workspace import STAGE_NAMES, Workspace

Value = TypeVar("Value")


class Cache(Generic[Value]):
    """A few values by their key, each worked out once; those used last stay."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[object, Value] = OrderedDict()
        self._lock = Lock()

    def get(self, key: object, make: Callable[[], Value]) -> Value:
        """Return the value of a key."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        # Outside of the lock: what is slow to make must not keep other pages from what is there. At
        # worst two make the same.
        made = make()
        with self._lock:
            self._values[key] = made
            while len(self._values) > self._most:
                self._values.popitem(last=False)
        return made


@dataclass(frozen=True, slots=True)
class Desk:
    """The store under review; ``go_on`` has a domain taken on after a decision.

    That happens elsewhere where a scheduler's ``continuation`` does it. Signatures are verified by
    the allowed signers of ``signers_file``, or the store's own.
    """

    store: Store
    runs: LocalRuns
    go_on: Continue
    index: DomainIndex
    continuation: Continuation | None = None
    comparisons: Comparisons = field(default_factory=Comparisons)
    workspaces: Cache[Workspace] = field(default_factory=lambda: Cache(8))
    fragments: Cache[str] = field(default_factory=lambda: Cache(64))
    turns: Turns = field(default_factory=Turns)
    intact: Cache[bool] = field(default_factory=lambda: Cache(512))
    signers_file: pathlib.Path | None = None

    @property
    def is_elsewhere(self) -> bool:
        """Whether runs are made elsewhere."""
        return self.continuation is not None

    def find_runs_page(self, domain: str) -> str:
        """Return where a scheduler shows the runs of a domain, "" if none does."""
        return self.continuation.get_page_address(domain) if self.continuation else ""

    def continue_if_due(self, domain: str) -> Overview:
        """Have a domain go on, if what was decided about it lets it."""
        row = self.index.refresh(domain)
        if row.phase is Phase.DUE:
            self.go_on(domain)
            # What else waits is listed on every page of a stage, and must be up to date.
            self.index.refresh(domain)
        return row

    def sweep(self) -> None:
        """Have all domains go on that have something to do and that nobody is at."""
        for due in find_due_runs(self.store).due:
            if self.runs.find_current_run(due.domain) is None:
                self.go_on(due.domain)

    def is_intact(self, version: Version) -> bool:
        """Return whether the files of a version are those that were stored, as of a minute ago."""
        # A page of a domain asks this of every stage, and an answer takes reading all of its files.
        minute = int(time.monotonic() // 60)
        return self.intact.get((version.name, minute), lambda: version.is_intact)


def get_desk(request: Request) -> Desk:
    """Return the desk of the app that a request came to, which looks at the store anew."""
    desk: Desk = request.app.state.desk
    desk.store.objects.forget_seals()
    return desk


AtDesk = Annotated[Desk, Depends(get_desk)]


def require_domain(desk: AtDesk, domain: Annotated[str, Path()]) -> DomainStore:
    """Return a domain that the store has.

    Raises:
        StoreError: it has none of that name, or it cannot be one, such as a path.
    """
    if not is_name(domain) or not desk.store.objects.list_children(f"{domain}/briefs"):
        message = f"the store has no domain '{domain[:80]}'"
        hint = f"make it with: sopforge generate BRIEF --store {desk.store.place}"
        raise StoreError(Fault("unknown-domain", message, desk.store.place, hint))
    return desk.store.get_domain(domain)


def require_stage(stage: Annotated[str, Path()]) -> str:
    """Return the name of a stage; any other text is no page."""
    if stage not in STAGE_NAMES:
        raise HTTPException(404)
    return stage


AtDomain = Annotated[DomainStore, Depends(require_domain)]
StageName = Annotated[str, Depends(require_stage)]
