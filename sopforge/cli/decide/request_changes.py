"""``sopforge request-changes``: send what waits at a gate back with words."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from sopforge.cli.decide.elsewhere import change_rules, choose_place
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
    require_digest_start,
    require_domain,
    store_to_write,
)
from sopforge.cli.running.continuing import Continue, Starter, start_next_run
from sopforge.cli.signing import SignersFile, SigningKey, make_entry_signer
from sopforge.errors import Fault, MaterialError


def request_changes(
    domain: Domain,
    stage: StageName,
    feedback: Annotated[str, typer.Option("--feedback", help="What to change, in your own words.")],
    at: Annotated[
        str,
        typer.Option(
            "--at",
            metavar="STAGE",
            help="Where to make the change: 'schema' adds the feedback to the brief, from which"
            " the rules are written; the name of the stage sends the feedback to the author of"
            " that stage.",
        ),
    ] = "",
    digest: Digest = None,
    by: By = "",
    signing_key: SigningKey = None,
    allowed_signers: SignersFile = None,
    place: StorePlace = DEFAULT_STORE,
    starter: Continue = Starter.NOBODY,
    as_json: AsJson = False,
) -> None:
    """Request changes to a stage; the author uses your feedback for the next version.

    If the stage cannot make the change, for example to a limit or a rule, the command does not
    send the feedback. It says where you can make the change.
    """
    from sopforge.gates.gate import decide, require_waiting_version
    from sopforge.store.entries import Verdict
    from sopforge.store.log.audit_log import Opinion

    opened = store_to_write(place)
    if not feedback.strip():
        raise MaterialError(
            Fault(
                "feedback-empty",
                "the feedback is empty",
                "--feedback",
                "write what to change: --feedback TEXT",
            )
        )
    name, start = require_domain(opened, domain), require_digest_start(digest)
    version = require_waiting_version(opened, name, stage, start)
    if choose_place(opened, version, feedback, at, is_quiet=as_json) != stage:
        change_rules(opened, name, feedback, as_json=as_json)
        return
    decided = decide(
        opened,
        name,
        stage=stage,
        digest=start,
        verdict=Verdict.REQUEST_CHANGES,
        by=get_person(by),
        sign=make_entry_signer(opened, signing_key, allowed_signers),
        opinion=Opinion(feedback),
    )
    decision = decided.decision
    sentence = f"{decision.by} requested changes to {domain} {stage} {decision.content[:12]}."
    follow = partial(start_next_run, opened, domain, starter)
    print_decision(decided, sentence, follow, as_json=as_json)
