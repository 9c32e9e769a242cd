"""How the commands that decide tell of it: in lines for people, or as one record for programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sopforge.cli.output import console, print_json, say

if TYPE_CHECKING:
    from sopforge.cli.continuing import Following
    from sopforge.stages.gates import Decided
    from sopforge.store.entries import Decision


def decision_record(decision: Decision) -> dict[str, object]:
    """Return an entry of the audit log for programs: about a stage, or a release's version."""
    about = {"stage": decision.stage} if decision.is_at_gate else {"version": decision.key}
    return {
        "domain": decision.domain,
        **about,
        "content": decision.content,
        "verdict": decision.verdict,
        "by": decision.by,
        "at": decision.at,
        "entry": decision.sequence,
    }


def tell_decided(
    decided: Decided, sentence: str, follow: Callable[[], Following], *, as_json: bool
) -> None:
    """Print a decision, then have happen what follows it, and print that.

    People read what was decided before anything is started, which may take long or fail.
    """
    if not as_json:
        say(console(), sentence)
        follow().show()
        return
    print_json(
        {
            **decision_record(decided.decision),
            "gate": decided.state,
            "missing": decided.missing,
            **follow().as_record(),
        }
    )
