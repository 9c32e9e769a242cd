"""``sopforge reject``: refuse what waits at a gate."""

from __future__ import annotations

from typing import Annotated

import typer

from sopforge.cli.decide.confirming import choose_digest
from sopforge.cli.decide.outcomes import print_decision
from sopforge.cli.options import (
    DEFAULT_STORE,
    AsJson,
    By,
    Digest,
    Domain,
    StageName,
    StorePlace,
    get_person,
    require_domain,
)
from sopforge.cli.running.continuing import Following
from sopforge.cli.running.next_steps import list_next_steps
from sopforge.cli.signing import SignersFile, SigningKey, make_entry_signer


def reject(
    domain: Domain,
    stage: StageName,
    reason: Annotated[
        str, typer.Option("--reason", help="Why, for whoever changes the brief.")
    ] = "",
    digest: Digest = None,
    by: By = "",
    signing_key: SigningKey = None,
    allowed_signers: SignersFile = None,
    place: StorePlace = DEFAULT_STORE,
    as_json: AsJson = False,
) -> None:
    """Reject the version that is waiting for a decision; you must then change the brief."""
    from sopforge.gates.gate import decide
    from sopforge.store.entries import Verdict
    from sopforge.store.log.audit_log import Opinion
    from sopforge.store.opening import open_store
    from sopforge.store.overview import build_overview

    opened = open_store(place)
    name = require_domain(opened, domain)
    shown = choose_digest(opened, name, stage, digest, "Reject", is_quiet=as_json)
    decided = decide(
        opened,
        name,
        stage=stage,
        digest=shown,
        verdict=Verdict.REJECT,
        by=get_person(by),
        opinion=Opinion(reason.strip()),
        sign=make_entry_signer(opened, signing_key, allowed_signers),
    )
    decision, steps = decided.decision, list_next_steps(build_overview(opened, name), place)
    following = Following(f"To continue, change the brief: {' or '.join(steps.values())}", steps)
    sentence = f"{decision.by} rejected {domain} {stage} {decision.content[:12]}."
    print_decision(decided, sentence, lambda: following, as_json=as_json)
