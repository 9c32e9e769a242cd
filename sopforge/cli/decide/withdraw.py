"""``sopforge withdraw``: take the newest decision on a stage back."""

from __future__ import annotations

from typing import Annotated

import typer

from sopforge.cli.decide.confirming import confirm, is_asked
from sopforge.cli.decide.outcomes import build_decision_record
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
)
from sopforge.cli.output import make_console, print_json, say
from sopforge.cli.running.continuing import Continue, Starter, start_next_run
from sopforge.cli.signing import SignersFile, SigningKey, make_entry_signer


def withdraw(
    domain: Domain,
    stage: StageName,
    reason: Annotated[str, typer.Option("--reason", help="Why it no longer counts.")] = "",
    entry: Annotated[
        int | None,
        typer.Option("--entry", min=1, help="Number of the decision [default: the newest]."),
    ] = None,
    digest: Digest = None,
    by: By = "",
    signing_key: SigningKey = None,
    allowed_signers: SignersFile = None,
    place: StorePlace = DEFAULT_STORE,
    starter: Continue = Starter.NOBODY,
    as_json: AsJson = False,
) -> None:
    """Withdraw the newest decision on a stage: an approval, a request, an edit or a rejection.

    The history keeps both entries. You can withdraw an approval, also that of a policy, until a
    release contains what was approved. The next run comes back to the stage, and no policy approves
    the same content again. To undo several edits, name each with --entry, the newest first.
    """
    from sopforge.gates.withdrawing import find_withdrawable, take_decision_back
    from sopforge.store.opening import open_store

    opened, start = open_store(place), require_digest_start(digest)
    name, number = require_domain(opened, domain), entry or 0
    newest = find_withdrawable(opened, name, stage)
    if newest and digest is None and entry is None and is_asked(is_quiet=as_json):
        verdict, start, number = newest.verdict.replace("_", " "), newest.content, newest.sequence
        what = f"{verdict} of {name} {stage} {start[:12]} by {newest.by}"
        confirm(f"Withdraw entry {number}, {what}?")
    found, made = take_decision_back(
        opened,
        name,
        stage=stage,
        digest=start,
        entry=number,
        by=get_person(by),
        reason=reason.strip(),
        sign=make_entry_signer(opened, signing_key, allowed_signers),
    )
    if as_json:
        following = start_next_run(opened, domain, starter).as_record()
        print_json(
            {**build_decision_record(made), "withdraws": build_decision_record(found), **following}
        )
        return
    verdict = found.verdict.replace("_", " ")
    about = f"{domain} {stage} {found.content[:12]}"
    say(
        make_console(),
        f"{made.by} withdrew entry {found.sequence}: {verdict} of {about} by {found.by}.",
    )
    start_next_run(opened, domain, starter).show()
