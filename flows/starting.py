"""Starting the next run of a domain as a run of its Prefect deployment, once for each decision."""

from __future__ import annotations

import shlex
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.objects import FlowRun, State
from prefect.exceptions import ObjectNotFound, PrefectException
from prefect.settings import (
    PREFECT_API_URL,
    PREFECT_CLIENT_MAX_RETRIES,
    PREFECT_UI_URL,
    temporary_settings,
)
from prefect.states import Scheduled

from flows.gate_words import make_page_key
from sopforge.errors import ContinuationError, Fault
from sopforge.pipeline.runs.continuing import MOST_TRIES, Due, is_overtaken

DEPLOYMENT = "generate-domain/local"
TIMEOUT_SECONDS = 15
# Fewer than Prefect's own: whoever has just decided waits for this, and a sweep starts the run if
# it is not started here. A sweep is waited for by nobody, and by itself keeps the server busy.
RETRIES, SWEEP_RETRIES = 3, 6
# From when a worker takes a run until its process notes in the store that it is at work.
_BEGINS_WITHIN = timedelta(minutes=2)


class PrefectContinuation:
    """Starts runs of ``generate-domain`` on the server that Prefect's settings name.

    Prefect's own client is used throughout: it tries again where SQLite is busy.
    """

    def __init__(self, retries: int = RETRIES) -> None:
        self.retries = retries

    def start(self, place: str, due: Due) -> str:
        server = PREFECT_API_URL.value()
        if not server:
            hint = "set PREFECT_API_URL, such as http://127.0.0.1:4200/api"
            raise _make_start_error("no Prefect server is named", "PREFECT_API_URL", hint)
        try:
            with (
                temporary_settings({PREFECT_CLIENT_MAX_RETRIES: self.retries}),
                get_client(sync_client=True, httpx_settings={"timeout": TIMEOUT_SECONDS}) as client,
            ):
                run = _start_run(client, place, due)
        except ObjectNotFound as cause:
            hint = "make it with: prefect --no-prompt deploy --all"
            raise _make_start_error(
                f"there is no deployment '{DEPLOYMENT}'", server, hint
            ) from cause
        except (httpx.HTTPError, PrefectException) as cause:
            hint = "check that the server at PREFECT_API_URL runs"
            raise _make_start_error(f"{type(cause).__name__}: {cause}", server, hint) from cause
        return f"'{run.name}' of {DEPLOYMENT}{_format_run_link(run.id)}"

    def get_page_address(self, domain: str) -> str:
        pages = PREFECT_UI_URL.value()
        return f"{pages}/artifacts/key/{make_page_key('progress', domain)}" if pages else ""


def collect_parameters(place: str, due: Due) -> dict[str, Any]:
    """Return the parameters of the run that goes on: those of the domain's last run."""
    settings = due.settings
    asked = {
        "approve_clean": settings.approve_clean,
        "publish": settings.publish,
        "run_ahead": settings.run_ahead,
        "budget": None if settings.budget is None else str(settings.budget),
        "prices": settings.prices or None,
    }
    return {"domain": due.domain, "store": place} | {
        name: value for name, value in asked.items() if value
    }


def _start_run(client: SyncPrefectClient, place: str, due: Due) -> FlowRun:
    """Return the run, which another may have started already.

    For a key that it knows the server returns the earlier run, even one that is over or whose
    process died. Such a run either overtook whoever starts this one, and did the work, or ended
    before the domain knew of it.
    """
    deployment, key = client.read_deployment_by_name(DEPLOYMENT), due.key
    for _ in range(MOST_TRIES):
        run = client.create_flow_run_from_deployment(
            deployment.id,
            parameters=collect_parameters(place, due),
            state=Scheduled(),
            name=f"{due.domain} continued after {due.after}",
            tags=[due.domain],
            idempotency_key=key,
        )
        if run.state is None or not (run.state.is_final() or _is_dead(run.state)):
            return run
        if is_overtaken(place, due):
            return run
        if run.state.is_cancelled():
            raise _make_start_error(
                f"'{run.name}' was cancelled in Prefect",
                due.domain,
                _describe_manual_start(place, due),
            )
        key = f"{due.key}:{run.id}"
    message = f"{MOST_TRIES} runs were started for this, and each ended before it began its work"
    raise _make_start_error(
        message, due.domain, f"see why on their pages, then {_describe_manual_start(place, due)}"
    )


def _describe_manual_start(place: str, due: Due) -> str:
    given = shlex.join(["--param", f"domain={due.domain}", "--param", f"store={place}"])
    return f"start one by hand: prefect deployment run {DEPLOYMENT} {given}"


def _is_dead(state: State[object]) -> bool:
    """Return whether a run was begun so long ago that the domain would know of it.

    Where its process died with its worker, the server shows it as running for ever. One that is not
    dead is only slow, and finds what the other has built.
    """
    is_begun = state.is_pending() or state.is_running()
    return is_begun and datetime.now(UTC) - state.timestamp > _BEGINS_WITHIN


def _format_run_link(run: UUID) -> str:
    pages = PREFECT_UI_URL.value()
    return f", {pages}/runs/flow-run/{run}" if pages else ""


def _make_start_error(message: str, where: str, hint: str) -> ContinuationError:
    return ContinuationError(Fault("run-not-started", message, where, hint))
