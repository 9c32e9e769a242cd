"""Models with all their expressions changed alike, such as another value for a constant."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeAlias

from sopforge.language.domain.expressions.expressions import Expression, Not
from sopforge.language.domain.guards import Guard, GuardGroup, GuardKind, GuardLeaf
from sopforge.language.domain.model import DomainModel, Edge, Step, Tool
from sopforge.language.domain.rules import Decision, Formula, Rule
from sopforge.language.logic.variants.substitution import Substitution

ExpressionChange: TypeAlias = Callable[[Expression], Expression]


def with_constant(model: DomainModel, name: str, other: Expression) -> DomainModel:
    """Return the model with another value wherever a policy constant is read."""
    return with_expressions(model, Substitution({}, other, {name: other}).apply_to)


def with_expressions(model: DomainModel, change: ExpressionChange) -> DomainModel:
    """Return the model with each expression of its rules, edges and tools changed.

    What holds no expression that changes stays the same object. Predicates name what stands there
    then.
    """
    return replace(
        model,
        decisions={key: _change_decision(item, change) for key, item in model.decisions.items()},
        steps={key: _change_step(step, change) for key, step in model.steps.items()},
        tools={key: _change_tool(tool, change) for key, tool in model.tools.items()},
        predicates={
            key: replace(item, uses={name: change(part) for name, part in item.uses.items()})
            for key, item in model.predicates.items()
        },
    )


def _change_decision(decision: Decision, change: ExpressionChange) -> Decision:
    if isinstance(decision, Formula):
        value = change(decision.value)
        return decision if value is decision.value else replace(decision, value=value)
    rules = tuple(_change_rule(rule, change) for rule in decision.rules)
    return decision if _is_same(rules, decision.rules) else replace(decision, rules=rules)


def _change_rule(rule: Rule, change: ExpressionChange) -> Rule:
    when, then = rule.when and change(rule.when), change(rule.then)
    return rule if when is rule.when and then is rule.then else Rule(rule.id, when, then)


def _change_step(step: Step, change: ExpressionChange) -> Step:
    edges = tuple(_change_edge(edge, change) for edge in step.edges)
    return step if _is_same(edges, step.edges) else replace(step, edges=edges)


def _change_edge(edge: Edge, change: ExpressionChange) -> Edge:
    when = edge.when and change(edge.when)
    return edge if when is edge.when else replace(edge, when=when)


def _change_tool(tool: Tool, change: ExpressionChange) -> Tool:
    effects = {name: change(value) for name, value in tool.effects.items()}
    guard = tool.guard and _change_guard(tool.guard, change)
    if guard is tool.guard and _is_same(effects.values(), tool.effects.values()):
        return tool
    return replace(tool, guard=guard, effects=effects)


def _change_guard(guard: Guard, change: ExpressionChange) -> Guard:
    if isinstance(guard, GuardLeaf):
        test = change(guard.test)
        return guard if test is guard.test else replace(guard, test=test)
    if guard.kind is GuardKind.NOT and isinstance(guard.children[0], GuardLeaf):
        return _change_denial(guard, guard.children[0], change)
    children = tuple(_change_guard(child, change) for child in guard.children)
    return guard if _is_same(children, guard.children) else replace(guard, children=children)


def _change_denial(group: GuardGroup, leaf: GuardLeaf, change: ExpressionChange) -> Guard:
    """Return a group that denies a condition, changed as one: the opposite is what it says."""
    denial = change(Not(leaf.test))
    test = denial.operand if isinstance(denial, Not) else Not(denial)
    return group if test is leaf.test else replace(group, children=(replace(leaf, test=test),))


def _is_same(left: Iterable[object], right: Iterable[object]) -> bool:
    # By identity: where models are compared, another object is taken for a change.
    return all(one is other for one, other in zip(left, right, strict=True))
