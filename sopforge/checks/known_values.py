"""Schema: at every step, all that is read is known there, on whatever path the case came.

What a step may know is worked out over the graph: a value counts as known where every way to the
step has made it known. A field that may be missing may be read only behind a presence test.
"""

from __future__ import annotations

from collections.abc import Iterable

from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.domain.expressions import (
    Aggregate,
    AllOf,
    AnyOf,
    Choice,
    Expression,
    Not,
    Presence,
    Read,
    children,
    fields_read,
)
from sopforge.domain.model import (
    DomainModel,
    Field,
    Formula,
    Role,
    Rule,
    Step,
    Table,
    ToolKind,
    all_fields_read,
    decision_inputs,
    decision_order,
    guard_checks,
)
from sopforge.domain.types import BooleanType
from sopforge.findings import Finding, error
from sopforge.workspace import DOMAIN, Workspace


class KnownValues:
    """Parameters, conditions and rules use only what the task states or a step made known."""

    name = "known-values"
    stage = "schema"

    def examine(self, workspace: Workspace) -> list[Finding]:
        model = workspace.model
        known = known_at_steps(model)
        findings = [
            *_unreachable(model, known),
            *_loops(model),
            *_compute_inputs(model),
            *_lookup_parameters(model),
            *_constraints(model),
        ]
        for step in model.steps.values():
            if step.id in known:
                findings += _step_findings(model, step, known[step.id])
        return findings + _unguarded(model)

    def spoil(self, workspace: Workspace) -> Workspace:
        def forget_call(document: Parsed) -> None:
            steps = document["model"]["procedure"]["steps"].values()
            next(step for step in steps if "call" in step and "decide" in step).pop("call")

        return edit_yaml(workspace, DOMAIN, forget_call)


def known_at_steps(model: DomainModel) -> dict[str, frozenset[str]]:
    """Return what is known on arrival at each reachable step, whatever the way."""
    known = {model.start: frozenset(item.name for item in model.inputs)}
    waiting = [model.start]
    while waiting:
        step = model.steps[waiting.pop()]
        leaving = known[step.id] | _made_known(model, step)
        for target in _targets(step):
            before = known.get(target)
            after = leaving if before is None else before & leaving
            if after != before:
                known[target] = after
                waiting.append(target)
    return known


def _targets(step: Step) -> list[str]:
    """Return the steps to which a step can lead on, used-up ways back included."""
    return [name for edge in step.edges for name in (edge.to, edge.then) if name is not None]


def _made_known(model: DomainModel, step: Step) -> frozenset[str]:
    returned = model.tools[step.call].returns if step.call else ()
    return frozenset((*returned, *step.decide))


def _step_findings(model: DomainModel, step: Step, known: frozenset[str]) -> list[Finding]:
    findings = []
    if step.call is not None:
        takes = model.tools[step.call].takes
        findings += _unknown(model, step, takes, known, f"the call of {step.call}")
        known |= frozenset(model.tools[step.call].returns)
    for target in step.decide:
        findings += _unknown(
            model, step, decision_inputs(model.decisions[target]), known, f"'{target}'"
        )
        known |= {target}
    conditions = [edge.when for edge in step.edges if edge.when is not None]
    findings += _unknown(model, step, all_fields_read(conditions), known, "the way on")
    if step.end is not None:
        findings += _missing_outcomes(model, step, known)
    return findings


def _unknown(
    model: DomainModel, step: Step, wanted: Iterable[str], known: frozenset[str], reader: str
) -> list[Finding]:
    return [
        error(
            "value-not-known",
            f"{reader} needs '{name}', which is not known on every way to step '{step.id}'",
            where=f"procedure.steps.{step.id}",
            hint=_hint_at(model.fields[name]),
        )
        for name in sorted(set(wanted) - known)
    ]


def _hint_at(item: Field) -> str:
    """Return how a step may come to know a field."""
    if item.role is Role.SECRET:
        return "a secret is compared by the guards of lookups and actions, and read nowhere else"
    return "call a tool that returns it, or decide it, on every way before"


