"""``sopforge reject``: refuse what waits at a gate."""

from __future__ import annotations

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
)
from sopforge.cli.output import console, say


def reject(
    domain: Domain,
    stage: StageName,
    digest: Digest = None,
    by: By = "",
    store: Store = DEFAULT_STORE,
) -> None:
    """Reject the version of a stage that waits: only another brief leads on from here."""
    from sopforge.stages.gates import decide
    from sopforge.store.decisions import Verdict
    from sopforge.store.local import LocalStore

    opened = LocalStore(store)
    decision = decide(
        opened,
        known_domain(opened, domain),
        stage=stage,
        digest=shortened_digest(digest),
        verdict=Verdict.REJECT,
        by=person(by),
    )
    screen = console()
    say(screen, f"{decision.by} rejected {domain} {stage} {decision.content[:12]}.")
    say(screen, "Change the brief to go on.")
