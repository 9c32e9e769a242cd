"""``sopforge request-changes``: send what waits at a gate back with words."""

from __future__ import annotations

from typing import Annotated

import typer

from sopforge.cli.options import (
    DEFAULT_STORE,
    By,
    Digest,
    Domain,
    StageName,
    Store,
    domain_name,
    person,
)
from sopforge.cli.output import console


def request_changes(
    domain: Domain,
    stage: StageName,
    feedback: Annotated[str, typer.Option("--feedback", help="What is to be changed.")],
    digest: Digest = "",
    by: By = "",
    store: Store = DEFAULT_STORE,
) -> None:
    """Ask for changes: the next generation of the stage gets the feedback."""
    from sopforge.stages.gates import decide
    from sopforge.store.decisions import Verdict
    from sopforge.store.local import LocalStore

    decision = decide(
        LocalStore(store),
        domain_name(domain),
        stage=stage,
        digest=digest,
        verdict=Verdict.REQUEST_CHANGES,
        by=person(by),
        feedback=feedback,
    )
    screen = console()
    screen.print(f"{decision.by} asked for changes of {domain} {stage}. Generate again to go on.")
