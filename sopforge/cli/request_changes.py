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
    StorePlace,
    known_domain,
    person,
    shortened_digest,
)
from sopforge.cli.output import console, say
from sopforge.errors import Fault, MaterialError


def request_changes(
    domain: Domain,
    stage: StageName,
    feedback: Annotated[str, typer.Option("--feedback", help="What is to be changed.")],
    digest: Digest = None,
    by: By = "",
    store: StorePlace = DEFAULT_STORE,
) -> None:
    """Ask for changes: the next generation of the stage gets the feedback."""
    from sopforge.stages.gates import decide
    from sopforge.store.decisions import Opinion, Verdict
    from sopforge.store.opening import open_store

    opened = open_store(store)
    if not feedback.strip():
        raise MaterialError(
            Fault("feedback-empty", "the feedback says nothing", "--feedback", "say what to change")
        )
    decided = decide(
        opened,
        known_domain(opened, domain),
        stage=stage,
        digest=shortened_digest(digest),
        verdict=Verdict.REQUEST_CHANGES,
        by=person(by),
        opinion=Opinion(feedback),
    )
    screen, decision = console(), decided.decision
    say(screen, f"{decision.by} asked for changes of {domain} {stage} {decision.content[:12]}.")
    say(screen, "Generate again to go on.")
