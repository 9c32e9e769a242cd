"""The flow that writes the release of a domain whose gates are all passed."""

from __future__ import annotations

import argparse
import sys

from prefect import flow, get_run_logger
from prefect.client.schemas.objects import State

from flows.failure_words import report_failure
from flows.parameters import DEFAULT_STORE, Domain, Place, name_run
from flows.run_display import RunDisplay
from flows.running import make_published_state, publish_in_task
from sopforge.pipeline.briefs.brief_files import load_latest_brief
from sopforge.pipeline.gates.stage_states import list_stage_states
from sopforge.store.log.audit_log import GateState
from sopforge.store.opening import open_store

DEFAULT_DOMAIN = "patient_intake"


@flow(name="publish-domain", flow_run_name=name_run)
@report_failure
def publish_domain(domain: Domain = DEFAULT_DOMAIN, store: Place = DEFAULT_STORE) -> State[None]:
    """Write the release of an approved domain; the same content is released only once.

    Ends as Published, a Completed state, or fails while a gate is not passed.

    Args:
        domain: Name of the domain, as in its brief.
        store: Folder of the store, from the project folder, or s3://BUCKET/PREFIX.
    """
    opened, shown = open_store(store), RunDisplay(domain, get_run_logger())
    brief = load_latest_brief(opened.get_domain(domain))
    for stage in list_stage_states(opened.get_domain(domain)):
        if stage.state is GateState.APPROVED:
            shown.show_passed_gate(stage.version, stage.description)
    with shown.show_failure(), shown.show_work():
        published = publish_in_task(opened, brief)
    shown.show_end(f"published {published.version} in {published.place}")
    return make_published_state(domain, published, shown)


def main() -> int:
    """Run the flow from the command line, without a deployment; 1 if it failed."""
    parser = argparse.ArgumentParser(prog="python -m flows.publish", description=__doc__)
    parser.add_argument("domain", nargs="?", default=DEFAULT_DOMAIN)
    parser.add_argument("--store", default=DEFAULT_STORE)
    given = parser.parse_args()
    state = publish_domain(given.domain, given.store, return_state=True)
    sys.stdout.write(f"{state.name}: {state.message}\n")
    return 1 if state.is_failed() else 0


if __name__ == "__main__":
    sys.exit(main())
