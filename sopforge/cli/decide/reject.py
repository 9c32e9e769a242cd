"""``sopforge reject``: refuse what waits at a gate."""

from __future__ import annotations

from typing import Annotated

import typer

from sopforge.cli.decide.deciding import DecisionOptions, report_decision
from sopforge.cli.options import AsJson
from sopforge.cli.output import Result
from sopforge.cli.running.continuing import Following
from sopforge.cli.running.next_steps import list_next_steps


def reject(
    asked: DecisionOptions,
    reason: Annotated[str, typer.Option(help="Why, for whoever changes the brief.")] = "",
    as_json: AsJson = False,
) -> Result:
    """Reject the version that is waiting for a decision; you must then change the brief."""
    from sopforge.store.entries import DecisionVerdict
    from sopforge.store.log.audit_log import Opinion
    from sopforge.store.overview import build_overview

    opinion = Opinion(reason.strip())
    domain, decided, questions = asked.decide(
        DecisionVerdict.REJECT, "Reject", opinion, is_quiet=as_json
    )
    steps = list_next_steps(build_overview(domain), asked.place)
    following = Following(f"To continue, change the brief: {' or '.join(steps.values())}", steps)
    decision = decided.decision
    about = f"{asked.domain} {asked.stage} {decision.content[:12]}"
    return report_decision(
        decided, questions, f"{decision.by} rejected {about}.", lambda: following
    )
