"""``sopforge withdraw``: take the newest decision on a stage back."""

from __future__ import annotations

from typing import Annotated

import typer

from sopforge.cli.decide.confirming import confirm, is_asked
from sopforge.cli.decide.deciding import DecisionOptions
from sopforge.cli.decide.outcomes import build_decision_record
from sopforge.cli.options import AsJson, require_digest_start
from sopforge.cli.output import Parts, Result
from sopforge.cli.running.continuing import Continue, Starter, start_next_run


def withdraw(
    asked: DecisionOptions,
    reason: Annotated[str, typer.Option(help="Why it no longer counts.")] = "",
    entry: Annotated[
        int | None, typer.Option(min=1, help="Number of the decision [default: the newest].")
    ] = None,
    starter: Continue = Starter.NOBODY,
    as_json: AsJson = False,
) -> Result:
    """Withdraw the newest decision on a stage: an approval, a request, an edit or a rejection.

    The history keeps both entries. You can withdraw an approval, also that of a policy, until a
    release contains what was approved. The next run comes back to the stage, and no policy approves
    the same content again. To undo several edits, name each with --entry, the newest first.
    """
    from sopforge.pipeline.gates.withdrawing import find_withdrawable, take_decision_back

    start, number, stage = require_digest_start(asked.digest), entry or 0, asked.stage
    domain = asked.open()
    newest = find_withdrawable(domain, stage)
    if newest and asked.digest is None and entry is None and is_asked(is_quiet=as_json):
        verdict, start, number = newest.verdict.replace("_", " "), newest.content, newest.sequence
        what = f"{verdict} of {domain} {stage} {start[:12]} by {newest.by}"
        confirm(f"Withdraw entry {number}, {what}?", "withdrawn")
    found, made = take_decision_back(
        domain,
        stage=stage,
        digest=start,
        entry=number,
        by=asked.person,
        reason=reason.strip(),
        sign=asked.make_signer(domain),
    )

    def lay_out() -> Parts:
        verdict, about = found.verdict.replace("_", " "), f"{domain} {stage} {found.content[:12]}"
        yield f"{made.by} withdrew entry {found.sequence}: {verdict} of {about} by {found.by}."
        yield from start_next_run(domain, starter).lay_out()

    def build_record() -> dict[str, object]:
        following = start_next_run(domain, starter).as_record()
        withdrawn = build_decision_record(found)
        return {**build_decision_record(made), "withdraws": withdrawn, **following}

    return Result(build_record, lay_out())
