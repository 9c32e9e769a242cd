"""How one reading may have come about from another: models with a single thing read otherwise.

Beside the closed list of small mistakes there are those that only two readings together suggest: a
number of the other reading in the place of one, a condition read otherwise wherever it stands, two
labels or results that changed places, another step that an edge leads to, a fact that is not looked
at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

from sopforge.language.domain.expressions.expressions import (
    Choice,
    Compare,
    Constant,
    Expression,
    Presence,
    Read,
    Relation,
    iterate_parts,
)
from sopforge.language.domain.fields import STORED, Field
from sopforge.language.domain.model import DomainModel, Step, collect_deciding_expressions
from sopforge.language.domain.rules import Rule, Table
from sopforge.language.domain.values.types import (
    BooleanType,
    EnumType,
    ListType,
    NumberType,
    OrderedType,
    TextType,
    Value,
)
from sopforge.language.logic.tables import build_choice
from sopforge.language.logic.variants.changed_models import with_constant, with_expressions
from sopforge.language.logic.variants.slots import collect_slots, with_decision, with_edge
from sopforge.language.logic.variants.substitution import Replacement, Substitution, replace_part
from sopforge.proof.comparing.repeated_conditions import derive_repeated_mistakes
from sopforge.proof.dataset.mutants.field_mistakes import MOST_PAIRED
from sopforge.proof.dataset.mutants.mutants import derive_mutants, list_other_targets
from sopforge.proof.dataset.mutants.part_mistakes import collect_reachable
from sopforge.proof.solving.unfolding import FALSE, TRUE

MOST_NUMBERS = 40
MOST_SHARED = 4
"""How many numbers of the other reading are tried in the place of each."""
_MOST_RULES = 24
_FACTORS = (7, 10, 12, 24, 60, 100)
"""How many of one unit another one has: a reading may count days where another counts weeks."""
_FAR = 20_000


@dataclass(frozen=True, slots=True)
class Mistake:
    """A model with one thing read otherwise; ``fact`` is the field that it does not look at."""

    id: str
    words: str
    model: DomainModel
    fact: str = ""


def derive_mistakes(
    model: DomainModel, numbers: Iterable[int], unread: Iterable[str]
) -> Iterator[Mistake]:
    """Return all models that differ from one in a single thing.

    ``numbers`` are those of the other reading, as stored integers; ``unread`` are facts of which it
    knows nothing.
    """
    yield from derive_ignored_facts(model, unread)
    for mutant in derive_mutants(model):
        yield Mistake(mutant.id, mutant.words, mutant.model)
    known = _Numbers.sort(numbers, collect_numbers(model))
    yield from _derive_other_numbers(model, known)
    for words, changed in derive_repeated_mistakes(
        model, partial(_list_other_numbers, numbers=known)
    ):
        yield Mistake(f"repeated {words}", words, changed)
    yield from _derive_swapped_results(model)
    yield from _derive_swapped_labels(model)
    for step in model.steps.values():
        yield from _derive_swapped_edges(model, step)
        yield from _derive_far_targets(model, step)
        yield from _derive_other_ends(model, step)


def collect_numbers(model: DomainModel) -> frozenset[int]:
    """Return all numbers that a model compares or gives, as integers of their own places."""
    parts = [*collect_deciding_expressions(model)]
    ends = [value for step in model.steps.values() for value in (step.end or {}).values()]
    policy = [item.constant for item in model.policy.values()]
    found = [part for part in iterate_parts(*parts, *ends, *policy) if isinstance(part, Constant)]
    return frozenset(
        part.value
        for part in found
        if isinstance(part.value, int) and isinstance(part.type, OrderedType)
    )


# facts that are not looked at


def derive_ignored_facts(model: DomainModel, names: Iterable[str]) -> Iterator[Mistake]:
    """Return the model once for each value that a fact may be taken to have whatever it is."""
    for name in names:
        item = model.fields[name]
        for value in list_assumed_values(model, item):
            shown = item.format_cell(value)
            yield Mistake(
                f"ignored {name} as {shown}",
                f"'{name}' not looked at, as if it were {shown}",
                pin_value(model, item, value),
                name,
            )


def list_assumed_values(model: DomainModel, item: Field) -> list[Value | None]:
    """Return the values of a field between which a model can distinguish, and some beyond."""
    found: list[Value | None] = []
    kind = item.type
    low, high = kind.bounds
    match kind:
        case BooleanType() | EnumType():
            found = list(range(low, high + 1))
        case OrderedType():
            limits = _collect_limits(model, item.name)
            near = [limit + step for limit in limits for step in (-1, 0, 1)]
            found = [value for value in dict.fromkeys([low, high, *near]) if low <= value <= high]
        case TextType(pool=pool):
            found = list(pool[:_MOST_RULES])
        case ListType():
            found = [()]
        case _:
            found = [low, high]
    return [*found, None] if item.missing else found


def pin_value(model: DomainModel, item: Field, value: Value | None) -> DomainModel:
    """Return a model that takes a field to have one value, whatever it is."""
    nothing: Value = "" if isinstance(item.type, TextType) else 0
    fixed = Replacement(Constant(item.type, nothing), FALSE)
    if value is not None:
        fixed = Replacement(Constant(item.type, value), TRUE)
    if isinstance(item.type, ListType):
        fixed = Replacement(Constant(item.type, ()), FALSE if value is None else TRUE)
    return with_expressions(model, Substitution({item.name: fixed}, TRUE).apply_to)


def _collect_limits(model: DomainModel, name: str) -> list[int]:
    """Return the numbers that a field is compared with, at its own places."""
    item = model.fields[name]
    places = item.type.places if isinstance(item.type, NumberType) else 0
    found: list[int] = []
    for node in iterate_parts(*collect_deciding_expressions(model)):
        if not isinstance(node, Compare):
            continue
        for side, limit in ((node.left, node.right), (node.right, node.left)):
            reads = [part for part in iterate_parts(side) if isinstance(part, Read)]
            if [part.field for part in reads] == [name] and isinstance(limit, Constant):
                found.append(_scale(limit, places))
    return list(dict.fromkeys(found))


def _scale(limit: Constant, places: int) -> int:
    value: int = limit.value if isinstance(limit.value, int) else 0
    if not isinstance(limit.type, NumberType):
        return value
    factor: int = 10 ** abs(places - limit.type.places)
    return value * factor if places >= limit.type.places else value // factor


# numbers


@dataclass(frozen=True, slots=True)
class _Numbers:
    """The numbers of the other reading: those that this one has too, and ``foreign`` ones."""

    shared: tuple[int, ...]
    foreign: tuple[int, ...]

    @classmethod
    def sort(cls, numbers: Iterable[int], own: frozenset[int]) -> _Numbers:
        """Return the numbers of another reading by whether this one has them too."""
        found = frozenset(numbers)
        return cls(tuple(sorted(found & own)), tuple(sorted(found - own)))

    def list_ranked(self, value: int) -> list[int]:
        """Return numbers that may stand in the place of one, the likeliest first.

        A foreign one may be of another unit or scale, or a limit that is not to be passed, and not
        one that is not to be reached.
        """
        scaled = {number * factor for number in self.foreign for factor in _FACTORS}
        scaled |= {number // factor for number in self.foreign for factor in _FACTORS}
        scaled |= {number + step for number in self.foreign for step in (-1, 1)}
        near = _order(self.shared, value)[:MOST_SHARED]
        return [*_order(self.foreign, value), *near, *_order(scaled, value)]


def _derive_other_numbers(model: DomainModel, numbers: _Numbers) -> Iterator[Mistake]:
    """Return the model with numbers of the other reading in the place of its own."""
    for name, item in model.policy.items():
        for other in _list_other_numbers(item.constant, numbers):
            words = f"{name} of {other.type.to_cell(other.value)}"
            yield Mistake(f"number {words}", words, with_constant(model, name, other))
    for slot in collect_slots(model).values():
        for node in iterate_parts(slot.expression):
            if isinstance(node, Constant) and not node.name:
                for other in _list_other_numbers(node, numbers):
                    shown = [part.type.to_cell(part.value) for part in (other, node)]
                    words = f"{slot.words}, {shown[0]} for {shown[1]}"
                    wrong = slot.put(replace_part(slot.expression, node, other))
                    yield Mistake(f"number {words}", words, wrong)


def _list_other_numbers(node: Constant, numbers: _Numbers) -> list[Constant]:
    if not isinstance(node.type, OrderedType) or not isinstance(node.value, int):
        return []
    value = node.value
    ranked = numbers.list_ranked(value)
    if not isinstance(node.type, NumberType):
        # Of days, only what is a day as well: a number of days is none.
        ranked = [number for number in ranked if abs(number - value) < _FAR]
    found = [number for number in dict.fromkeys(ranked) if abs(number - value) > 1]
    return [
        replace(node, value=number, type=replace(node.type, minimum=number, maximum=number))
        for number in found[:MOST_NUMBERS]
    ]


def _order(numbers: Iterable[int], value: int) -> list[int]:
    return sorted(numbers, key=lambda number: (abs(number - value), number))


# what changed places


def _derive_swapped_results(model: DomainModel) -> Iterator[Mistake]:
    """Return the model with the results of two rules of a table exchanged."""
    for table in model.decisions.values():
        if not isinstance(table, Table):
            continue
        rules = table.rules[:_MOST_RULES]
        for one, other in combinations(rules, 2):
            if one.then != other.then:
                words = f"in '{table.target}', the results of {one.id} and {other.id} exchanged"
                yield Mistake(f"swap {words}", words, _swap_results(model, table, one, other))


def _swap_results(model: DomainModel, table: Table, one: Rule, other: Rule) -> DomainModel:
    given = {one.id: other.then, other.id: one.then}
    rules = tuple(replace(rule, then=given.get(rule.id, rule.then)) for rule in table.rules)
    return with_decision(model, replace(table, rules=rules))


def _derive_swapped_labels(model: DomainModel) -> Iterator[Mistake]:
    """Return the model with two labels of a field exchanged wherever it is read, or given."""
    for item in model.fields.values():
        if not isinstance(item.type, EnumType):
            continue
        codes = range(len(item.type.values))
        for one, other in combinations(codes, 2):
            if len(codes) > MOST_PAIRED and other - one != 1:
                continue
            labels = item.type.values[one], item.type.values[other]
            words = f"{labels[0]} and {labels[1]} of '{item.name}' exchanged"
            yield Mistake(f"swap {words}", words, _swap_labels(model, item, (one, other)))


def _swap_labels(model: DomainModel, item: Field, codes: tuple[int, int]) -> DomainModel:
    if item.role in STORED:
        read = Read(item.type, item.name)
        swapped = _exchange(read, codes)
        present = Presence(item.name) if item.missing else None
        known = {item.name: Replacement(swapped, present)}
        return with_expressions(model, Substitution(known, TRUE).apply_to)
    return _swap_given_labels(model, item, codes)


def _swap_given_labels(model: DomainModel, item: Field, codes: tuple[int, int]) -> DomainModel:
    """Return a model that gives one label of a field where it gave the other."""
    other = {codes[0]: codes[1], codes[1]: codes[0]}
    table = model.decisions.get(item.name)
    if isinstance(table, Table):
        rules = tuple(
            replace(rule, then=_exchange_constant(rule.then, other)) for rule in table.rules
        )
        model = with_decision(model, replace(table, rules=rules))
    steps = {
        name: replace(
            step,
            end={
                key: _swap_constant(value, other) if key == item.name else value
                for key, value in step.end.items()
            },
        )
        if step.end and item.name in step.end
        else step
        for name, step in model.steps.items()
    }
    return replace(model, steps=steps)


def _exchange_constant(value: Expression, other: Mapping[int, int]) -> Expression:
    return _swap_constant(value, other) if isinstance(value, Constant) else value


def _swap_constant(value: Constant, other: Mapping[int, int]) -> Constant:
    code = value.value
    return replace(value, value=other.get(code, code)) if isinstance(code, int) else value


def _exchange(read: Read, codes: tuple[int, int]) -> Expression:
    one, other = (Constant(read.type, code) for code in codes)
    is_other = Compare(Relation.EQ, read, other)
    inner: Choice | Expression = build_choice(is_other, one, read)
    return build_choice(Compare(Relation.EQ, read, one), other, inner)


def _derive_swapped_edges(model: DomainModel, step: Step) -> Iterator[Mistake]:
    """Return the model with the targets of two edges exchanged."""
    edges = [edge for edge in (*step.edges, *step.refusals.values()) if edge.bound is None]
    for one, other in combinations(edges, 2):
        if one.to != other.to:
            changed = with_edge(model, step.id, replace(one, to=other.to))
            changed = with_edge(changed, step.id, replace(other, to=one.to))
            words = f"at step '{step.id}', edges {one.name} and {other.name} exchanged"
            yield Mistake(f"swap {words}", words, changed)


def _derive_far_targets(model: DomainModel, step: Step) -> Iterator[Mistake]:
    """Return the model with an edge to a step to which none of its neighbours leads."""
    for edge in (*step.edges, *step.refusals.values()):
        near = {edge.to, *list_other_targets(step, edge)}
        for target in model.list_steps_in(step.part) if edge.bound is None else ():
            if target.id not in near and step.id not in {
                target.id,
                *collect_reachable(model, target),
            }:
                words = f"at step '{step.id}', edge {edge.name} to '{target.id}'"
                changed = with_edge(model, step.id, replace(edge, to=target.id))
                yield Mistake(f"far {words}", words, changed)


def _derive_other_ends(model: DomainModel, step: Step) -> Iterator[Mistake]:
    """Return the model with the outcomes of an end exchanged for those of another end."""
    for other in model.steps.values():
        if step.end and other.end and step.id < other.id and step.end != other.end:
            words = f"the outcomes of ends '{step.id}' and '{other.id}' exchanged"
            steps = {
                **model.steps,
                step.id: replace(step, end=other.end),
                other.id: replace(other, end=step.end),
            }
            yield Mistake(f"swap {words}", words, replace(model, steps=steps))
