"""Marks in Prefect the run after which a domain waits: a tag as long as it does, and an event.

Prefect has no state for it: such a run is over, and its state's name alone says how it ended.
"""

from __future__ import annotations

from uuid import UUID

from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterTags
from prefect.events import emit_event
from prefect.runtime import flow_run

from flows.parameters import DEFAULT_STORE
from sopforge.store.places import resolve_place
from sopforge.store.versions import Manifest

TAG = "awaiting-approval"
EVENT = "sopforge.gate.awaiting-approval"


def mark_waiting(manifest: Manifest) -> None:
    """Tag this run with its domain and as one that waits, and say so in an event."""
    domain, stage = manifest.domain, manifest.stage
    emit_event(
        EVENT,
        resource={
            "prefect.resource.id": f"sopforge.gate.{domain}.{stage}",
            "prefect.resource.name": f"{domain} {stage}",
        },
        payload={
            "domain": domain,
            "stage": stage,
            "content": manifest.content,
            "findings": len(manifest.findings),
        },
    )
    if flow_run.id is None:
        return
    with get_client(sync_client=True) as client:
        found = client.read_flow_run(UUID(str(flow_run.id)))
        client.update_flow_run(found.id, tags={*found.tags, domain, TAG})


def clear_waiting(domain: str, place: str) -> None:
    """Take the tag from runs of a domain in the store in a place: it waits there no more."""
    with get_client(sync_client=True) as client:
        tagged = FlowRunFilter(tags=FlowRunFilterTags(all_=[domain, TAG]))
        for found in client.read_flow_runs(flow_run_filter=tagged):
            store = str(found.parameters.get("store") or DEFAULT_STORE)
            if resolve_place(store) == resolve_place(place):
                client.update_flow_run(found.id, tags=set(found.tags) - {TAG})