def _missing_outcomes(model: DomainModel, step: Step, known: frozenset[str]) -> list[Finding]:
    return [
        error(
            "outcome-open",
            f"the end '{step.id}' leaves the outcome '{item.name}' open",
            where=f"procedure.steps.{step.id}",
            hint="set it under 'end', or declare its 'missing' word",
        )
        for item in model.outcomes
        if item.name not in known | set(step.end or {}) and not item.missing
    ]


def _unreachable(model: DomainModel, known: dict[str, frozenset[str]]) -> list[Finding]:
    return [
        error(
            "unreachable-step",
            f"no way leads to step '{name}'",
            where=f"procedure.steps.{name}",
            hint="lead an edge to it, or drop it",
        )
        for name in model.steps
        if name not in known
    ]


def _loops(model: DomainModel) -> list[Finding]:
    """Report the steps from which a way leads back to them: a case could go round for ever."""
    onward = {
        step.id: {edge.to if edge.then is None else edge.then for edge in step.edges}
        for step in model.steps.values()
    }
    reached = {name: set(direct) for name, direct in onward.items()}
    for _ in onward:
        reached = {n: ways.union(*(onward[way] for way in ways)) for n, ways in reached.items()}
    return [
        error(
            "endless-loop",
            f"a way leads from step '{name}' back to it",
            where=f"procedure.steps.{name}",
            hint="say how often: at_most, and then: where the case goes after that",
        )
        for name, ways in reached.items()
        if name in ways
    ]


def _constraints(model: DomainModel) -> list[Finding]:
    """Report constraints on what is worked out: rows are drawn before it is known."""
    drawn = {
        item.name
        for item in model.with_role(Role.INPUT, Role.OBSERVED, Role.DISTRACTOR, Role.SECRET)
    }
    return [
        error(
            "constraint-on-result",
            f"a constraint reads '{name}', which is worked out and not drawn",
            where=f"constraints.{number}",
            hint="write the constraint with the fields that it is worked out from",
        )
        for number, constraint in enumerate(model.constraints)
        for name in sorted(fields_read(constraint) - drawn)
    ]


def _compute_inputs(model: DomainModel) -> list[Finding]:
    """Report compute tools that would need more than they are given."""
    findings = []
    for tool in model.tools.values():
        needed = all_fields_read(check.test for check in guard_checks(tool.guard))
        if tool.kind is ToolKind.COMPUTE:
            needed |= _formula_inputs(model, tool.returns)
        findings += [
            error(
                "tool-cannot-derive",
                f"{tool.name} returns '{name}', which only a compute tool can work out",
                where=f"tools.{tool.name}",
                hint="make the tool's kind compute, or the field's role observed",
            )
            for name in tool.returns
            if tool.kind is not ToolKind.COMPUTE and model.fields[name].role is Role.DERIVED
        ]
        if tool.kind is not ToolKind.COMPUTE:
            needed -= {item.name for item in model.with_role(Role.OBSERVED, Role.SECRET)}
        for name in sorted(needed - set(tool.takes)):
            message = f"{tool.name} works with '{name}', but does not take it"
            where, hint = f"tools.{tool.name}", f"add '{name}' to its 'takes'"
            findings.append(error("tool-input-missing", message, where=where, hint=hint))
    return findings


def _lookup_parameters(model: DomainModel) -> list[Finding]:
    """Report lookups that compare the record with what no record holds."""
    results = model.with_role(Role.DERIVED, Role.OUTCOME)
    return [
        error(
            "lookup-takes-result",
            f"{tool.name} takes '{item.name}', which is worked out and in no record",
            where=f"tools.{tool.name}",
            hint="take inputs and observed fields only, or make the tool's kind action",
        )
        for tool in model.tools.values()
        for item in results
        if tool.kind is ToolKind.LOOKUP and item.name in tool.takes
    ]


