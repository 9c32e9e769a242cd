"""How the commands that decide report it: in lines for people, or as one record for programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sopforge.cli.output import make_console, print_json, say

if TYPE_CHECKING:
    from sopforge.cli.running.continuing import Following
    from sopforge.gates.gate import Decided
    from sopforge.store.entries import Decision
    from sopforge.store.signatures.signatures import Signature


def build_decision_record(decision: Decision) -> dict[str, object]:
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


def build_signed_record(decision: Decision, signature: Signature) -> dict[str, object]:
    """Return a decision with what is known of who signed it, for programs."""
    return {
        "entry": decision.sequence,
        "verdict": decision.verdict,
        "by": decision.by,
        "kind": decision.kind,
        "at": decision.at,
        "signature": signature.as_record(),
    }


def format_decision(decision: Decision, signature: Signature) -> str:
    """Return a decision with what is known of who signed it, as a line."""
    verdict = decision.verdict.replace("_", " ")
    return f"entry {decision.sequence}, {verdict} by {decision.by}: {signature.summary}"


def print_decision(
    decided: Decided, sentence: str, follow: Callable[[], Following], *, as_json: bool
) -> None:
    """Print a decision, then have happen what follows it, and print that.

    People read what was decided before anything is started, which may take long or fail.
    """
    if not as_json:
        say(make_console(), sentence)
        if decided.is_signed:
            say(make_console(), "Your decision is signed.")
        follow().show()
        return
    print_json(
        {
            **build_decision_record(decided.decision),
            "gate": decided.state,
            "missing": decided.missing,
            "is_signed": decided.is_signed,
            "open_questions": decided.open_questions,
            "open_requests": decided.open_requests,
            **follow().as_record(),
        }
    )
