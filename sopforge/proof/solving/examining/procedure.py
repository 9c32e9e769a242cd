"""The procedure examined over all rows: constraints, edges never taken, refusals on the path.

Every question is asked with the condition under which its step is reached, so that what an
earlier branch has ruled out is not reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from operator import attrgetter

from sopforge.findings import Finding, make_error_finding, make_warning_finding
from sopforge.language.domain.expressions.expressions import AnyOf, Expression
from sopforge.language.domain.model import DomainModel, Step
from sopforge.language.domain.tool_checks import build_writing_checks
from sopforge.proof.solving.examining.constraints import (
    find_idle_constraints,
    make_contradiction_finding,
)
from sopforge.proof.solving.examining.dead_calls import examine_calls
from sopforge.proof.solving.examining.idle_loops import examine_loops
from sopforge.proof.solving.examining.influence import examine_influence
from sopforge.proof.solving.examining.inquiry import Inquiry, find_undecided
from sopforge.proof.solving.examining.kinds import examine_kinds
from sopforge.proof.solving.examining.sure_guards import examine_guards
from sopforge.proof.solving.questions import NoRow, Row, Undecided
from sopforge.proof.solving.unfolded_places import TooManyStepsError
from sopforge.proof.solving.unfolding import Unfolded, unfold


def examine_procedure(model: DomainModel) -> list[Finding]:
    """Return what is wrong with the procedure, each with a case where there is one."""
    answer = Inquiry(model).find_row((), is_shown=False)
    if isinstance(answer, NoRow):
        # Every other question would be answered "no case": findings that only follow from this one.
        return [make_contradiction_finding(model)]
    try:
        places = unfold(model)
    except TooManyStepsError as cause:
        hint = "lower 'at_most' of the back edges"
        return [
            make_warning_finding("procedure-undecided", str(cause), where="procedure", hint=hint)
        ]
    inquiry = Inquiry(model, places)
    return [
        *find_undecided(answer, "whether some row satisfies all constraints", "constraints"),
        *examine_kinds(inquiry, places),
        *_find_untaken_edges(inquiry, places),
        *_find_refused_calls(inquiry, places),
        *examine_guards(inquiry),
        *examine_influence(model, places, inquiry),
        *examine_calls(inquiry, places),
        *examine_loops(inquiry, places),
        *find_idle_constraints(model),
    ]


def _find_untaken_edges(inquiry: Inquiry, places: Sequence[Unfolded]) -> list[Finding]:
    conditions: dict[tuple[str, str | None], Expression] = {}
    for place in places:
        for transition in filter(attrgetter("is_edge"), place.transitions):
            edge = transition.edge
            # Apart, for that a back edge is never used up is a finding of its own.
            key = edge.id, edge.then if transition.is_used_up else None
            earlier = conditions.get(key)
            condition = transition.condition
            conditions[key] = condition if earlier is None else AnyOf((earlier, condition))
    never: set[str] = set()
    findings = []
    asked = [partial(AnyOf, (condition,)) for condition in conditions.values()]
    answers = inquiry.find_any_rows(asked, "edges asked about")
    for (name, then), answer in zip(conditions, answers, strict=True):
        where = _locate_edge(name)
        if isinstance(answer, NoRow) and _is_led_to(inquiry, places, name) and name not in never:
            never.add(name)
            message = f"no case ever takes edge {name.rpartition('.')[2]} out of this step"
            hint = "remove the edge, or check the conditions before it"
            if then is not None:
                findings.append(_make_bound_finding(inquiry, places, name, then))
                continue
            findings.append(make_error_finding("edge-never-taken", message, where=where, hint=hint))
        findings += find_undecided(answer, f"whether a case takes edge {name}", where)
    return findings


def _make_bound_finding(
    inquiry: Inquiry, places: Sequence[Unfolded], name: str, then: str
) -> Finding:
    """Return the finding that no case takes an edge back as often as it may, and goes elsewhere."""
    most = _find_most_rounds(inquiry, places, name)
    times = "" if most is None else f": {most} time{'s' * (most != 1)} at most"
    return make_warning_finding(
        "loop-bound-never-reached",
        f"no case takes edge {name.rpartition('.')[2]} out of this step often enough to go on"
        f" to '{then}'{times}",
        where=_locate_edge(name),
        hint="lower 'at_most' below that number, or correct the condition that ends the loop",
    )


def _find_most_rounds(inquiry: Inquiry, places: Sequence[Unfolded], name: str) -> int | None:
    """Return how often a case can take an edge back at most, None where that is undecided."""
    rounds: dict[int, list[Expression]] = {}
    for place in places:
        for transition in place.transitions:
            if transition.edge.id == name and not transition.is_used_up:
                count = place.place.rounds.get(name, 0) + 1
                rounds.setdefault(count, []).append(transition.condition)
    for count in sorted(rounds, reverse=True):
        answer = inquiry.find_row([AnyOf(tuple(rounds[count]))], is_shown=False)
        if isinstance(answer, Undecided):
            return None
        if isinstance(answer, Row):
            return count
    return None


def _is_led_to(inquiry: Inquiry, places: Sequence[Unfolded], edge: str) -> bool:
    """Return whether a case comes to the step of an edge; if none does, the edges to it say so."""
    step = edge.rpartition(".")[0]
    reached = [place.reached for place in places if place.step.id == step]
    return not inquiry.is_impossible(AnyOf(tuple(reached)))


def _locate_edge(name: str) -> str:
    step, _, last = name.rpartition(".")
    return f"procedure.edges.{name}" if last.isdigit() else f"procedure.steps.{step}"


def _describe_refused_call(model: DomainModel, step: Step, code: str) -> str:
    tool = model.tools[step.call or ""]
    message = f"{tool.offered_name} refuses with {code} on the procedure's own path"
    # By itself, the code of what tools check unasked says of no field.
    reasons = [check.says for check in build_writing_checks(model, tool) if check.refusal == code]
    return f"{message}, where {' or '.join(reasons)}" if reasons else message


def _find_refused_calls(inquiry: Inquiry, places: Iterable[Unfolded]) -> list[Finding]:
    """Report calls that a tool refuses although the case followed the procedure."""
    findings = []
    for place in places:
        for item in place.refusals:
            answer = inquiry.find_row([item.condition])
            where = f"procedure.steps.{place.step.id}"
            if isinstance(answer, Row):
                message = _describe_refused_call(inquiry.model, place.step, item.code)
                hint = (
                    f"name a step for {item.code} under 'refused', or add an earlier edge that"
                    " leads these cases elsewhere"
                )
                evidence = str(answer)
                findings.append(
                    make_error_finding(
                        "refused-on-path", message, where=where, evidence=evidence, hint=hint
                    )
                )
            findings += find_undecided(answer, f"whether {item.code} can happen", where)
    return list(dict.fromkeys(findings))
