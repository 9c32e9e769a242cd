"""``sopforge approve``: accept what waits at a gate."""

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
    known_domain,
    person,
    shortened_digest,
    store_option,
)
from sopforge.cli.output import console, say


def approve(
    domain: Domain,
    stage: StageName,
    digest: Digest = None,
    by: By = "",
    store: Store = DEFAULT_STORE,
    despite_errors: Annotated[
        bool, typer.Option("--despite-errors", help="Approve although errors were found.")
    ] = False,
) -> None:
    """Approve the version of a stage that waits, as a person."""
    from sopforge.stages.gates import decide
    from sopforge.store.decisions import Verdict
    from sopforge.store.local import LocalStore

    opened = LocalStore(store)
    decision = decide(
        opened,
        known_domain(opened, domain),
        stage=stage,
        digest=shortened_digest(digest),
        verdict=Verdict.APPROVE,
        by=person(by),
        despite_errors=despite_errors,
    )
    screen = console()
    say(screen, f"{decision.by} approved {domain} {stage} {decision.content[:12]}.")
    say(screen, f"Generate again to go on: sopforge generate BRIEF{store_option(store)}")
