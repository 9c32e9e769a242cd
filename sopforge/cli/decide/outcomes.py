"""How the commands that decide report it: in lines for people, or as one record for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
