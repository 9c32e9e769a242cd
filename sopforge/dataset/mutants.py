"""Mutants: models with one small mistake, such as an agent or a tool could make.

Each is a goal of its own: a case that the model and the mutant decide differently. The closed list
of mistakes: a comparator swapped, a threshold one unit up or down at its declaration or at one use,
a rule dropped, neighbours reordered, the targets of neighbouring ways swapped, results collected
otherwise, any and all swapped, a test for a missing value dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise

from sopforge.dataset.goals import Goal, Kind
from sopforge.domain.expressions import (
    Aggregate,
    AllOf,
    AnyOf,
    Compare,
    Constant,
    Expression,
    Fold,
    Presence,
    Relation,
    in_order,
)
from sopforge.domain.model import DomainModel, Edge, Step
from sopforge.domain.numbers import constant
from sopforge.domain.rules import Collect, Decision, Formula, HitPolicy, Rule, Table
from sopforge.domain.types import DateType, NumberType, to_cell, whole
from sopforge.logic.changed_models import with_constant
from sopforge.logic.substitution import replaced
from sopforge.solving.differences import differs
from sopforge.solving.unfolding import (
    FALSE,
    TRUE,
    TooManyStepsError,
    Unfolded,
    outcomes_of,
    some,
    unfold,
)

_SWAPPED = {
    Relation.GE: Relation.GT,
    Relation.GT: Relation.GE,
    Relation.LE: Relation.LT,
    Relation.LT: Relation.LE,
    Relation.EQ: Relation.NE,
    Relation.NE: Relation.EQ,
}
_COLLECTED = {
    Collect.SUM: Collect.COUNT,
    Collect.COUNT: Collect.SUM,
    Collect.MINIMUM: Collect.MAXIMUM,
    Collect.MAXIMUM: Collect.MINIMUM,
}
_FOLDS = {Fold.ANY: Fold.ALL, Fold.ALL: Fold.ANY}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A model with one mistake, and the mistake in words."""

    id: str
    words: str
    model: DomainModel


def mutant_goals(
    model: DomainModel, places: tuple[Unfolded, ...], mutants: Iterable[Mutant]
) -> Iterator[Goal]:
    """Return for each mutant the cases that it decides otherwise than the model."""
    sound = outcomes_of(model, places)
    for mutant in mutants:
        try:
            unfolded = unfold(mutant.model)
        except TooManyStepsError:
            continue
        wrong = outcomes_of(mutant.model, unfolded)
        found = [differs(known, wrong[name]) for name, known in sound.items()]
        # A case that is refused where the model's is not has no outcome.
        found += [item.condition for place in unfolded for item in place.refusals]
        yield Goal(mutant.id, reduce(some, found, FALSE), mutant.words, Kind.MUTANT)


def mutants_of(model: DomainModel) -> Iterator[Mutant]:
    """Return all mutants of a model, in document order."""
    yield from _constant_mutants(model)
    for target, decision in model.decisions.items():
        for name, words, other in _decision_mutants(decision):
            decisions = {**model.decisions, target: other}
            changed = replace(model, decisions=decisions)
            yield Mutant(f"mutant {target}, {name}", f"in '{target}', {words}", changed)
    for step in model.steps.values():
        for name, words, step_wrong in _step_mutants(step):
            changed = replace(model, steps={**model.steps, step.id: step_wrong})
            yield Mutant(f"mutant {step.id}, {name}", f"at step '{step.id}', {words}", changed)


# decisions


def _decision_mutants(decision: Decision) -> Iterator[tuple[str, str, Decision]]:
    if isinstance(decision, Formula):
        for number, (words, wrong) in enumerate(_edits(decision.value), start=1):
            yield f"{number}", words, replace(decision, value=wrong)
        return
    for place, rule in enumerate(decision.rules):
        for number, (words, wrong) in enumerate(_edits(rule.when) if rule.when else (), start=1):
            changed = _with_rule(decision, place, replace(rule, when=wrong))
            yield f"{rule.id} {number}", f"rule {rule.id}, {words}", changed
        if len(decision.rules) > 1:
            kept = (*decision.rules[:place], *decision.rules[place + 1 :])
            yield f"{rule.id} dropped", f"rule {rule.id} dropped", replace(decision, rules=kept)
    yield from _order_mutants(decision)
    if decision.collect is not None:
        other = _COLLECTED[decision.collect]
        yield "collect", f"{other} for {decision.collect}", replace(decision, collect=other)


