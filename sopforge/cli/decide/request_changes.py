"""``sopforge request-changes``: send what waits at a gate back with words."""

from __future__ import annotations

from functools import partial
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
from sopforge.cli.running.continuing import Continue, Starter, start_next_run
from sopforge.cli.signing import SignersFile, SigningKey, make_entry_signer
from sopforge.errors import Fault, MaterialError


def request_changes(
    domain: Domain,
    stage: StageName,
    feedback: Annotated[str, typer.Option("--feedback", help="What to change, in your own words.")],
    digest: Digest = None,
    by: By = "",
    signing_key: SigningKey = None,
    allowed_signers: SignersFile = None,
    place: StorePlace = DEFAULT_STORE,
    starter: Continue = Starter.NOBODY,
    as_json: AsJson = False,
) -> None:
    """Request changes to a stage; the language model that writes it uses your feedback.

    If no language model writes the stage, the command records nothing and says what changes the
    stage. Words of a stage change no rule: for that, use regenerate. A version that does not carry
    out your request waits for a person, also under --approve-clean.
    """
    from sopforge.gates.gate import decide
    from sopforge.store.entries import Verdict
    from sopforge.store.log.audit_log import Opinion
    from sopforge.store.opening import open_store

    opened = open_store(place)
    if not feedback.strip():
        raise MaterialError(
            Fault(
                "feedback-empty",
                "the feedback is empty",
                "--feedback",
                "write what to change: --feedback TEXT",
            )
        )
    name = require_domain(opened, domain)
    shown = choose_digest(opened, name, stage, digest, "Request changes of", is_quiet=as_json)
    decided = decide(
        opened,
        name,
        stage=stage,
        digest=shown,
        verdict=Verdict.REQUEST_CHANGES,
        by=get_person(by),
        sign=make_entry_signer(opened, signing_key, allowed_signers),
        opinion=Opinion(feedback),
    )
    decision = decided.decision
    sentence = f"{decision.by} requested changes to {domain} {stage} {decision.content[:12]}."
    follow = partial(start_next_run, opened, domain, starter)
    print_decision(decided, sentence, follow, as_json=as_json)
