"""``sopforge reject``: refuse what waits at a gate."""

from __future__ import annotations

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


def reject(
    domain: Domain,
    stage: StageName,
    digest: Digest = "",
    by: By = "",
    store: Store = DEFAULT_STORE,
) -> None:
    """Reject the version of a stage that waits: only another brief leads on from here."""
    from sopforge.stages.gates import decide
    from sopforge.store.decisions import Verdict
    from sopforge.store.local import LocalStore

    decision = decide(
        LocalStore(store),
        domain_name(domain),
        stage=stage,
        digest=digest,
        verdict=Verdict.REJECT,
        by=person(by),
    )
    screen = console()
    screen.print(f"{decision.by} rejected {domain} {stage}. Change the brief to go on.")
