"""Mutants: models with one small mistake, such as an agent or a tool could make.

Each is a goal of its own: a case that the model and the mutant decide differently. The closed list
of mistakes: a comparator swapped, a threshold one unit up or down at its declaration or at one use,
a rule or a way dropped, rules, ways or guards reordered, the targets of neighbouring ways swapped,
results collected otherwise, any and all, least and greatest swapped, a filter or a test for a
missing value dropped, a quotient rounded down, a holiday forgotten, days counted for workdays, a
malformed input taken as what was meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations, pairwise
from typing import TypeVar

from sopforge.dataset.expression_mistakes import edits, neighbours, shown
from sopforge.dataset.goals import Goal, Kind
from sopforge.domain.guards import Guard, GuardGroup, GuardKind, GuardLeaf
from sopforge.domain.malformed import malformed_mark
from sopforge.domain.model import DomainModel, Edge, Step
from sopforge.domain.rules import Collect, Decision, Formula, HitPolicy, Rule, Table
from sopforge.logic.changed_models import with_constant
from sopforge.logic.substitution import Known, Substitution
from sopforge.solving.differences import differs
from sopforge.solving.unfolding import (
    FALSE,
    TRUE,
    TooManyStepsError,
    Unfolded,
    answers_of,
    some,
    unfold,
)

_COLLECTED = {
    Collect.SUM: Collect.COUNT,
    Collect.COUNT: Collect.SUM,
    Collect.MINIMUM: Collect.MAXIMUM,
    Collect.MAXIMUM: Collect.MINIMUM,
}
MOST_MOVED = 8
Item = TypeVar("Item")


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
    sound = answers_of(model, places)
    for mutant in mutants:
        try:
            unfolded = unfold(mutant.model)
        except TooManyStepsError:
            continue
        wrong = answers_of(mutant.model, unfolded)
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
    yield from _guard_mutants(model)
    yield from _malformed_mutants(model)


# decisions


def _decision_mutants(decision: Decision) -> Iterator[tuple[str, str, Decision]]:
    if isinstance(decision, Formula):
        for number, (words, wrong) in enumerate(edits(decision.value), start=1):
            yield f"{number}", words, replace(decision, value=wrong)
        return
    for place, rule in enumerate(decision.rules):
        for number, (words, wrong) in enumerate(edits(rule.when) if rule.when else (), start=1):
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
    for before, place, rules in _reordered(table.rules):
        first, second = table.rules[before], table.rules[place]
        if second.when is not None:
            words = f"rule {second.id} before rule {first.id}"
            name = f"{second.id} first" if place == before + 1 else f"{second.id} before {first.id}"
            yield name, words, replace(table, rules=rules)


def _reordered(items: Sequence[Item]) -> Iterator[tuple[int, int, tuple[Item, ...]]]:
    """Return the items with one of them moved before an earlier one, and the places of both.

    Of a long sequence, only neighbours change places.
    """
    for before, place in combinations(range(len(items)), 2):
        if place == before + 1 or len(items) <= MOST_MOVED:
            moved = (items[place], *items[before:place])
            yield before, place, (*items[:before], *moved, *items[place + 1 :])


def _with_rule(table: Table, place: int, rule: Rule) -> Table:
    return replace(table, rules=(*table.rules[:place], rule, *table.rules[place + 1 :]))


# steps


def _step_mutants(step: Step) -> Iterator[tuple[str, str, Step]]:
    for place, edge in enumerate(step.edges):
        for number, (words, wrong) in enumerate(edits(edge.when) if edge.when else (), start=1):
            way, changed = f"way {place + 1}", replace(edge, when=wrong)
            yield f"{way} {number}", f"{way}, {words}", _with_edges(step, place, changed)
        if edge.when is not None:
            kept = (*step.edges[:place], *step.edges[place + 1 :])
            yield f"way {place + 1} dropped", f"way {place + 1} dropped", replace(step, edges=kept)
    for before, place, edges in _reordered(step.edges):
        if step.edges[place].when is not None:
            words = f"way {place + 1} before way {before + 1}"
            yield f"way {place + 1} before {before + 1}", words, replace(step, edges=edges)
    for place, (first, second) in enumerate(pairwise(step.edges)):
        # A way back goes with its bound: with another target, a case could go round for ever.
        if first.to != second.to and first.bound is None and second.bound is None:
            pair = replace(first, to=second.to), replace(second, to=first.to)
            words = f"ways {place + 1} and {place + 2} swapped"
            yield f"ways {place + 1} {place + 2}", words, _with_edges(step, place, *pair)


def _with_edges(step: Step, place: int, *edges: Edge) -> Step:
    kept = step.edges[place + len(edges) :]
    return replace(step, edges=(*step.edges[:place], *edges, *kept))


# guards and inputs


def _guard_mutants(model: DomainModel) -> Iterator[Mutant]:
    called = dict.fromkeys(step.call for step in model.steps.values())
    for tool in [model.tools[name] for name in called if name is not None]:
        for name, words, wrong in _wrong_guards(tool.guard):
            changed = replace(model, tools={**model.tools, tool.name: replace(tool, guard=wrong)})
            yield Mutant(f"mutant {tool.name}, {name}", f"in '{tool.name}', {words}", changed)


def _wrong_guards(guard: Guard | None) -> Iterator[tuple[str, str, Guard]]:
    if isinstance(guard, GuardLeaf):
        for number, (words, wrong) in enumerate(edits(guard.test), start=1):
            name, told = f"{guard.id} {number}", f"guard {guard.id}, {words}"
            yield name, told, replace(guard, test=wrong)
    elif guard is not None:
        for place, part in enumerate(guard.children):
            for name, words, other in _wrong_guards(part):
                yield name, words, _with_parts(guard, place, other)
        if guard.kind is GuardKind.CHAIN:
            for before, place, children_ in _reordered(guard.children):
                first, second = guard.children[before].id, guard.children[place].id
                words = f"guard {second} before guard {first}"
                yield f"{second} before {first}", words, replace(guard, children=children_)


def _with_parts(guard: GuardGroup, place: int, *parts: Guard) -> GuardGroup:
    kept = guard.children[place + len(parts) :]
    return replace(guard, children=(*guard.children[:place], *parts, *kept))


def _malformed_mutants(model: DomainModel) -> Iterator[Mutant]:
    for item in model.malformable:
        taken = Substitution({malformed_mark(item.name): Known(TRUE, FALSE)}, TRUE)
        steps = {
            name: replace(
                step,
                edges=tuple(
                    replace(edge, when=taken.of(edge.when)) if edge.when else edge
                    for edge in step.edges
                ),
            )
            for name, step in model.steps.items()
        }
        fields = {**model.fields, item.name: replace(item, malformed=None)}
        changed = replace(model, fields=fields, steps=steps)
        words = f"a malformed '{item.name}' taken as what was meant"
        yield Mutant(f"mutant {item.name} corrected", words, changed)


# constants of the policy


def _constant_mutants(model: DomainModel) -> Iterator[Mutant]:
    for name, item in model.policy.items():
        for other in neighbours(item.constant):
            changed = with_constant(model, name, other)
            yield Mutant(f"mutant {name} {shown(other)}", f"{name} of {shown(other)}", changed)
