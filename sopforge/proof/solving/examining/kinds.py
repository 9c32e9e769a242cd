"""Kinds of cases examined: each has cases, and its results are decided in just these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sopforge.findings import Finding, make_error_finding
from sopforge.language.domain.expressions.expressions import Expression, Not
from sopforge.language.domain.fields import Role
from sopforge.language.domain.kinds import Kind
from sopforge.proof.solving.examining.inquiry import Inquiry, find_undecided
from sopforge.proof.solving.questions import NoRow, Row
from sopforge.proof.solving.unfolding import TRUE, Unfolded, derive_outcomes

_ELSEWHERE = "remove it from the kind's 'fields', or lead these cases elsewhere before it is set"


def examine_kinds(inquiry: Inquiry, places: Sequence[Unfolded]) -> list[Finding]:
    """Return the kinds without cases, and the results that not just the cases of a kind get."""
    model = inquiry.model
    findings = [x for kind in model.kinds for x in _find_idle_conditions(inquiry, kind)]
    if not model.kinds or findings:
        return findings
    decided = derive_outcomes(model, tuple(places))
    for kind in model.kinds:
        for name in kind.fields:
            if model.fields[name].role is Role.OUTCOME:
                there = decided[name].present or TRUE
                findings += _find_wrong_cases(inquiry, kind, name, there)
    return findings


def _find_idle_conditions(inquiry: Inquiry, kind: Kind) -> Iterator[Finding]:
    """Yield the finding that no case, or every case, is of a kind."""
    for condition, which in ((kind.when, "no case is"), (Not(kind.when), "every case is")):
        answer = inquiry.find_row([condition], is_shown=False)
        where = f"kinds.{kind.name}"
        if isinstance(answer, NoRow):
            yield make_error_finding(
                "kind-without-cases",
                f"{which} of the kind '{kind.name}'",
                where=where,
                hint="correct its condition under 'when', or remove the kind",
            )
        yield from find_undecided(answer, f"whether {which} of the kind '{kind.name}'", where)


def _find_wrong_cases(
    inquiry: Inquiry, kind: Kind, name: str, there: Expression
) -> Iterator[Finding]:
    """Yield a case of a kind without its result, and one of another kind that has it."""
    of_kind = f"of the kind '{kind.name}'"
    asked = [
        ([Not(kind.when), there], f"a case that is not {of_kind} gets '{name}'", _ELSEWHERE),
    ]
    if not kind.may_lack(inquiry.model.fields[name]):
        hint = "decide it on every path of the kind, or declare a 'missing' word for it"
        message = f"a case {of_kind} ends without the outcome '{name}'"
        asked.append(([kind.when, Not(there)], message, hint))
    for conditions, message, hint in asked:
        answer, where = inquiry.find_row(conditions), f"kinds.{kind.name}"
        if isinstance(answer, Row):
            yield make_error_finding(
                "kind-outcome", message, where=where, evidence=str(answer), hint=hint
            )
        yield from find_undecided(answer, f"whether {message}", where)
