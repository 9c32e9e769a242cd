"""Where the expressions of a model stand, and the model with another one in such a place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import TypeAlias

from sopforge.language.domain.expressions.expressions import Expression
from sopforge.language.domain.guards import Guard, GuardLeaf, list_guard_checks
from sopforge.language.domain.model import DomainModel, Edge, Tool
from sopforge.language.domain.rules import (
    Decision,
    Formula,
    Rule,
    Table,
    is_first_given,
    list_targets,
)

Put: TypeAlias = Callable[[Expression], DomainModel]


class SlotKind(StrEnum):
    """What stands in a slot."""

    FORMULA = "formula"
    RULE = "rule"
    RESULT = "result"
    EDGE = "edge"
    GUARD = "guard"
    EFFECT = "effect"


@dataclass(frozen=True, slots=True)
class Slot:
    """An expression of the model: ``put`` returns the model with another one in its place.

    ``name`` distinguishes the slots of a model: ``rule risk.R1``; ``words`` say where it is.
    """

    kind: SlotKind
    name: str
    words: str
    expression: Expression
    put: Put

    @property
    def id(self) -> str:
        """The kind and the name."""
        return f"{self.kind} {self.name}"

    @property
    def is_condition(self) -> bool:
        """Whether it distinguishes cases: a rule, an edge or a check of a guard."""
        return self.kind in {SlotKind.RULE, SlotKind.EDGE, SlotKind.GUARD}


def collect_slots(model: DomainModel) -> dict[str, Slot]:
    """Return the slots of decisions, steps and called tools by their ids, in document order."""
    found = (
        *_iterate_decision_slots(model),
        *_iterate_step_slots(model),
        *_iterate_tool_slots(model),
    )
    return {slot.id: slot for slot in found}


def with_decision(model: DomainModel, decision: Decision) -> DomainModel:
    """Return the model with another decision on the same field."""
    return replace(model, decisions={**model.decisions, decision.target: decision})


def with_rule(model: DomainModel, table: Table, rule: Rule) -> DomainModel:
    """Return the model with another rule in the place of that of the same id."""
    rules = tuple(rule if item.id == rule.id else item for item in table.rules)
    return with_decision(model, replace(table, rules=rules))


def with_tables(model: DomainModel, table: Table, change: Callable[[Table], Table]) -> DomainModel:
    """Return the model with a change of a table, and of those that are given together with it."""
    for target in list_targets(table):
        decision = model.decisions[target]
        if isinstance(decision, Table):
            model = with_decision(model, change(decision))
    return model


def with_edge(model: DomainModel, step: str, edge: Edge) -> DomainModel:
    """Return the model with another edge in the place of that of the same id."""
    old = model.steps[step]
    edges = tuple(edge if item.id == edge.id else item for item in old.edges)
    refusals = {code: edge if item.id == edge.id else item for code, item in old.refusals.items()}
    return replace(model, steps={**model.steps, step: replace(old, edges=edges, refusals=refusals)})


def with_tool(model: DomainModel, tool: Tool) -> DomainModel:
    """Return the model with another tool of the same name."""
    return replace(model, tools={**model.tools, tool.name: tool})


def _iterate_decision_slots(model: DomainModel) -> Iterator[Slot]:
    for target, decision in model.decisions.items():
        if isinstance(decision, Formula):
            put = partial(_put_value, model, decision)
            yield Slot(SlotKind.FORMULA, target, f"in '{target}'", decision.value, put)
            continue
        for rule in decision.rules:
            name, words = f"{target}.{rule.id}", f"in '{target}', rule {rule.id}"
            # One condition decides all that a table gives: a mistake about it is in each of them.
            if rule.when is not None and is_first_given(decision):
                when = partial(_put_when, model, decision, rule)
                called = f"in '{decision.name}', rule {rule.id}"
                yield Slot(SlotKind.RULE, f"{decision.name}.{rule.id}", called, rule.when, when)
            then = partial(_put_then, model, decision, rule)
            yield Slot(SlotKind.RESULT, name, f"{words}, result", rule.then, then)


def _iterate_step_slots(model: DomainModel) -> Iterator[Slot]:
    for step in model.steps.values():
        for edge in step.edges:
            if edge.when is not None:
                words = f"at step '{step.id}', edge {edge.id.rpartition('.')[2]}"
                put = partial(_put_edge, model, step.id, edge)
                yield Slot(SlotKind.EDGE, edge.id, words, edge.when, put)


def _iterate_tool_slots(model: DomainModel) -> Iterator[Slot]:
    for tool in [model.tools[name] for name in model.called]:
        for check in list_guard_checks(tool.guard):
            words = f"in '{tool.name}', guard {check.id}"
            name, put = f"{tool.name}.{check.id}", partial(_put_check, model, tool, check)
            yield Slot(SlotKind.GUARD, name, words, check.test, put)
        for field, value in tool.effects.items():
            words = f"in '{tool.name}', effect on '{field}'"
            effect = partial(_put_effect, model, tool, field)
            yield Slot(SlotKind.EFFECT, f"{tool.name}.{field}", words, value, effect)


def _put_value(model: DomainModel, formula: Formula, value: Expression) -> DomainModel:
    return with_decision(model, replace(formula, value=value))


def _put_when(model: DomainModel, table: Table, rule: Rule, when: Expression) -> DomainModel:
    def change(item: Table) -> Table:
        rules = (replace(part, when=when) if part.id == rule.id else part for part in item.rules)
        return replace(item, rules=tuple(rules))

    return with_tables(model, table, change)


def _put_then(model: DomainModel, table: Table, rule: Rule, then: Expression) -> DomainModel:
    return with_rule(model, table, replace(rule, then=then))


def _put_edge(model: DomainModel, step: str, edge: Edge, when: Expression) -> DomainModel:
    return with_edge(model, step, replace(edge, when=when))


def _put_check(model: DomainModel, tool: Tool, check: GuardLeaf, test: Expression) -> DomainModel:
    guard = tool.guard and _with_check(tool.guard, replace(check, test=test))
    return with_tool(model, replace(tool, guard=guard))


def _with_check(guard: Guard, check: GuardLeaf) -> Guard:
    """Return a guard with a check in the place of the node of its id, which may be a group."""
    if guard.id == check.id:
        return check
    if isinstance(guard, GuardLeaf):
        return guard
    return replace(guard, children=tuple(_with_check(item, check) for item in guard.children))


def _put_effect(model: DomainModel, tool: Tool, field: str, value: Expression) -> DomainModel:
    return with_tool(model, replace(tool, effects={**tool.effects, field: value}))
