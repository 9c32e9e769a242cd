"""The flow that writes the release of a domain whose gates are all passed."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.states import Completed

from sopforge.stages.briefs import load_brief
from sopforge.stages.publishing import publish
from sopforge.store.local import LocalStore

DEFAULT_BRIEF = "briefs/patient_intake.yaml"
DEFAULT_STORE = "generated"


@flow(name="publish-domain")
def publish_domain(brief: str = DEFAULT_BRIEF, store: str = DEFAULT_STORE) -> State[None]:
    """Write the release of an approved domain; the same content is released only once.

    Ends as Published, a Completed state, or fails while a gate is not passed.

    Args:
        brief: Path of the brief, from the project folder.
        store: Folder of the store, from the project folder.
    """
    loaded = load_brief(Path(brief))
    published = publish(LocalStore(Path(store)), loaded)
    verb = "published in" if published.is_new else "was already published in"
    message = f"{loaded.parts.domain} {published.version} {verb} {published.folder}"
    return Completed(name="Published", message=message)


def main() -> int:
    """Run the flow from the command line, without a deployment; 1 if it failed."""
    parser = argparse.ArgumentParser(prog="python -m flows.publish", description=__doc__)
    parser.add_argument("brief", nargs="?", default=DEFAULT_BRIEF)
    parser.add_argument("--store", default=DEFAULT_STORE)
    given = parser.parse_args()
    state = publish_domain(given.brief, given.store, return_state=True)
    print(f"{state.name}: {state.message}")
    return 1 if state.is_failed() else 0


if __name__ == "__main__":
    sys.exit(main())
