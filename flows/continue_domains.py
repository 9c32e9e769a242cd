"""The flow that looks for domains with something to do, and starts a run for each of them."""

from __future__ import annotations

from prefect import flow, get_run_logger
from prefect.client.schemas.objects import State
from prefect.states import Completed, Failed

from flows.failure_words import describe_fault, report_failure
from flows.parameters import DEFAULT_STORE, Place
from flows.starting import SWEEP_RETRIES, PrefectContinuation
from sopforge.errors import Fault
from sopforge.pipeline.runs.continuing import find_due_runs, start_all
from sopforge.store.opening import open_store
from sopforge.store.places import resolve_place


@flow(name="continue-domains")
@report_failure
def continue_domains(store: Place = DEFAULT_STORE) -> State[None]:
    """Start a run for each domain in which a person decided since its last run, or it was cut off.

    What follows a decision is usually started by the command that records it; this finds what was
    lost in between. Two looks at the same decision start one run.

    Args:
        store: Folder of the store, from the project folder, or s3://BUCKET/PREFIX.
    """
    opened, log = open_store(store), get_run_logger()
    look, faults = find_due_runs(opened), list[Fault]()
    for found in look.faults.values():
        faults += found
    started = []
    for start in start_all(
        resolve_place(opened.place), look.due, PrefectContinuation(SWEEP_RETRIES)
    ):
        faults += start.faults
        if start.message:
            started.append(start.domain)
            log.info("%s: %s", start.domain, start.message)
    for domain, reason in look.left.items():
        log.warning("%s: %s; a person has to start its next run", domain, reason)
    message = f"started: {', '.join(started) or 'none'}"
    if faults:
        return Failed(message="\n".join([message, *map(describe_fault, faults)]))
    return Completed(message=message)
