"""Why a case came to its outcomes, as a person would tell it: steps, rules, comparisons."""

from __future__ import annotations

from collections.abc import Iterator

from sopforge.domain.expressions import AllOf, AnyOf, Expression, Not, fields_read
from sopforge.domain.malformed import marked_field
from sopforge.domain.model import DomainModel, Edge, Step
from sopforge.domain.rules import HitPolicy, Rule, Table
from sopforge.logic.english import english
from sopforge.logic.scalar import evaluate, holds
from sopforge.logic.tool_calls import Frame, Refused
from sopforge.logic.walking import Walk, outcomes


def explain(model: DomainModel, done: Walk) -> Iterator[str]:
    """Return the lines of a walk's story: each step, what it learned, and what decided."""
    calls = iter(done.calls)
    for place, node in enumerate(done.path):
        if node not in model.steps:
            continue
        step = model.steps[node]
        yield f"{step.title}"
        result = None
        if step.call is not None:
            result = next(calls).result
            yield f"  {step.call} {_told(model, result)}"
        if isinstance(result, Refused):
            yield from _after_refusal(model, step, result)
            continue
        for target in step.decide:
            yield from _decided(model, target, done)
        onward = done.path[place + 1] if place + 1 < len(done.path) else ""
        yield from _went_on(model, step, onward, done.known)
    yield "Outcomes"
    for name, value in outcomes(model, done).items():
        yield f"  {name}: {model.fields[name].cell(value)}"


def _after_refusal(model: DomainModel, step: Step, refused: Refused) -> Iterator[str]:
    way = step.refusals.get(refused.code)
    if way is not None:
        yield f"  on to {model.steps[way.to].title}: that is the way after {refused.code}"


def because(model: DomainModel, condition: Expression, known: Frame) -> str:
    """Return the part of a condition that decided, with the values that it was decided on."""
    is_met = bool(evaluate(condition, known))
    match condition:
        case AllOf():
            return _group(model, condition.operands, known, decisive=not is_met, deciding=False)
        case AnyOf():
            return _group(model, condition.operands, known, decisive=is_met, deciding=True)
        case Not():
            return because(model, condition.operand, known)
        case _:
            fact = condition if is_met else Not(condition)
            return f"{english(fact, model.fields)}{_values(model, condition, known)}"


def _group(
    model: DomainModel,
    operands: tuple[Expression, ...],
    known: Frame,
    *,
    decisive: bool,
    deciding: bool,
) -> str:
    """Return the first operand whose truth alone decided, or all where all were needed."""
    if decisive:
        truths = [bool(evaluate(operand, known)) for operand in operands]
        return because(model, operands[truths.index(deciding)], known)
    return ", and ".join(because(model, operand, known) for operand in operands)


def _values(model: DomainModel, condition: Expression, known: Frame) -> str:
    facts = [
        f"{model.fields[name].label}: {model.fields[name].cell(known.get(name))}"
        for name in sorted(marked_field(name) or name for name in fields_read(condition))
    ]
    return f" ({'; '.join(facts)})" if facts else ""


def _told(model: DomainModel, result: Frame | Refused) -> str:
    if isinstance(result, Refused):
        return f"refused: {result.says} ({result.code})"
    facts = [f"{name} = {model.fields[name].cell(value)}" for name, value in result.items()]
    return f"returned {', '.join(facts)}" if facts else "accepted the call"


def _decided(model: DomainModel, target: str, done: Walk) -> Iterator[str]:
    decision, item = model.decisions[target], model.fields[target]
    value = item.cell(done.known.get(target))
    if not isinstance(decision, Table):
        yield f"  {item.label}: {value}"
        return
    ids = done.rules.get(target, ())
    for rule in decision.rules:
        yield from _rule(model, decision, rule, done.known, is_hit=rule.id in ids)
        if rule.id in ids and decision.hit is not HitPolicy.COLLECT:
            break
    yield f"  so {item.label}: {value}"


def _rule(
    model: DomainModel, table: Table, rule: Rule, known: Frame, *, is_hit: bool
) -> Iterator[str]:
    if rule.when is None:
        if is_hit:
            yield f"  rule {rule.id} applies: it is for every other case"
        return
    verb = "applies" if is_hit else "does not apply"
    if is_hit or table.hit in {HitPolicy.FIRST, HitPolicy.COLLECT}:
        yield f"  rule {rule.id} {verb}: {because(model, rule.when, known)}"


def _went_on(model: DomainModel, step: Step, onward: str, known: Frame) -> Iterator[str]:
    edge = next((item for item in step.edges if item.id == onward), None)
    if edge is None or len(step.edges) == 1:
        return
    reason = _reason(model, step, edge, known)
    yield f"  on to {model.steps[edge.to].title}: {reason}"


def _reason(model: DomainModel, step: Step, edge: Edge, known: Frame) -> str:
    if edge.when is not None and holds(edge.when, known):
        return because(model, edge.when, known)
    others = [item.when for item in step.edges if item.when is not None]
    return ", and ".join(because(model, when, known) for when in others)
