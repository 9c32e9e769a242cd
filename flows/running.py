"""One run of a domain under Prefect: each stage in a task that is tried again where that may help.

The store is the only memory: what it holds is found, not built again, and approvals are its
records. Prefect adds retries, logs, pages and workers, and may be reset at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import httpx
from prefect import Task, get_run_logger, task
from prefect.cache_policies import NONE
from prefect.client.schemas.objects import State, TaskRun
from prefect.exceptions import PrefectException
from prefect.states import Completed

from flows.cancelling import record_cancellation
from flows.gate_words import Approvals, describe_gate
from flows.run_display import RunDisplay
from sopforge.errors import Fault, SopForgeError
from sopforge.language.domain.reading import Brief
from sopforge.pipeline.releases.publishing import Published, publish
from sopforge.pipeline.runs.run import (
    RunHooks,
    RunResult,
    describe_end,
    find_brief_warnings,
    is_transient,
    run_alone,
)
from sopforge.pipeline.stages.pipeline import Ending, Order, build_version
from sopforge.store.entries import DeciderKind
from sopforge.store.last_run import RunSettings
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.versions import DomainStore, Store, Version

# A model that is out of order, or a store that does not answer, has been asked for minutes before
# a task fails: a further try is worth little soon and more a while later.
RETRY_SECONDS = [2.0, 30.0]

Made = TypeVar("Made")


def run_domain(
    domain: DomainStore,
    brief: Callable[[], Brief],
    settings: Callable[[], RunSettings],
) -> State[None]:
    """Take a domain as far as its approvals allow, while no other run is at work on it.

    Brief and settings are asked for once no other run can change them.

    Ends as AwaitingApproval, Rejected, Approved or Published, which all are Completed states.
    """
    log = get_run_logger()
    shown = RunDisplay(domain.name, log)

    def build(_domain: DomainStore, order: Order) -> Version:
        shown.show_building(order.stage.name)
        return run_in_task(order.stage.name, lambda: build_version(domain, order))

    def warn_of_wait() -> None:
        log.warning(
            "another run is working on '%s'; this run continues when that one ends", domain.name
        )

    @contextmanager
    def show(loaded: Brief) -> Iterator[None]:
        shown.begin(domain.place)
        for finding in find_brief_warnings(loaded):
            log.warning("%s: %s", finding.id, finding.message)
        with shown.show_failure(), shown.show_work(), record_cancellation(domain):
            yield

    hooks = RunHooks(
        waits=warn_of_wait,
        surround=show,
        build=build,
        release=publish_in_task,
        report=shown.report,
        goes_back=log.warning,
        watch=shown.hear,
    )
    ran = run_alone(domain, brief, settings, hooks)
    shown.show_end(describe_end(ran.progress, ran.published))
    return _make_end_state(domain, ran, shown)


def publish_in_task(store: Store, brief: Brief) -> Published:
    """Publish a domain in a task."""
    return run_in_task("publish", lambda: publish(store, brief))


def make_published_state(domain: str, published: Published, shown: RunDisplay) -> State[None]:
    """Show a release, and return the state that reports it."""
    shown.show_release(published)
    verb = "is published" if published.is_new else "was published before"
    message = f"{domain} {published.version} {verb}, in {published.place}"
    return Completed(name="Published", message=message)


def run_in_task(name: str, work: Callable[[], Made]) -> Made:
    """Do something in a Prefect task of that name; what it makes is stored when this returns."""

    # No parameters: Prefect would search whole artifacts for the results of other tasks. No
    # cache: a result kept by Prefect could outlive the version in the store.
    @task(
        name=name,
        cache_policy=NONE,
        persist_result=False,
        retries=len(RETRY_SECONDS),
        retry_delay_seconds=RETRY_SECONDS,
        retry_condition_fn=_is_transient,
    )
    def do_work() -> Made:
        return work()

    try:
        return do_work()
    except (httpx.HTTPError, PrefectException) as lost:
        # What the work itself raises is none of these.
        message = f"Prefect's server did not accept the result of {name}: {lost}"
        hint = "check that the server runs; the next sweep continues from here"
        raise SopForgeError(Fault("prefect-unavailable", message, name, hint)) from lost


def _is_transient(_task: Task[..., Any], _run: TaskRun, state: State[Any]) -> bool:
    return not isinstance(state.data, BaseException) or is_transient(state.data)


def _make_end_state(domain: DomainStore, ran: RunResult, shown: RunDisplay) -> State[None]:
    progress = ran.progress
    if ran.published is not None:
        return make_published_state(domain.name, ran.published, shown)
    approvals = _collect_approvals(domain, ran.brief, progress.version)
    if progress.ending is not Ending.APPROVED:
        shown.show_gate(progress, domain.place, approvals)
    message = describe_gate(progress, domain.place, approvals)
    return Completed(name=progress.ending.value, message=message)


def _collect_approvals(domain: DomainStore, brief: Brief, version: Version) -> Approvals:
    decisions = AuditLog(domain).list_approvals(version)
    persons = [item.by for item in decisions if item.kind is DeciderKind.PERSON]
    needed = brief.parts.gates.count_approvers(version.manifest.stage)
    return Approvals(needed, tuple(dict.fromkeys(persons)))
