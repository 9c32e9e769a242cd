"""What a run shows in Prefect while it works and when it ends: lines of its log, and artifacts."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from threading import Lock
from typing import TypeAlias
from uuid import UUID

import httpx
from prefect.artifacts import (
    create_progress_artifact,
    create_table_artifact,
    update_progress_artifact,
)
from prefect.exceptions import PrefectException

from flows.failure_words import describe_failure
from flows.gate_artifacts import GatePages
from flows.gate_words import Approvals, make_page_key
from flows.release_page import describe_release, list_package_rows
from flows.waiting_mark import clear_waiting, mark_waiting
from sopforge.authors.providers.spending import Spending, describe_call, describe_round
from sopforge.authors.providers.watching import Event
from sopforge.errors import SopForgeError
from sopforge.pipeline.releases.publishing import Published
from sopforge.pipeline.runs.run import describe_stage
from sopforge.pipeline.runs.shares import compute_share, compute_share_after, compute_share_before
from sopforge.pipeline.stages.pipeline import Ending, Progress, StageReport
from sopforge.progress.describing import Reporter
from sopforge.progress.tracking import Step, listen
from sopforge.store.log.audit_log import GateState
from sopforge.store.versions import Version

Log: TypeAlias = "logging.Logger | logging.LoggerAdapter[logging.Logger]"
# Each update is a request to the server, and a stage may ask a language model dozens of things at
# once.
BETWEEN_UPDATES = 2.0
# Within a stage, whose work waits for each request.
BETWEEN_BARS = 5.0
LOG_SECONDS = 15.0


class RunDisplay:
    """One run of a domain as Prefect shows it; without the server's answer the run goes on."""

    def __init__(self, domain: str, log: Log, clock: Callable[[], float] = time.monotonic) -> None:
        self._domain = domain
        self._log = log
        self._clock = clock
        self._spending = Spending()
        self._lock = Lock()
        self._bar: UUID | None = None
        self._share = 0.0
        self._updated = 0.0
        self._pages = GatePages(domain)

    def begin(self, store: str) -> None:
        """Show that the domain waits no more at the gate at which an earlier run ended."""
        with self._tolerate_lost_server():
            clear_waiting(self._domain, store)

    def show_building(self, stage: str) -> None:
        """Show that a stage is being built."""
        self._share = compute_share_before(stage)
        self._show(f"{stage} is being built")
        with self._tolerate_lost_server():
            self._pages.reopen(stage)

    def report(self, stage: StageReport) -> None:
        """Report a stage that the run came to."""
        version, at_gate, manifest = stage.version, stage.at_gate, stage.version.manifest
        spent = self._spending.describe_cost(manifest.stage)
        self._log.info("%s%s", describe_stage(stage), f"; {spent}" if spent else "")
        self._share = compute_share_after(manifest.stage)
        self._update(f"{manifest.stage}: {at_gate.description}")
        if at_gate.state is GateState.APPROVED:
            self.show_passed_gate(version, at_gate.description)

    def show_passed_gate(self, version: Version, said: str) -> None:
        """Show that a gate is passed, and by whom."""
        self._share = compute_share_after(version.manifest.stage)
        with self._tolerate_lost_server():
            self._pages.show_passed(version, said)

    @contextmanager
    def show_failure(self) -> Iterator[None]:
        """Show what stopped the run, where something did."""
        try:
            yield
        except (SopForgeError, OSError) as refused:
            self.show_end(f"failed: {describe_failure(refused)}")
            raise
        except Exception:
            self.show_end("failed because of a fault of SOPForge; see the log of the run")
            raise
        # Prefect stops a run by raising TerminationSignal, which is no Exception.
        except BaseException:
            self.show_end("was stopped from outside")
            raise

    def show_end(self, text: str) -> None:
        """Show how the run ended."""
        self._show(text)

    def hear(self, event: Event) -> None:
        """Report a call of a language model, or a round of repair."""
        if event["event"] == "goes-back":
            self._log.warning("%s", describe_round(event))
            return
        self._spending.hear(event)
        if event["event"] == "waits":
            self._log.warning("%s: %s; asking again later", describe_call(event), event["reason"])
        with self._lock:
            is_soon = self._clock() - self._updated < BETWEEN_UPDATES
            if self._bar is None or is_soon:
                return
            self._updated = self._clock()
        self._update(f"{describe_call(event)}; so far: {self._spending.describe_cost()}")

    def show_work(self) -> AbstractContextManager[None]:
        """Show where work is as long as this lasts: beside the bar, and now and then in the log."""
        logged = Reporter(lambda line: self._log.info("%s", line), LOG_SECONDS, clock=self._clock)
        shown = Reporter(self._update, BETWEEN_BARS, clock=self._clock)
        return listen(self._note_share, shown.hear, logged.hear)

    def _note_share(self, steps: Sequence[Step]) -> None:
        if steps:
            self._share = max(self._share, compute_share(steps))

    def show_gate(self, progress: Progress, store: str, approvals: Approvals) -> None:
        """Show the page of the gate at which the run ended."""
        with self._tolerate_lost_server():
            self._pages.show(progress, store, approvals)
            if progress.ending is Ending.AWAITING_APPROVAL and not progress.is_overtaken:
                mark_waiting(progress.version.manifest)

    def show_release(self, published: Published) -> None:
        """Show the packages of the release."""
        with self._tolerate_lost_server():
            create_table_artifact(
                list_package_rows(published),
                key=make_page_key("release", self._domain),
                description=describe_release(self._domain, published),
            )

    def _show(self, text: str) -> None:
        """Show a text beside the bar, which is made for the first one."""
        if self._bar is not None:
            self._update(text)
            return
        with self._tolerate_lost_server():
            key = make_page_key("progress", self._domain)
            made = create_progress_artifact(self._compute_percent(), key=key, description=text)
            self._bar = made if isinstance(made, UUID) else None  # so typed for callers that await

    def _update(self, text: str) -> None:
        if self._bar is not None:
            with self._tolerate_lost_server():
                update_progress_artifact(self._bar, self._compute_percent(), text)

    def _compute_percent(self) -> float:
        return round(100 * self._share)

    @contextmanager
    def _tolerate_lost_server(self) -> Iterator[None]:
        """Go on where the server does not take what is shown: it is no part of the result."""
        try:
            yield
        except (httpx.HTTPError, PrefectException) as lost:
            self._log.warning("not shown in Prefect: %s", lost)
