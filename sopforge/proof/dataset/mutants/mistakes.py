"""Where the mistake of a mutant is made, and when it changes what is read there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sopforge.language.domain.expressions.expressions import (
    Aggregate,
    AllOf,
    AnyOf,
    Compare,
    Expression,
    Not,
    Relation,
    Selection,
    list_children,
)
from sopforge.language.domain.model import DomainModel, Edge, Step
from sopforge.language.domain.rules import Decision, Formula, HitPolicy, Rule, Table, list_targets
from sopforge.language.logic.tables import build_agreement
from sopforge.proof.solving.unfolding import TRUE

_CLOSE = (frozenset({Relation.GE, Relation.GT}), frozenset({Relation.LE, Relation.LT}))


@dataclass(frozen=True, slots=True)
class Mistake:
    """What must hold for a mistake to matter, where the decision or the step is that it is in.

    ``earlier`` are the rules or edges before it, with their names: none of them applies. ``rules``
    are two that change places, or one that is dropped; ``differ`` are the two parts that are not
    alike, and ``siblings`` what must hold beside them.
    """

    target: str = ""
    step: str = ""
    earlier: tuple[tuple[str, Expression], ...] = ()
    rules: tuple[Rule, ...] = ()
    siblings: tuple[Expression, ...] = ()
    differ: tuple[Expression, Expression] | None = None


def find_mistake(model: DomainModel, wrong: DomainModel) -> Mistake | None:
    """Return the mistake in one decision or at one step; None for any other."""
    targets = [name for name, item in model.decisions.items() if wrong.decisions[name] != item]
    steps = [name for name, item in model.steps.items() if wrong.steps[name] != item]
    is_elsewhere = wrong.tools != model.tools or wrong.fields is not model.fields
    if is_elsewhere or len(targets[:1]) + len(steps) != 1:
        return None
    for target in targets:
        found = _find_decision_mistake(model.decisions[target], wrong.decisions[target])
        if targets[1:]:
            return _find_joint_mistake(model, targets, found)
        return found
    return _find_step_mistake(model.steps[steps[0]], wrong.steps[steps[0]])


def _find_joint_mistake(
    model: DomainModel, targets: list[str], found: Mistake | None
) -> Mistake | None:
    """Return a mistake in a condition by which one table gives several fields; None for others."""
    is_one_table = list_targets(model.decisions[targets[0]]) == tuple(targets)
    is_condition = found is not None and found.differ is not None and not found.rules
    return found if is_one_table and is_condition else None


def name_edge(edge: Edge) -> str:
    """Return what an edge is called."""
    return f"edge {edge.name} out of step '{edge.step}'"


def build_difference_condition(right: Expression, wrong: Expression) -> Expression:
    """Return when two values differ; for ``<`` and ``<=``, where both sides are equal."""
    match right, wrong:
        case Compare(relation, left, other), Compare(changed) if {relation, changed} in _CLOSE and (
            wrong.left,
            wrong.right,
        ) == (left, other):
            return Compare(Relation.EQ, left, other)
        case _, _ if wrong == TRUE:
            return Not(right)
        case _:
            return Not(build_agreement(right, wrong))


def _find_decision_mistake(right: Decision, wrong: Decision) -> Mistake | None:
    if isinstance(right, Formula) and isinstance(wrong, Formula):
        siblings, differ = _narrow_difference(right.value, wrong.value)
        return Mistake(right.target, siblings=siblings, differ=differ)
    if not isinstance(right, Table) or not isinstance(wrong, Table):
        return None
    if right.collect is not wrong.collect:
        return None
    found = _find_rule_mistake(right.rules, wrong.rules)
    if found is None:
        return None
    place, mistake = found
    before = () if right.hit is HitPolicy.COLLECT else right.rules[:place]
    earlier = tuple(
        (f"rule {item.id} of '{right.name}'", item.when) for item in before if item.when is not None
    )
    return replace(mistake, target=right.target, earlier=earlier)


def _find_rule_mistake(
    right: tuple[Rule, ...], wrong: tuple[Rule, ...]
) -> tuple[int, Mistake] | None:
    """Return the place of a rule that is dropped, moved or changed, and the mistake in it."""
    place = next(
        (
            number
            for number, pair in enumerate(zip(right, wrong, strict=False))
            if pair[0] != pair[1]
        ),
        # Where the shorter list agrees to its end, the last rule was dropped.
        len(wrong),
    )
    rest, others = right[place:], wrong[place:]
    if rest[1:] == others:
        return place, Mistake(rules=rest[:1])
    if others[:2] == tuple(reversed(rest[:2])) and rest[2:] == others[2:]:
        return place, Mistake(rules=rest[:2])
    first, other = rest[0], others[0]
    if rest[1:] != others[1:] or first.then != other.then or not (first.when and other.when):
        return None
    siblings, differ = _narrow_difference(first.when, other.when)
    return place, Mistake(siblings=siblings, differ=differ)


def _find_step_mistake(right: Step, wrong: Step) -> Mistake | None:
    if len(right.edges) != len(wrong.edges):
        return None
    pairs = list(zip(right.edges, wrong.edges, strict=True))
    changed = [place for place, (edge, other) in enumerate(pairs) if edge != other]
    if len(changed) != 1:
        return None
    edge, other = pairs[changed[0]]
    if edge.when is None or other.when is None or replace(edge, when=other.when) != other:
        return None
    earlier = tuple(
        (name_edge(item), item.when) for item in right.edges[: changed[0]] if item.when is not None
    )
    siblings, differ = _narrow_difference(edge.when, other.when)
    return Mistake(step=right.id, earlier=earlier, siblings=siblings, differ=differ)


def _narrow_difference(
    right: Expression, wrong: Expression
) -> tuple[tuple[Expression, ...], tuple[Expression, Expression]]:
    """Return the smallest parts that differ, and what must hold beside them for that to matter."""
    beside: list[Expression] = []
    while (found := _find_only_change(right, wrong)) is not None:
        others, right, wrong = found
        beside += others
    return tuple(beside), (right, wrong)


def _find_only_change(
    right: Expression, wrong: Expression
) -> tuple[Sequence[Expression], Expression, Expression] | None:
    """Return the one part in which two expressions of the same kind differ, if it is one."""
    if type(right) is not type(wrong) or isinstance(right, Aggregate | Compare | Selection):
        return None
    parts, wrong_parts = list_children(right), list_children(wrong)
    if len(parts) != len(wrong_parts):
        return None
    changed = [pair for pair in zip(parts, wrong_parts, strict=True) if pair[0] != pair[1]]
    if len(changed) != 1:
        return None
    first, second = changed[0]
    others = [part for part in parts if part is not first]
    match right:
        case AllOf():
            return others, first, second
        case AnyOf():
            # One part of an "or" decides only where the others fail.
            return [Not(part) for part in others], first, second
        case _:
            return [], first, second
