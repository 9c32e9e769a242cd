"""Schema: at every step, all that is read is known there, on whatever path the case came.

Where every path of the graph makes a value known, that shows it; where some paths do, the solver
has to prove that no case reads it on the others. Whether a value may be missing where it is known
is a check of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sopforge.checks.schema.unused_fields import is_never_known
from sopforge.checks.schema.who_decides import find_undecided_outcomes
from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.findings import Finding, make_error_finding
from sopforge.language.domain.expressions.expressions import (
    collect_all_read_fields,
    collect_read_fields,
)
from sopforge.language.domain.fields import STORED, Field, Role
from sopforge.language.domain.model import (
    DomainModel,
    Step,
    Tool,
    ToolKind,
    collect_tool_inputs,
    order_decisions,
)
from sopforge.language.domain.procedure.known_fields import map_known_fields, map_part_results
from sopforge.language.domain.rules import Formula, collect_decision_inputs
from sopforge.language.logic.call_order import CallOrder
from sopforge.proof.solving.examining.known_values import examine_known_values
from sopforge.workspace import DOMAIN, Workspace


class KnownValues:
    """Parameters, conditions and rules use only values from the task or an earlier step."""

    name = "known-values"
    stage = "schema"

    def examine(self, workspace: Workspace) -> list[Finding]:
        model = workspace.model
        known, made = map_known_fields(model), map_part_results(model)
        findings = [
            *_find_unreachable_steps(model, known),
            *_find_loops(model),
            *_compute_inputs(model),
            *_check_constraints(model),
            *_find_call_cycles(model),
        ]
        for step in model.steps.values():
            if step.id in known:
                findings += _check_step(model, step, known[step.id], made)
        return [*findings, *examine_known_values(model)]

    def spoil(self, workspace: Workspace) -> Workspace:
        def forget_call(document: Parsed) -> None:
            steps = document["model"]["procedure"]["steps"].values()
            next(step for step in steps if "call" in step and "decide" in step).pop("call")

        return edit_yaml(workspace, DOMAIN, forget_call)


def _check_step(
    model: DomainModel, step: Step, known: frozenset[str], made: Mapping[str, frozenset[str]]
) -> list[Finding]:
    findings = []
    if step.do and step.do not in made:
        return []  # no case comes back to what follows, which is a finding of its own
    known |= made.get(step.do, frozenset())
    if step.call is not None:
        takes = model.tools[step.call].takes
        findings += _find_unknown_values(model, step, takes, known, f"the call of {step.call}")
        known |= frozenset(model.tools[step.call].returns)
    for target in step.decide:
        findings += _find_unknown_values(
            model, step, collect_decision_inputs(model.decisions[target]), known, f"'{target}'"
        )
        known |= {target}
    conditions = [edge.when for edge in step.edges if edge.when is not None]
    findings += _find_unknown_values(
        model, step, collect_all_read_fields(conditions), known, "an edge"
    )
    if step.end is not None:
        findings += _find_missing_outcomes(model, step, known)
    return findings


def _find_unknown_values(
    model: DomainModel, step: Step, wanted: Iterable[str], known: frozenset[str], reader: str
) -> list[Finding]:
    undecided = {item.name for item in find_undecided_outcomes(model)}
    return [
        make_error_finding(
            "value-not-known",
            f"{reader} needs '{model.fields[name].written}', which is not known on every path"
            f" to step '{step.id}'",
            where=f"procedure.steps.{step.id}",
            hint=_choose_hint(model.fields[name]),
        )
        # What some path makes known is a question for the solver.
        for name in sorted(set(wanted) - known - model.partly_known)
        if not (is_never_known(model.fields[name], model) or name in undecided)
    ]


def _choose_hint(item: Field) -> str:
    """Return how a step may come to know a field."""
    if item.role is Role.SECRET:
        return (
            "move the comparison to the guard of a lookup or an action, because only these can"
            " read a secret"
        )
    return "on every path to this step, call a tool that returns the value, or decide it"


def _find_missing_outcomes(model: DomainModel, step: Step, known: frozenset[str]) -> list[Finding]:
    return [
        make_error_finding(
            "outcome-open",
            f"the end '{step.id}' leaves the outcome '{item.name}' open",
            where=f"procedure.steps.{step.id}",
            hint="set the outcome under 'end', or declare a 'missing' word for it",
        )
        for item in model.outcomes
        if item.name not in known | set(step.end or {}) and not item.missing
    ]


def _find_call_cycles(model: DomainModel) -> list[Finding]:
    """Report tools that can never be called, for each needs what another of them makes known."""
    order = CallOrder(model)
    findings = []
    for cycle in order.find_cycles():
        following = (*cycle[1:], cycle[0])
        parts = [
            f"{name} needs '{what}', which only {'it' if other == name else other} makes known"
            for name, other in zip(cycle, following, strict=True)
            for what in [order.name_need(name, other)]
        ]
        first = model.tools[cycle[0]]
        findings.append(
            make_error_finding(
                "call-needs-its-result",
                f"no case can ever call {' or '.join(cycle)}: {'; '.join(parts)}",
                where=f"tools.{first.offered_name}",
                hint="make it an input, return it from another tool, or remove it from 'takes'",
            )
        )
    return findings


def _find_unreachable_steps(model: DomainModel, known: dict[str, frozenset[str]]) -> list[Finding]:
    return [
        make_error_finding(
            "unreachable-step",
            f"no path leads to the step '{name}'",
            where=f"procedure.steps.{name}",
            hint="add an edge to the step, or delete it",
        )
        for name in model.steps
        if name not in known
    ]


def _find_loops(model: DomainModel) -> list[Finding]:
    """Report the edges that lead back to a step before them: a case could loop for ever."""
    return [
        make_error_finding(
            "endless-loop",
            f"an edge leads from step '{step}' back to "
            + ("it" if step == target else f"step '{target}'"),
            where=f"procedure.steps.{step}",
            hint="limit the loop: add 'at_most' with a number, and 'then' with the step that"
            " follows",
        )
        for step, target in _find_back_edges(model)
    ]


def _find_back_edges(model: DomainModel) -> list[tuple[str, str]]:
    """Return the unbounded edges to a step that a case has passed, each with its target.

    Without them no case loops; they are found by going through the steps in their order.
    """
    found: list[tuple[str, str]] = []
    done: set[str] = set()
    for start in (model.start, *model.steps):
        waiting = [] if start in done else [(start, iter(_list_final_targets(model.steps[start])))]
        while waiting:
            step, onward = waiting[-1]
            target = next(onward, None)
            if target is None:
                done.add(step)
                waiting.pop()
            elif target in [name for name, _ in waiting]:
                found.append((step, target))
            elif target not in done:
                waiting.append((target, iter(_list_final_targets(model.steps[target]))))
    return list(dict.fromkeys(found))


def _list_final_targets(step: Step) -> list[str]:
    """Return where a step leads in the end, however often bounded back edges are taken."""
    edges = (*step.edges, *step.refusals.values())
    return [edge.to if edge.then is None else edge.then for edge in edges]


def _check_constraints(model: DomainModel) -> list[Finding]:
    """Report constraints on what is worked out: rows are drawn before it is known."""
    drawn = {item.name for item in model.with_role(*STORED)}
    return [
        make_error_finding(
            "constraint-on-result",
            f"a constraint reads '{name}', which is derived, not sampled",
            where=f"constraints.{number}",
            hint="write the constraint with the fields from which this field is derived",
        )
        for number, constraint in enumerate(model.constraints)
        for name in sorted(collect_read_fields(constraint) & set(model.fields) - drawn)
    ]


def _compute_inputs(model: DomainModel) -> list[Finding]:
    """Report compute tools that would need more than they are given.

    What nothing works out is a finding of its own.
    """
    findings = []
    for tool in model.tools.values():
        needed = collect_tool_inputs(tool)
        if tool.kind is ToolKind.COMPUTE:
            needed |= _collect_formula_inputs(model, tool)
        findings += [
            make_error_finding(
                "tool-cannot-derive",
                f"{tool.name} returns '{name}', which only a compute tool can calculate",
                where=f"tools.{tool.offered_name}",
                hint="set the tool's kind to compute, or the field's role to observed",
            )
            for name in tool.returns
            if tool.kind is not ToolKind.COMPUTE and model.fields[name].role is Role.DERIVED
        ]
        if tool.kind is not ToolKind.COMPUTE:
            needed -= {
                item.name for item in model.with_role(Role.OBSERVED, Role.SECRET, Role.SESSION)
            }
            # What its references lead to is found by the tool.
            needed -= {entity.key for entity in model.references if tool.operation}
        needed -= {name for name in needed if is_never_known(model.fields[name], model)}
        for name in sorted(needed - set(tool.takes)):
            message = f"{tool.name} uses '{name}' but does not take it"
            where, hint = f"tools.{tool.offered_name}", f"add '{name}' to its 'takes'"
            findings.append(
                make_error_finding("tool-input-missing", message, where=where, hint=hint)
            )
    return findings


def _collect_formula_inputs(model: DomainModel, tool: Tool) -> frozenset[str]:
    wanted = tool.returns
    order = order_decisions(model, wanted, tool.takes)
    read = frozenset().union(*(collect_decision_inputs(model.decisions[name]) for name in order))
    without_formula = {
        name for name in wanted if not isinstance(model.decisions.get(name), Formula)
    }
    return (read - set(order)) | without_formula


CHECK = KnownValues()
