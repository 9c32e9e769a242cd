"""A run that a person cancels in Prefect stays ended; one whose worker stops is gone on with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

import httpx
from prefect.client.orchestration import get_client
from prefect.exceptions import PrefectException, TerminationSignal
from prefect.runtime import flow_run

from sopforge.pipeline.runs.run import note_cancelled
from sopforge.store.versions import DomainStore


@contextmanager
def record_cancellation(domain: DomainStore) -> Iterator[None]:
    """Note in the store that this run was cancelled; enter it within ``lock_run``."""
    try:
        yield
    except TerminationSignal:
        if _is_cancelled():
            note_cancelled(domain)
        raise


def _is_cancelled() -> bool:
    """Return whether the server has this run as cancelled: a stopping worker sends the same signal.

    Where it does not answer, nobody knows, and the run counts as cut off.
    """
    try:
        with get_client(sync_client=True) as client:
            state = client.read_flow_run(UUID(str(flow_run.id))).state
    except (httpx.HTTPError, PrefectException):
        return False
    return state is not None and (state.is_cancelling() or state.is_cancelled())