def _formula_inputs(model: DomainModel, wanted: Iterable[str]) -> frozenset[str]:
    order = decision_order(model, wanted)
    read = frozenset().union(*(decision_inputs(model.decisions[name]) for name in order))
    without_formula = {
        name for name in wanted if not isinstance(model.decisions.get(name), Formula)
    }
    return (read - set(order)) | without_formula


# missing values


def _unguarded(model: DomainModel) -> list[Finding]:
    findings = []
    for place, expression, tested in _guarded_places(model):
        findings += [
            error(
                "unguarded-missing",
                f"'{name}' may be missing and is read without a test for that",
                where=place,
                hint=_test_for(name, expression),
            )
            for name in sorted(_unguarded_reads(model, expression, tested))
        ]
    return findings


def _test_for(name: str, expression: Expression) -> str:
    if isinstance(expression.type, BooleanType):
        return f"write 'present({name}) and ...' before it"
    return f"write '... if present({name}) else ...', the last for cases without it"


def _guarded_places(model: DomainModel) -> list[tuple[str, Expression, frozenset[str]]]:
    """Return each expression with its place and the fields that are known to be present there."""
    nothing: frozenset[str] = frozenset()
    places = [(f"constraints.{n}", item, nothing) for n, item in enumerate(model.constraints)]
    for decision in model.decisions.values():
        place = f"decisions.{decision.target}"
        if isinstance(decision, Table):
            places += [part for rule in decision.rules for part in _rule_places(place, rule)]
        else:
            places.append((place, decision.value, nothing))
    for step in model.steps.values():
        for edge in step.edges:
            if edge.when is not None:
                places.append((f"procedure.edges.{edge.id}", edge.when, nothing))
    for tool in model.tools.values():
        for check in guard_checks(tool.guard):
            places.append((f"tools.{tool.name}, guard {check.id}", check.test, nothing))
    return places


def _rule_places(place: str, rule: Rule) -> list[tuple[str, Expression, frozenset[str]]]:
    where = f"{place}, rule {rule.id}"
    if rule.when is None:
        return [(where, rule.then, frozenset())]
    tested = _tested(rule.when, holds=True)
    return [(where, rule.when, frozenset()), (where, rule.then, tested)]


def _unguarded_reads(
    model: DomainModel, node: Expression, tested: frozenset[str]
) -> frozenset[str]:
    """Return the fields read where they may be missing; outcomes are known by the graph."""
    match node:
        case Read(field=name):
            item = model.fields[name]
            may_miss = bool(item.missing) and item.role is not Role.OUTCOME
            return frozenset({name} if may_miss and name not in tested else ())
        case Aggregate(list=name):
            is_open = bool(model.fields[name].missing) and name not in tested
            parts = [_unguarded_reads(model, child, tested) for child in children(node)]
            return frozenset({name} if is_open else ()).union(*parts)
        case AllOf() | AnyOf():
            found: frozenset[str] = frozenset()
            for operand in node.operands:
                found |= _unguarded_reads(model, operand, tested)
                tested |= _tested(operand, holds=isinstance(node, AllOf))
            return found
        case Choice():
            then = tested | _tested(node.condition, holds=True)
            otherwise = tested | _tested(node.condition, holds=False)
            return (
                _unguarded_reads(model, node.condition, tested)
                | _unguarded_reads(model, node.then, then)
                | _unguarded_reads(model, node.otherwise, otherwise)
            )
        case _:
            parts = [_unguarded_reads(model, child, tested) for child in children(node)]
            return frozenset().union(*parts)


def _tested(node: Expression, *, holds: bool) -> frozenset[str]:
    """Return the fields that are present wherever the node holds, or wherever it fails."""
    match node:
        case Presence(field=name):
            return frozenset({name} if holds else ())
        case Not():
            return _tested(node.operand, holds=not holds)
        case AllOf() if holds:
            return frozenset().union(*(_tested(item, holds=True) for item in node.operands))
        case AnyOf() if not holds:
            return frozenset().union(*(_tested(item, holds=False) for item in node.operands))
        case _:
            return frozenset()


CHECK = KnownValues()
