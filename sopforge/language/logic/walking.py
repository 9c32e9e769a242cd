"""The procedure as a walk: the path of a case, its calls, the rules that decided, its outcomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from sopforge.language.domain.expressions.algebra import Interpretation
from sopforge.language.domain.expressions.expressions import collect_all_read_fields
from sopforge.language.domain.model import (
    Counts,
    DomainModel,
    Edge,
    Step,
    Tool,
    collect_tool_inputs,
)
from sopforge.language.domain.rules import HitPolicy, Rule, Table, collect_decision_inputs
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.readings.scalar import build_reading, holds
from sopforge.language.logic.stated_inputs import derive_marks
from sopforge.language.logic.tables import (
    build_coverage_condition,
    build_decision_value,
    build_presence,
)
from sopforge.language.logic.tool_calls import Frame, Refused

Service: TypeAlias = Callable[[Tool, Frame], dict[str, Value | None] | Refused]

MAXIMUM_STEPS = 100_000


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a walk: decoded arguments, and what came back."""

    tool: str
    arguments: Frame
    result: dict[str, Value | None] | Refused


@dataclass(slots=True)
class Walk:
    """What a case did: node ids in order, deciding rules, calls, and all values it came to know.

    ``changed`` are the fields of records that are other ones at its end, where they are known.
    ``seen`` has for each call what the records held before it, where records of tables change.
    ``callers`` are the steps whose parts it is in, the innermost last.
    """

    known: dict[str, Value | None]
    path: list[str] = field(default_factory=list)
    rules: dict[str, tuple[str, ...]] = field(default_factory=dict)
    visits: Counter[str] = field(default_factory=Counter)
    calls: list[ToolCall] = field(default_factory=list)
    refusal: Refused | None = None
    undecided: str = ""
    changed: dict[str, Value | None] = field(default_factory=dict)
    seen: list[Frame] = field(default_factory=list)
    callers: list[Step] = field(default_factory=list)


def visit_nothing(step: str) -> None:
    """Do nothing at a step."""


def walk(
    model: DomainModel,
    inputs: Frame,
    service: Service,
    visit: Callable[[str], None] = visit_nothing,
) -> Walk:
    """Return the walk of one case through the procedure.

    ``service`` answers the tool calls: the model itself for the oracle, published tools for the
    reference agent. ``visit`` gets the id of each step before it is carried out. A refusal for
    which the step names no edge, or a table without a rule for the case, ends the walk there.

    Raises:
        RuntimeError: the case goes round for ever, which the schema stage rules out.
    """
    # Marks follow from what is stated: who walks by a task knows no more than that.
    done = Walk({**inputs, **derive_marks(model, inputs)})
    step: Step | None = model.steps[model.start]
    while step is not None:
        if len(done.path) > MAXIMUM_STEPS:
            raise RuntimeError(f"a case goes round for ever through step '{step.id}'")
        done.path.append(step.id)
        visit(step.id)
        if step.do:
            done.callers.append(step)
            step = model.steps[model.parts[step.do].start]
            continue
        refused = None if step.call is None else _call_tool(model.tools[step.call], done, service)
        if refused is not None:
            step = _find_refusal_step(model, step, refused, done)
            continue
        step = _leave_step(model, step, done)
    return done


def iterate_finished_steps(model: DomainModel, path: Sequence[str]) -> Iterator[Step]:
    """Yield the steps of a path as they are done with: one with a part once the part has returned.

    Only then does such a step decide.
    """
    callers: list[Step] = []
    for step in (model.steps[node] for node in path if node in model.steps):
        if step.do:
            callers.append(step)
            continue
        yield step
        if step.is_return:
            yield callers.pop()


def list_names_used(model: DomainModel, done: Walk) -> frozenset[str]:
    """Return the fields that a walk hands to tools, or that decide on it; not all that it reads."""
    found: set[str] = set()
    for step in iterate_finished_steps(model, done.path):
        if step.call is not None:
            tool = model.tools[step.call]
            found |= {*tool.takes, *collect_tool_inputs(tool)}
        found |= collect_all_read_fields([edge.when for edge in step.edges if edge.when])
    for target in done.known:
        if target in model.decisions:
            found |= collect_decision_inputs(model.decisions[target])
    return frozenset(found)


def collect_outcomes(model: DomainModel, done: Walk) -> dict[str, Value | None]:
    """Return the scored fields of a walk; None where its path never decided one."""
    return {item.name: done.known.get(item.name) for item in model.outcomes}


