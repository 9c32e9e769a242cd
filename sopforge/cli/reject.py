"""``sopforge reject``: refuse what waits at a gate."""

from __future__ import annotations

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


def reject(
    domain: Domain,
    stage: StageName,
    digest: Digest = None,
    by: By = "",
    store: StorePlace = DEFAULT_STORE,
) -> None:
    """Reject the version of a stage that waits: only another brief leads on from here."""
    from sopforge.stages.gates import decide
    from sopforge.store.decisions import Verdict
    from sopforge.store.opening import open_store

    opened = open_store(store)
    decided = decide(
        opened,
        known_domain(opened, domain),
        stage=stage,
        digest=shortened_digest(digest),
        verdict=Verdict.REJECT,
        by=person(by),
    )
    screen, decision = console(), decided.decision
    say(screen, f"{decision.by} rejected {domain} {stage} {decision.content[:12]}.")
    say(screen, "Change the brief to go on.")
