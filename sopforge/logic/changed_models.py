"""Models with all their expressions changed in one way, such as another value for a constant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from sopforge.domain.expressions import Expression
from sopforge.domain.guards import Guard, GuardLeaf
from sopforge.domain.model import DomainModel, Step, Tool
from sopforge.domain.rules import Decision, Formula, Rule
from sopforge.logic.substitution import Substitution

Change: TypeAlias = Callable[[Expression], Expression]


def with_constant(model: DomainModel, name: str, other: Expression) -> DomainModel:
    """Return the model with another value wherever a policy constant is read."""
    return with_expressions(model, Substitution({}, other, {name: other}).of)


def with_expressions(model: DomainModel, change: Change) -> DomainModel:
    """Return the model with each expression of its rules, ways and tools changed."""
    return replace(
        model,
        decisions={key: _decision(item, change) for key, item in model.decisions.items()},
        steps={key: _step(step, change) for key, step in model.steps.items()},
        tools={key: _tool(tool, change) for key, tool in model.tools.items()},
    )


def _decision(decision: Decision, change: Change) -> Decision:
    if isinstance(decision, Formula):
        return replace(decision, value=change(decision.value))
    rules = tuple(
        Rule(rule.id, rule.when and change(rule.when), change(rule.then)) for rule in decision.rules
    )
    return replace(decision, rules=rules)


def _step(step: Step, change: Change) -> Step:
    edges = tuple(replace(edge, when=edge.when and change(edge.when)) for edge in step.edges)
    return replace(step, edges=edges)


def _tool(tool: Tool, change: Change) -> Tool:
    effects = {name: change(value) for name, value in tool.effects.items()}
    guard = tool.guard and _guard(tool.guard, change)
    return replace(tool, guard=guard, effects=effects)


def _guard(guard: Guard, change: Change) -> Guard:
    if isinstance(guard, GuardLeaf):
        return replace(guard, test=change(guard.test))
    return replace(guard, children=tuple(_guard(child, change) for child in guard.children))
