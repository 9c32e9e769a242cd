"""Mutants: models with one small mistake, such as an agent or a tool could make.

Each is a goal of its own: a case that the model and the mutant decide differently. The closed list
of mistakes: a comparator swapped, a threshold one unit up or down at its declaration or at one use,
a rule or a way dropped, neighbours reordered, the targets of neighbouring ways swapped, results
collected otherwise, any and all, least and greatest swapped, a filter or a test for a missing value
dropped, a malformed input taken as what was meant.
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
    Extreme,
    Fold,
    Not,
    Outermost,
    Presence,
    Read,
    Relation,
    children,
    in_order,
    parts,
)
from sopforge.domain.guards import Guard, GuardGroup, GuardKind, GuardLeaf
from sopforge.domain.malformed import malformed_mark, marked_field
from sopforge.domain.model import DomainModel, Edge, Step
from sopforge.domain.numbers import constant
from sopforge.domain.rules import Collect, Decision, Formula, HitPolicy, Rule, Table
from sopforge.domain.types import (
    DateTimeType,
    DateType,
    EnumType,
    NumberType,
    bounds,
    to_cell,
    whole,
)
from sopforge.logic.changed_models import with_constant
from sopforge.logic.substitution import Known, Substitution, replaced
from sopforge.logic.tables import either
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
_FOLDS = {
    Fold.ANY: Fold.ALL,
    Fold.ALL: Fold.ANY,
    Fold.MINIMUM: Fold.MAXIMUM,
    Fold.MAXIMUM: Fold.MINIMUM,
}
_EXTREMES = {Extreme.MINIMUM: Extreme.MAXIMUM, Extreme.MAXIMUM: Extreme.MINIMUM}


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
        if edge.when is not None:
            kept = (*step.edges[:place], *step.edges[place + 1 :])
            yield f"way {place + 1} dropped", f"way {place + 1} dropped", replace(step, edges=kept)
    for place, (first, second) in enumerate(pairwise(step.edges)):
        if second.when is not None:
            words = f"way {place + 2} before way {place + 1}"
            yield f"way {place + 2} first", words, _with_edges(step, place, second, first)
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
        for number, (words, wrong) in enumerate(_edits(guard.test), start=1):
            name, told = f"{guard.id} {number}", f"guard {guard.id}, {words}"
            yield name, told, replace(guard, test=wrong)
    elif guard is not None:
        for place, part in enumerate(guard.children):
            for name, words, other in _wrong_guards(part):
                yield name, words, _with_parts(guard, place, other)
        if guard.kind is GuardKind.CHAIN:
            for place, (first, second) in enumerate(pairwise(guard.children)):
                words = f"guard {second.id} before guard {first.id}"
                yield f"{second.id} first", words, _with_parts(guard, place, second, first)


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
        for other in _neighbours(item.constant):
            changed = with_constant(model, name, other)
            yield Mutant(f"mutant {name} {_shown(other)}", f"{name} of {_shown(other)}", changed)


# expressions


def _edits(expression: Expression) -> Iterator[tuple[str, Expression]]:
    """Return the expression with each single mistake that it allows, and the mistake in words."""
    for node in _nodes(expression):
        if isinstance(node, Presence) and not marked_field(node.field):
            words = f"no test whether {node.field} is there"
            yield words, _without_test(expression, node.field)
        for words, other in _mistakes(node):
            yield words, replaced(expression, node, other)


def _without_test(expression: Expression, field: str) -> Expression:
    """Return an expression that takes a field to be there; else it is nothing, or the least."""
    reads = (node for node in parts(expression) if isinstance(node, Read) and node.field == field)
    read = next(reads, None)
    value = read or TRUE
    if read is not None and isinstance(read.type, NumberType | DateType | DateTimeType | EnumType):
        least = 0 if isinstance(read.type, EnumType) else max(0, bounds(read.type)[0])
        value = either(Presence(field), read, Constant(read.type, least))
    found = Substitution({field: Known(value, TRUE)}, TRUE).of(expression)
    for node in parts(found):
        if isinstance(node, Aggregate) and node.list == field:
            found = replaced(found, node, _of_no_items(node))
    return found


def _of_no_items(node: Aggregate) -> Expression:
    """Return an aggregate that takes a missing list to be empty."""
    there = Presence(node.list)
    match node.fold:
        case Fold.ANY:
            return AllOf((there, node))
        case Fold.ALL:
            return AnyOf((Not(there), node))
        case Fold.COUNT | Fold.SUM:
            return either(there, node, constant(0))
        case Fold.MINIMUM | Fold.MAXIMUM:
            return either(there, node, node.default or constant(0))


def _nodes(expression: Expression) -> Iterator[Expression]:
    """Return the parts of an expression, each behind its own, those about list items too."""
    for node in in_order([expression]):
        for part in children(node) if isinstance(node, Aggregate) else ():
            yield from _nodes(part)
        yield node


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
        case Aggregate():
            yield from _aggregate_mistakes(node)
        case Outermost(extreme=extreme):
            other_end = _EXTREMES[extreme]
            yield f"{other_end} for {extreme}", replace(node, extreme=other_end)
        case _:
            return


def _aggregate_mistakes(node: Aggregate) -> Iterator[tuple[str, Expression]]:
    if node.fold in _FOLDS:
        yield f"{_FOLDS[node.fold]} for {node.fold}", replace(node, fold=_FOLDS[node.fold])
    if node.where is not None:
        yield f"{node.fold} of all items", replace(node, where=None)


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
