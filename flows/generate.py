"""The flow that takes a brief to its next gate, one Prefect task per stage.

The store is the only memory: what it holds is found, not built again, and approvals are its
records. Prefect adds retries, logs, pages and workers, and may be reset at any time.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from prefect import Task, flow, get_run_logger, task
from prefect.artifacts import create_markdown_artifact
from prefect.cache_policies import NONE
from prefect.client.schemas.objects import State, TaskRun
from prefect.states import Completed

from flows.gate_page import DEFAULT_STORE, Request, gate_key, gate_message, gate_page
from sopforge.errors import SopForgeError
from sopforge.stages.briefs import load_brief
from sopforge.stages.pipeline import Ending, Order, advance, build_version
from sopforge.store.decisions import GateState
from sopforge.store.opening import open_store
from sopforge.store.versions import Store, Version

DEFAULT_BRIEF = "briefs/patient_intake.yaml"
RETRIES = 2
RETRY_SECONDS = 1


@flow(name="generate-domain")
def generate_domain(
    brief: str = DEFAULT_BRIEF, store: str = DEFAULT_STORE, *, approve_clean: bool = False
) -> State[None]:
    """Take a domain as far as its approvals allow; run again after each decision.

    Ends as AwaitingApproval, Rejected or Approved, which all are Completed states.

    Args:
        brief: Path of the brief, from the project folder.
        store: Folder of the store, from the project folder.
        approve_clean: Approve by policy each stage without an error-level finding.
    """
    request = Request(brief, store)
    progress = advance(
        open_store(Path(store)),
        load_brief(Path(brief)),
        approve_clean=approve_clean,
        build=build_as_task,
        report=_log_stage,
    )
    if progress.ending is not Ending.APPROVED:
        create_markdown_artifact(gate_page(progress, request), key=gate_key(progress))
    return Completed(name=progress.ending.value, message=gate_message(progress, request))


def build_as_task(store: Store, order: Order) -> Version:
    """Build a version in a Prefect task named after the stage; it is stored when this returns."""

    # No parameters: Prefect would search whole artifacts for the results of other tasks. No
    # cache: a result kept by Prefect could outlive the version in the store.
    @task(
        name=order.stage.name,
        cache_policy=NONE,
        persist_result=False,
        retries=RETRIES,
        retry_delay_seconds=RETRY_SECONDS,
        retry_condition_fn=_may_pass_next_time,
    )
    def build() -> Version:
        return build_version(store, order)

    return build()


def _may_pass_next_time(_task: Task[..., Any], _run: TaskRun, state: State[Any]) -> bool:
    # Our own errors are about the material, which a retry would find unchanged.
    return not isinstance(state.data, SopForgeError)


def _log_stage(version: Version, state: GateState) -> None:
    manifest = version.manifest
    get_run_logger().info(
        "%s %s: %s, %d findings",
        manifest.stage,
        manifest.content[:12],
        state.value,
        len(manifest.findings),
    )


def main() -> int:
    """Run the flow from the command line, without a deployment; 1 if it failed."""
    parser = argparse.ArgumentParser(prog="python -m flows.generate", description=__doc__)
    parser.add_argument("brief", nargs="?", default=DEFAULT_BRIEF)
    parser.add_argument("--store", default=DEFAULT_STORE)
    parser.add_argument("--approve-clean", action="store_true")
    given = parser.parse_args()
    state = generate_domain(
        given.brief, given.store, approve_clean=given.approve_clean, return_state=True
    )
    sys.stdout.write(f"{state.name}: {state.message}\n")
    return 1 if state.is_failed() else 0


if __name__ == "__main__":
    sys.exit(main())