def _order_mutants(table: Table) -> Iterator[tuple[str, str, Decision]]:
    if table.hit is not HitPolicy.FIRST:
        return
    for place, (first, second) in enumerate(pairwise(table.rules)):
        if second.when is not None:
            rules = (*table.rules[:place], second, first, *table.rules[place + 2 :])
            words = f"rule {second.id} before rule {first.id}"
            yield f"{second.id} first", words, replace(table, rules=rules)


def _with_rule(table: Table, place: int, rule: Rule) -> Table:
    return replace(table, rules=(*table.rules[:place], rule, *table.rules[place + 1 :]))


# steps


def _step_mutants(step: Step) -> Iterator[tuple[str, str, Step]]:
    for place, edge in enumerate(step.edges):
        for number, (words, wrong) in enumerate(_edits(edge.when) if edge.when else (), start=1):
            way, changed = f"way {place + 1}", replace(edge, when=wrong)
            yield f"{way} {number}", f"{way}, {words}", _with_edges(step, place, changed)
    for place, (first, second) in enumerate(pairwise(step.edges)):
        # A way back goes with its bound: with another target, a case could go round for ever.
        if first.to != second.to and first.bound is None and second.bound is None:
            pair = replace(first, to=second.to), replace(second, to=first.to)
            words = f"ways {place + 1} and {place + 2} swapped"
            yield f"ways {place + 1} {place + 2}", words, _with_edges(step, place, *pair)


def _with_edges(step: Step, place: int, *edges: Edge) -> Step:
    kept = step.edges[place + len(edges) :]
    return replace(step, edges=(*step.edges[:place], *edges, *kept))


# constants of the policy


def _constant_mutants(model: DomainModel) -> Iterator[Mutant]:
    for name, item in model.policy.items():
        for other in _neighbours(item.constant):
            changed = with_constant(model, name, other)
            yield Mutant(f"mutant {name} {_shown(other)}", f"{name} of {_shown(other)}", changed)


# expressions


def _edits(expression: Expression) -> Iterator[tuple[str, Expression]]:
    """Return the expression with each single mistake that it allows, and the mistake in words."""
    for node in in_order([expression]):
        for words, other in _mistakes(node):
            yield words, replaced(expression, node, other)


def _mistakes(node: Expression) -> Iterator[tuple[str, Expression]]:
    match node:
        case Compare():
            other = _SWAPPED[node.relation]
            yield f"{other} for {node.relation}", replace(node, relation=other)
            yield from _threshold_mistakes(node)
        case AllOf():
            yield "or for and", AnyOf(node.operands)
        case AnyOf():
            yield "and for or", AllOf(node.operands)
        case Aggregate(fold=fold) if fold in _FOLDS:
            yield f"{_FOLDS[fold]} for {fold}", replace(node, fold=_FOLDS[fold])
        case Presence():
            yield f"no test whether {node.field} is there", TRUE
        case _:
            return


def _threshold_mistakes(node: Compare) -> Iterator[tuple[str, Expression]]:
    for other in _neighbours(node.left):
        yield f"{_shown(other)} as threshold", replace(node, left=other)
    for other in _neighbours(node.right):
        yield f"{_shown(other)} as threshold", replace(node, right=other)


def _neighbours(number: Expression) -> list[Constant]:
    moved = [_moved(number, step) for step in (-1, 1)] if isinstance(number, Constant) else []
    return [other for other in moved if other is not None]


def _shown(number: Constant) -> str:
    return to_cell(number.type, number.value)


def _moved(number: Constant, change: int) -> Constant | None:
    """Return a threshold one unit of its places up or down."""
    match number.type:
        case NumberType(places=places, unit=unit):
            moved = constant(whole(number.value) + change, places)
            kind = replace(moved.type, unit=unit) if isinstance(moved.type, NumberType) else None
            return None if kind is None else replace(moved, type=kind)
        case DateType():
            day = whole(number.value) + change
            return Constant(DateType(day, day), day)
        case _:
            return None