def decide(model: DomainModel, target: str, done: Walk) -> None:
    """Work out a decision from what the walk knows, and remember the rule that decided."""
    decision, on_case = model.decisions[target], build_reading(done.known)
    has_value, value = build_coverage_condition(decision), build_decision_value(decision)
    # Asked first: where no rule applies, the value of a table is the result of its last rule.
    if has_value is not None and not on_case.interpret_node(has_value):
        done.undecided = target
        return
    present = build_presence(value)
    is_given = present is None or bool(on_case.interpret_node(present))
    found = on_case.interpret_node(value) if is_given else None
    if isinstance(decision, Table):
        done.rules[target] = tuple(rule.id for rule in _collect_hits(decision, on_case))
    done.known[target] = found


def find_hits(table: Table, known: Frame) -> list[Rule]:
    """Return the rules that decide: one, or all that hold where they are collected or agree."""
    return _collect_hits(table, build_reading(known))


def _collect_hits(table: Table, on_case: Interpretation[Value]) -> list[Rule]:
    found: list[Rule] = []
    for rule in table.rules:
        # An 'otherwise' counts only where nothing else did, also where results are collected.
        is_met = not found if rule.when is None else on_case.interpret_node(rule.when)
        if is_met:
            found.append(rule)
        if found and table.hit not in {HitPolicy.COLLECT, HitPolicy.ANY}:
            break
    return found


def _call_tool(tool: Tool, done: Walk, service: Service) -> Refused | None:
    """Call a tool; return its refusal, if it refused."""
    arguments = {name: done.known.get(name) for name in tool.takes}
    result = service(tool, arguments)
    done.calls.append(ToolCall(tool.name, arguments, result))
    if isinstance(result, Refused):
        return result
    done.known.update(result)
    return None


def _find_refusal_step(model: DomainModel, step: Step, refused: Refused, done: Walk) -> Step | None:
    """Return the step that the case goes to after a refusal, if the step names one."""
    edge = step.refusals.get(refused.code)
    if edge is None:
        done.refusal = refused
        return None
    done.path.append(edge.id)
    forget_loops(model, step, edge.to, done.visits)
    return model.steps[edge.to]


def _leave_step(model: DomainModel, step: Step, done: Walk) -> Step | None:
    """Decide what a step decides, and return the step that comes after it, if there is one.

    Of a step that carries out a part, this is what is left once the case has come back.
    """
    for target in step.decide:
        if not done.undecided:
            decide(model, target, done)
    if done.undecided:
        return None
    if step.is_return:
        forget_part(model, step.part, done.visits)
        return _leave_step(model, done.callers.pop(), done)
    return _find_next_step(model, step, done)


def forget_part(model: DomainModel, part: str, visits: Counter[str]) -> None:
    """Let the loops of a part that count each use of it count anew, as a case leaves it."""
    for step in model.list_steps_in(part) if visits else ():
        for edge in step.edges:
            if edge.counts is not Counts.CASE:
                visits.pop(edge.id, None)


def forget_loops(model: DomainModel, step: Step, to: str, visits: Counter[str]) -> None:
    """Let loops that count each visit count anew, as a case goes from a step out of them."""
    for name in list(visits):
        edge = model.find_edge(name)
        if edge.counts is Counts.VISIT and edge.is_left(step.id, to):
            del visits[name]


def _find_next_step(model: DomainModel, step: Step, done: Walk) -> Step | None:
    if step.end is not None:
        done.known.update({name: constant.value for name, constant in step.end.items()})
        return None
    edge = choose_edge(step, done.known)
    done.path.append(edge.id)
    to = take_edge(edge, done.visits)
    forget_loops(model, step, to, done.visits)
    return model.steps[to]


def take_edge(edge: Edge, visits: Counter[str]) -> str:
    """Return where an edge leads a case that takes it, which counts if it leads back."""
    if edge.bound is None or edge.then is None:
        return edge.to
    visits[edge.id] += 1
    # This time is counted already; unfolding asks before it counts, and there has `>=`.
    return edge.then if visits[edge.id] > edge.bound else edge.to


def choose_edge(step: Step, known: Frame) -> Edge:
    """Return the first edge whose condition holds; the last edge of a step has none."""
    return next(edge for edge in step.edges if holds(edge.when, known))
