"""``sopforge request-changes``: send what waits at a gate back with words."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from sopforge.cli.decide.deciding import DecisionOptions, report_decision
from sopforge.cli.options import AsJson
from sopforge.cli.output import Result
from sopforge.cli.running.continuing import Continue, Starter, start_next_run
from sopforge.errors import Fault, MaterialError


def request_changes(
    asked: DecisionOptions,
    feedback: Annotated[str, typer.Option(help="What to change, in your own words.")],
    starter: Continue = Starter.NOBODY,
    as_json: AsJson = False,
) -> Result:
    """Request changes to a stage; the language model that writes it uses your feedback.

    If no language model writes the stage, the command records nothing and says what changes the
    stage. Words of a stage change no rule: for that, use regenerate. A version that does not carry
    out your request waits for a person, also under --approve-clean.
    """
    from sopforge.store.entries import DecisionVerdict
    from sopforge.store.log.audit_log import Opinion

    if not feedback.strip():
        hint = "write what to change: --feedback TEXT"
        fault = Fault("feedback-empty", "the feedback is empty", "--feedback", hint)
        raise MaterialError(fault)
    domain, decided, questions = asked.decide(
        DecisionVerdict.REQUEST_CHANGES, "Request changes of", Opinion(feedback), is_quiet=as_json
    )
    decision = decided.decision
    about = f"{asked.domain} {asked.stage} {decision.content[:12]}"
    follow = partial(start_next_run, domain, starter)
    return report_decision(
        decided, questions, f"{decision.by} requested changes to {about}.", follow
    )
