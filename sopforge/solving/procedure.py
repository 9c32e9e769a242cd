"""The procedure examined over all rows: constraints, ways never taken, refusals on the path.

Every question is asked with the condition under which its step is reached, so that what an
earlier branch has ruled out is not reported.
"""

from __future__ import annotations

from collections.abc import Iterable

from sopforge.domain.expressions import AnyOf, Expression
from sopforge.domain.model import DomainModel
from sopforge.findings import Finding, error, warning
from sopforge.solving.constraints import contradiction
from sopforge.solving.influence import examine_influence
from sopforge.solving.inquiry import NARROWER, Inquiry
from sopforge.solving.questions import Answer, NoRow, Row, Undecided
from sopforge.solving.sure_guards import examine_guards
from sopforge.solving.unfolding import (
    TooManyStepsError,
    Unfolded,
    unfold,
)


def examine_procedure(model: DomainModel) -> list[Finding]:
    """Return what is wrong with the procedure, each with a case where there is one."""
    answer = Inquiry(model).find_row((), is_shown=False)
    if isinstance(answer, NoRow):
        return [contradiction(model)]
    try:
        places = unfold(model)
    except TooManyStepsError as cause:
        hint = "lower 'at_most' of the ways back"
        return [warning("procedure-undecided", str(cause), where="procedure", hint=hint)]
    inquiry = Inquiry(model, places)
    return [
        *_undecided(answer, "whether some row satisfies all constraints", "constraints"),
        *_ways_never_taken(inquiry, places),
        *_refusals(inquiry, places),
        *examine_guards(inquiry),
        *examine_influence(model, places, inquiry),
    ]


def _ways_never_taken(inquiry: Inquiry, places: Iterable[Unfolded]) -> list[Finding]:
    conditions: dict[tuple[str, str | None], Expression] = {}
    for place in places:
        for way in place.ways:
            key = way.edge.id, way.edge.then if way.is_used_up else None
            earlier = conditions.get(key)
            joined = way.condition if earlier is None else AnyOf((earlier, way.condition))
            conditions[key] = joined
    findings = []
    for (name, then), condition in conditions.items():
        answer = inquiry.find_row([condition], is_shown=False)
        where = f"procedure.steps.{name.rpartition('.')[0]}"
        if isinstance(answer, NoRow):
            message = f"no case ever takes way {name.rpartition('.')[2]} out of this step"
            hint = "remove the edge, or check the conditions before it"
            if then is not None:
                message += f" so often that it goes on to '{then}'"
                hint = "lower 'at_most', or check what ends the way back"
            findings.append(error("way-never-taken", message, where=where, hint=hint))
        findings += _undecided(answer, f"whether a case takes way {name}", where)
    return findings


def _refusals(inquiry: Inquiry, places: Iterable[Unfolded]) -> list[Finding]:
    """Report calls that a tool refuses although the case followed the procedure."""
    findings = []
    for place in places:
        for item in place.refusals:
            answer = inquiry.find_row([item.condition])
            where = f"procedure.steps.{place.step.id}"
            if isinstance(answer, Row):
                message = f"{place.step.call} refuses with {item.code} on the procedure's own path"
                hint = f"name a step for {item.code} under 'refused', or lead these cases elsewhere"
                evidence = str(answer)
                findings.append(
                    error("refused-on-path", message, where=where, evidence=evidence, hint=hint)
                )
            findings += _undecided(answer, f"whether {item.code} can happen", where)
    return list(dict.fromkeys(findings))


def _undecided(answer: Answer, what: str, where: str) -> list[Finding]:
    if not isinstance(answer, Undecided):
        return []
    text = f"the solver's budget ran out on {what}"
    return [warning("undecided", text, where=where, hint=NARROWER)]
