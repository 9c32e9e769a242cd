"""Handing runs to a scheduler, which has them done elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

from review.runs.local_runs import Task, Work
from sopforge.errors import SopForgeError
from sopforge.pipeline.runs.continuing import Continuation, find_next_run
from sopforge.store.places import resolve_place
from sopforge.store.versions import Store


@dataclass(frozen=True, slots=True)
class Handing:
    """Has the next run of a domain started elsewhere; all else is done ``here``."""

    store: Store
    continuation: Continuation
    here: Work

    def __call__(self, task: Task, domain: str) -> str:
        """Have it started, or do it; return what went wrong, empty if nothing did."""
        if task is not Task.GO_ON:
            return self.here(task, domain)
        try:
            due = find_next_run(self.store.get_domain(domain))
            self.continuation.start(resolve_place(self.store.place), due)
        except SopForgeError as refused:
            return "".join(f"{fault}\n" for fault in refused.faults).strip()
        return ""

    def stop(self) -> None:
        """Stop what is done here; runs elsewhere go on."""
        self.here.stop()
