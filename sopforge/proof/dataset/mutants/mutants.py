"""Mutants: models with one small mistake, such as an agent or a tool could make.

The closed list, by what a mistake is about, stands in ``docs/coverage.md``. Each mutant is a goal:
a case to which the model and the mutant give other answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeVar

from sopforge.language.domain.expressions.expressions import (
    Constant,
    Missing,
    Quotient,
    list_ordered_parts,
    may_be_missing,
)
from sopforge.language.domain.expressions.numbers import TypeRuleError
from sopforge.language.domain.guards import Guard, GuardGroup, GuardKind, GuardLeaf
from sopforge.language.domain.model import DomainModel, Edge, Step
from sopforge.language.domain.predicates import map_named_conditions
from sopforge.language.domain.rules import (
    Collect,
    Formula,
    HitPolicy,
    Rule,
    Table,
    is_first_given,
    list_targets,
    rank_rules,
)
from sopforge.language.domain.values.malformed_inputs import name_malformed_mark
from sopforge.language.domain.values.types import ListType
from sopforge.language.logic.variants.changed_models import with_constant
from sopforge.language.logic.variants.slots import (
    Slot,
    SlotKind,
    collect_slots,
    with_decision,
    with_edge,
    with_tool,
)
from sopforge.language.logic.variants.substitution import Replacement, Substitution
from sopforge.language.logic.variants.unrounded_quotients import unround_quotient
from sopforge.proof.dataset.mutants.about import About
from sopforge.proof.dataset.mutants.expression_mistakes import (
    derive_edits,
    format_constant,
    iterate_other_constants,
    list_neighbours,
)
from sopforge.proof.dataset.mutants.field_mistakes import derive_misreadings
from sopforge.proof.dataset.mutants.part_mistakes import (
    derive_counting_mistakes,
    derive_part_mistakes,
    list_other_counts,
    with_step,
)
from sopforge.proof.dataset.mutants.predicate_mistakes import derive_predicate_mistakes
from sopforge.proof.solving.unfolding import FALSE, TRUE

_COLLECTED = {
    Collect.SUM: Collect.COUNT,
    Collect.COUNT: Collect.SUM,
    Collect.MINIMUM: Collect.MAXIMUM,
    Collect.MAXIMUM: Collect.MINIMUM,
}
_ABOUT = {SlotKind.GUARD: About.GUARD, SlotKind.RESULT: About.RESULT}
MOST_MOVED = 16
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Mutant:
    """A model with one mistake, what it is about, and the mistake in words.

    ``constant`` is the constant of the policy that is another one, if the mistake is of that kind.
    """

    id: str
    words: str
    model: DomainModel
    about: About
    constant: str = ""


def derive_mutants(model: DomainModel) -> Iterator[Mutant]:
    """Return all mutants of a model, in document order."""
    yield from _derive_constant_mutants(model)
    for mistake in derive_predicate_mistakes(model):
        yield Mutant(f"mutant {mistake.name}", mistake.words, mistake.model, mistake.about)
    yield from _derive_slot_mutants(model)
    for decision in model.decisions.values():
        if isinstance(decision, Table) and is_first_given(decision):
            yield from _derive_table_mutants(model, decision)
    for step in model.steps.values():
        for about, name, words, wrong in _derive_step_mutants(model, step):
            yield Mutant(f"mutant {step.id}, {name}", f"at step '{step.id}', {words}", wrong, about)
    yield from _derive_part_mutants(model)
    yield from _derive_guard_mutants(model)
    for number, item in enumerate(derive_misreadings(model), start=1):
        yield Mutant(f"mutant reading {number} {item.words}", item.words, item.model, item.about)
    yield from _derive_malformed_mutants(model)


def _derive_slot_mutants(model: DomainModel) -> Iterator[Mutant]:
    """Return the mutants with a mistake in one expression."""
    lists = {
        name: item.type for name, item in model.fields.items() if isinstance(item.type, ListType)
    }
    joined = {
        name
        for name, item in model.decisions.items()
        if isinstance(item, Formula) and item.shared is not None
    }
    named = map_named_conditions(model.predicates)
    for slot in collect_slots(model).values():
        for number, edit in enumerate(derive_edits(slot.expression, lists, named), start=1):
            if edit.is_of_row and slot.name in joined:
                continue  # the same row is read for all that the table gives
            is_constant = isinstance(slot.expression, Constant)
            about = _ABOUT.get(slot.kind, edit.about) if is_constant else edit.about
            name = f"mutant {slot.id} {number}"
            yield Mutant(name, f"{slot.words}, {edit.words}", slot.put(edit.wrong), about)
        yield from _derive_unrounded_mutants(slot)
    yield from _derive_absent_mutants(model)
    yield from _derive_row_mutants(model)


def _derive_row_mutants(model: DomainModel) -> Iterator[Mutant]:
    """Return the mutants in which a neighbouring row is taken for all that a look-up gives."""
    for decision in model.decisions.values():
        if not isinstance(decision, Formula) or not decision.shared or not is_first_given(decision):
            continue
        together = [model.decisions[target] for target in list_targets(decision)]
        formulas = [item for item in together if isinstance(item, Formula)]
        columns = [
            [edit for edit in derive_edits(item.value) if edit.is_of_row] for item in formulas
        ]
        for number, edits in enumerate(zip(*columns, strict=True), start=1):
            wrong, name = model, decision.shared.name
            for formula, edit in zip(formulas, edits, strict=True):
                wrong = with_decision(wrong, replace(formula, value=edit.wrong))
            words = f"in '{name}', {edits[0].words}"
            yield Mutant(f"mutant rows {name} {number}", words, wrong, edits[0].about)


def _derive_absent_mutants(model: DomainModel) -> Iterator[Mutant]:
    """Return the mutants in which a rule gives no value, as another rule of its table does."""
    slots = collect_slots(model)
    for target, decision in model.decisions.items():
        nothing = Missing(model.fields[target].type, model.fields[target].missing)
        if not isinstance(decision, Table) or not model.may_decide_nothing(target):
            continue
        for rule in decision.rules:
            if not may_be_missing(rule.then):
                slot = slots[f"result {target}.{rule.id}"]
                words = f"{slot.words}, no value"
                yield Mutant(f"mutant {slot.id} missing", words, slot.put(nothing), About.MISSING)


def _derive_unrounded_mutants(slot: Slot) -> Iterator[Mutant]:
    """Return the mutants in which a quotient is not rounded, but kept to more places."""
    found = [node for node in list_ordered_parts([slot.expression]) if isinstance(node, Quotient)]
    for number, node in enumerate(found, start=1):
        try:
            wrong = unround_quotient(slot, node)
        except TypeRuleError:
            continue  # nobody can count so finely
        name = f"mutant {slot.id} unrounded {number}"
        yield Mutant(name, f"{slot.words}, not rounded", wrong, About.ROUNDING)


# tables


def _derive_table_mutants(model: DomainModel, table: Table) -> Iterator[Mutant]:
    """Return the mutants with other rules, which are those of all that the table gives."""
    together = [model.decisions[target] for target in list_targets(table)]
    columns = [_derive_wrong_tables(item) for item in together if isinstance(item, Table)]
    for found in zip(*columns, strict=True):
        about, name, words, _ = found[0]
        wrong = model
        for *_, changed in found:
            wrong = with_decision(wrong, changed)
        yield Mutant(f"mutant {table.name}, {name}", f"in '{table.name}', {words}", wrong, about)


def _derive_wrong_tables(table: Table) -> Iterator[tuple[About, str, str, Table]]:
    for place, rule in enumerate(table.rules if len(table.rules) > 1 else ()):
        kept = (*table.rules[:place], *table.rules[place + 1 :])
        yield (
            About.ORDER,
            f"{rule.id} dropped",
            f"rule {rule.id} dropped",
            replace(table, rules=kept),
        )
    yield from _derive_order_mutants(table)
    if table.collect is not None:
        other = _COLLECTED.get(table.collect)  # nothing else is made of sets
        if other is not None:
            words = f"{other} for {table.collect}"
            yield About.LIST, "collect", words, replace(table, collect=other)
        words = "the first rule that applies alone"
        yield About.ORDER, "first", words, replace(table, hit=HitPolicy.FIRST, collect=None)


def _derive_order_mutants(table: Table) -> Iterator[tuple[About, str, str, Table]]:
    if table.hit is HitPolicy.PRIORITY:
        yield from _derive_priority_mutants(table)
    if table.hit is not HitPolicy.FIRST:
        return
    for before, place, rules in _reorder_items(table.rules):
        first, second = table.rules[before], table.rules[place]
        if second.when is not None:
            words = f"rule {second.id} before rule {first.id}"
            name = f"{second.id} first" if place == before + 1 else f"{second.id} before {first.id}"
            yield About.ORDER, name, words, replace(table, rules=rules)
    tested = [rule for rule in table.rules if rule.when is not None]
    if len(tested) > 1:
        others = [rule for rule in table.rules if rule.when is None]
        rules = (*reversed(tested), *others)
        words = "the last rule that applies, not the first"
        yield About.ORDER, "last", words, replace(table, rules=rules)


def _derive_priority_mutants(table: Table) -> Iterator[tuple[About, str, str, Table]]:
    """Return the table with results in another order, and with the rules as they are written."""
    for before, place, order in _reorder_items(table.priority):
        first, second = table.priority[before], table.priority[place]
        words = f"{second} before {first}"
        yield About.ORDER, words, words, replace(table, rules=rank_rules(table.rules, order))
    written = tuple(sorted(table.rules, key=lambda rule: table.listed.index(rule.id)))
    words = "the first rule that applies, not the result that goes before the others"
    yield About.ORDER, "first", words, replace(table, rules=written)


def _reorder_items(items: Sequence[Item]) -> Iterator[tuple[int, int, tuple[Item, ...]]]:
    """Return the items with one of them moved before an earlier one, and the places of both.

    Of a long sequence, only neighbours change places.
    """
    for before, place in combinations(range(len(items)), 2):
        if place == before + 1 or len(items) <= MOST_MOVED:
            moved = (items[place], *items[before:place])
            yield before, place, (*items[:before], *moved, *items[place + 1 :])


# steps


def _derive_step_mutants(
    model: DomainModel, step: Step
) -> Iterator[tuple[About, str, str, DomainModel]]:
    for edge in (*step.edges, *step.refusals.values()):
        for words, wrong in _derive_wrong_edges(step, edge):
            yield About.EDGE, words, words, with_edge(model, step.id, wrong)
        for over, wrong in list_other_counts(model, edge):
            words = f"edge {edge.name} {over}"
            yield About.EDGE, words, words, with_edge(model, step.id, wrong)
    for before, place, edges in _reorder_items(step.edges):
        if step.edges[place].when is not None:
            words = f"edge {place + 1} before edge {before + 1}"
            yield About.ORDER, words, words, with_step(model, replace(step, edges=edges))
    for name, value in (step.end or {}).items():
        for change, other in iterate_other_constants(value):
            words, ends = f"{name} {change}", {**(step.end or {}), name: other}
            yield About.END, words, words, with_step(model, replace(step, end=ends))


def _derive_part_mutants(model: DomainModel) -> Iterator[Mutant]:
    for step in [item for item in model.steps.values() if item.do]:
        for words, wrong in derive_part_mistakes(model, step):
            name = f"mutant {step.id}, {words}"
            yield Mutant(name, f"at step '{step.id}', {words}", wrong, About.PART)
    for part, words, wrong in derive_counting_mistakes(model):
        yield Mutant(f"mutant {part}, {words}", f"in part '{part}', {words}", wrong, About.PART)


def _derive_wrong_edges(step: Step, edge: Edge) -> Iterator[tuple[str, Edge]]:
    name = f"edge {edge.name}"
    if edge.when is not None:
        yield f"{name} dropped", replace(edge, when=FALSE)
    for target in list_other_targets(step, edge):
        yield f"{name} to '{target}'", replace(edge, to=target)
    for bound in list_other_bounds(edge):
        yield f"{name} at most {bound} times", replace(edge, bound=bound)


def list_other_targets(step: Step, edge: Edge) -> list[str]:
    """Return where the other edges of a step lead.

    An edge back goes with its bound: with another target, a case could go round for ever.
    """
    if edge.bound is not None:
        return []
    others = [item for item in (*step.edges, *step.refusals.values()) if item.bound is None]
    return [target for target in dict.fromkeys(item.to for item in others) if target != edge.to]


def list_other_bounds(edge: Edge) -> list[int]:
    """Return the numbers of times beside that for which an edge back is taken."""
    if edge.bound is None:
        return []
    return [bound for bound in (edge.bound - 1, edge.bound + 1) if bound > 0]


# guards and inputs


def _derive_guard_mutants(model: DomainModel) -> Iterator[Mutant]:
    for tool in [model.tools[name] for name in model.called]:
        for name, words, wrong in _derive_wrong_guards(tool.guard):
            changed = with_tool(model, replace(tool, guard=wrong))
            yield Mutant(
                f"mutant {tool.name}, {name}", f"in '{tool.name}', {words}", changed, About.GUARD
            )


def _derive_wrong_guards(guard: Guard | None) -> Iterator[tuple[str, str, Guard]]:
    if isinstance(guard, GuardLeaf):
        yield f"{guard.id} dropped", f"guard {guard.id} dropped", replace(guard, test=TRUE)
    elif guard is not None and guard.kind is GuardKind.NOT:
        # Without what must not hold, there is nothing to check; that "not" is left out is a mistake
        # in the condition.
        words = f"guard {guard.id} dropped"
        yield f"{guard.id} dropped", words, GuardLeaf(guard.id, TRUE, guard.refusal, guard.says)
    elif guard is not None:
        for place, part in enumerate(guard.children):
            for name, words, other in _derive_wrong_guards(part):
                yield name, words, _with_part(guard, place, other)
        if guard.kind is GuardKind.CHAIN:
            for before, place, children in _reorder_items(guard.children):
                first, second = guard.children[before].id, guard.children[place].id
                words = f"guard {second} before guard {first}"
                yield f"{second} before {first}", words, replace(guard, children=children)


def _with_part(guard: GuardGroup, place: int, part: Guard) -> GuardGroup:
    return replace(guard, children=(*guard.children[:place], part, *guard.children[place + 1 :]))


def _derive_malformed_mutants(model: DomainModel) -> Iterator[Mutant]:
    for item in model.malformable:
        taken = Substitution({name_malformed_mark(item.name): Replacement(TRUE, FALSE)}, TRUE)
        steps = {
            name: replace(
                step,
                edges=tuple(
                    replace(edge, when=taken.apply_to(edge.when)) if edge.when else edge
                    for edge in step.edges
                ),
            )
            for name, step in model.steps.items()
        }
        # Tools check the form of what may be malformed: of this field, none does so any more.
        fields = {**model.fields, item.name: replace(item, malformed=None)}
        changed = replace(model, fields=fields, steps=steps)
        words = f"a malformed '{item.name}' taken as what was meant"
        yield Mutant(f"mutant {item.name} corrected", words, changed, About.INPUT)


# constants of the policy


def _derive_constant_mutants(model: DomainModel) -> Iterator[Mutant]:
    for name, item in model.policy.items():
        for other in list_neighbours(item.constant):
            changed = with_constant(model, name, other)
            words = f"{name} of {format_constant(other)}"
            id_ = f"mutant {name} {format_constant(other)}"
            yield Mutant(id_, words, changed, About.LIMIT, name)


def list_other_results(rule: Rule) -> list[Constant]:
    """Return a few other results of a rule, the nearest and the farthest; none of a formula."""
    found = (
        [other for _, other in iterate_other_constants(rule.then)]
        if isinstance(rule.then, Constant)
        else []
    )
    return list({other.value: other for other in (*found[:2], *found[-1:])}.values())
