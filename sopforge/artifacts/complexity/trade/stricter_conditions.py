"""Conditions that fewer cases meet than another: whoever meets them meets it, by their form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from sopforge.artifacts.complexity.trade.known_values import is_certain
from sopforge.artifacts.complexity.trade.side_values import (
    build_excess,
    collect_figures,
    get_usual_range,
    round_down,
)
from sopforge.artifacts.material.earlier_values import draw_earlier_limit
from sopforge.language.domain.expressions.expressions import (
    AllOf,
    AnyOf,
    Compare,
    Constant,
    Contains,
    Element,
    Expression,
    OneOf,
    Read,
    Relation,
    collect_read_fields,
    iterate_parts,
    walk,
)
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel, collect_deciding_expressions
from sopforge.language.domain.rules import HitPolicy, Table
from sopforge.language.domain.values.types import (
    BooleanType,
    EnumType,
    NumberType,
    require_integer,
)
from sopforge.language.logic.unwrapping import flatten_group, unwrap_node
from sopforge.language.logic.variants.substitution import replace_part
from sopforge.proof.solving.questions import find_changeable_fields
from sopforge.seeds import permute_items

_STRICTER = {Relation.GT: 1, Relation.GE: 1, Relation.LT: -1, Relation.LE: -1}
"""In which direction a limit on the right of a comparison makes it stricter."""
_DRAWS = 4
"""So many earlier limits are tried for one that is stricter."""


@dataclass(frozen=True, slots=True)
class Stricter:
    """A condition that fewer cases meet, and the limits of which it has another value.

    One that ``has_further_fact`` is longer than the condition that it is made of; the fact
    ``is_apart`` where no step asks for it together with what the condition is about.
    """

    condition: Expression
    limits: tuple[str, ...] = ()
    has_further_fact: bool = False
    is_apart: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Where a condition stands: its name, what is known there, and all that is asked there."""

    name: str
    known: Sequence[Field]
    conditions: Sequence[Expression]


def iterate_stricter(
    model: DomainModel, condition: Expression, place: Place, seed: int
) -> Iterator[Stricter]:
    """Yield what fewer cases meet, of each kind in a keyed order; it reads known fields alone.

    First come stricter limits, fewer labels and what a value that is asked for was decided by, then
    facts besides the condition: those that are asked for at the same place, then those that a case
    states, and others last, for they may be at odds with it.
    """
    parts = _list_alternatives(condition)
    every = {item.name: item for item in place.known if is_certain(item)}
    stated = {name: item for name, item in every.items() if item in model.inputs}
    names = {item.name for item in place.known}
    asked = collect_deciding_expressions(model)
    narrow = partial(_list_narrowed, model, parts, _map_companions(model), seed=seed)
    kinds = (
        [other for part in parts for other in _iterate_implying(model, part, seed)],
        narrow(_list_facts_asked(place.conditions, every)),
        narrow(_list_facts_asked(asked, stated)),
        narrow(_list_facts_asked(asked, every)),
        narrow(_list_facts_stated(model, every)),
    )
    for number, found in enumerate(kinds):
        for other in permute_items(found, seed, "stricter", number, place.name):
            if collect_read_fields(other.condition) <= names and not is_empty(other.condition):
                yield other


def iterate_implying(
    model: DomainModel, condition: Expression, place: Place, seed: int
) -> Iterator[Stricter]:
    """Yield what cases meet only if they meet a condition, in a keyed order, and then itself.

    It reads known fields alone, and none besides those of the condition or of what decided them.
    """
    names = {item.name for item in place.known}
    parts = _list_alternatives(condition)
    found = [other for part in parts for other in _iterate_implying(model, part, seed)]
    for other in (*permute_items(found, seed, "implying", place.name), *map(Stricter, parts)):
        if collect_read_fields(other.condition) <= names and not is_empty(other.condition):
            yield other


def _list_alternatives(condition: Expression) -> Sequence[Expression]:
    """Return the alternatives of a condition: who meets one of them meets the whole."""
    whole = unwrap_node(condition)
    return flatten_group(whole) if isinstance(whole, AnyOf) else [whole]


def is_empty(condition: Expression) -> bool:
    """Return whether a condition asks for a value from one limit up to a lesser one.

    Nobody would have written a period that ends before it begins.
    """
    for part in iterate_parts(condition):
        if isinstance(part, AllOf):
            lowest, highest = _collect_limits(part)
            if any(highest.get(subject, limit) < limit for subject, limit in lowest.items()):
                return True
    return False


def _collect_limits(
    group: AllOf,
) -> tuple[dict[Expression, int], dict[Expression, int]]:
    """Return the greatest value that is a lower limit of each subject, and the least upper one."""
    lowest: dict[Expression, int] = {}
    highest: dict[Expression, int] = {}
    for part in flatten_group(group):
        test = unwrap_node(part)
        if not isinstance(test, Compare) or not isinstance(test.right, Constant):
            continue
        subject, limit = unwrap_node(test.left), test.right.value
        if not isinstance(limit, int):
            continue
        if test.relation in {Relation.GT, Relation.GE}:
            lowest[subject] = max(limit, lowest.get(subject, limit))
        elif test.relation in {Relation.LT, Relation.LE}:
            highest[subject] = min(limit, highest.get(subject, limit))
    return lowest, highest


def _iterate_implying(model: DomainModel, condition: Expression, seed: int) -> Iterator[Stricter]:
    """Yield a condition with a stricter limit, with fewer labels, or with what decided a value."""
    yield from _iterate_stricter_limits(model, condition, seed)
    yield from _iterate_fewer_labels(condition)
    for part in _list_operands(condition):
        for source in _list_sources(model, part):
            earlier = replace_part(condition, part, source)
            yield Stricter(earlier)
            yield from _iterate_stricter_limits(model, earlier, seed)


def _iterate_fewer_labels(condition: Expression) -> Iterator[Stricter]:
    """Yield a condition that asks for one of several labels, or for all of them but one."""
    for part in _list_operands(condition):
        if isinstance(part, OneOf) and all(isinstance(item, Constant) for item in part.options):
            for place, label in enumerate(part.options):
                others = (*part.options[:place], *part.options[place + 1 :])
                one: Expression = Compare(Relation.EQ, part.operand, label)
                yield Stricter(replace_part(condition, part, one))
                if len(others) > 1:
                    fewer = replace(part, options=others)
                    yield Stricter(replace_part(condition, part, fewer))


def _list_sources(model: DomainModel, test: Expression) -> list[Expression]:
    """Return the conditions of rules that give what a test asks of a label that was decided.

    They are those before the first rule that gives another label. What an action changes may be
    another thing than what was decided by it.
    """
    name, labels = _find_asked_labels(test)
    # What has a word for no value may have none although a rule of its table applies.
    is_unsure = name in find_changeable_fields(model) or bool(name and model.fields[name].missing)
    table = None if is_unsure else model.decisions.get(name)
    if not isinstance(table, Table) or table.hit is not HitPolicy.FIRST:
        return []
    found: list[Expression] = []
    for rule in table.rules:
        if not isinstance(rule.then, Constant) or rule.then.value not in labels or not rule.when:
            break
        found += _list_alternatives(rule.when)
    return found


def _find_asked_labels(test: Expression) -> tuple[str, frozenset[object]]:
    """Return of which field a test asks for which labels; of none where it asks something else."""
    match test:
        case Compare(left=Read() as read, right=Constant() as label, relation=relation):
            kind, asked = read.type, frozenset({label.value})
            every = range(len(kind.values)) if isinstance(kind, EnumType) else ()
            others = frozenset(every) - asked if relation is Relation.NE else frozenset()
            return read.field, asked if relation is Relation.EQ else others
        case OneOf(operand=Read() as read):
            return read.field, frozenset(label.value for label in test.options)
        case _:
            return "", frozenset()


def _map_companions(model: DomainModel) -> dict[str, frozenset[str]]:
    """Return, by fields that conditions read, the fields that conditions of one step read too."""
    found: dict[str, frozenset[str]] = {}
    for step in model.steps.values():
        conditions = [
            rule.when
            for target in step.decide
            if isinstance(table := model.decisions[target], Table)
            for rule in table.rules
        ]
        conditions += [edge.when for edge in step.edges]
        read = frozenset().union(*(collect_read_fields(item) for item in conditions if item))
        found |= {name: found.get(name, frozenset()) | read for name in read}
    return found


def _list_narrowed(
    model: DomainModel,
    parts: Sequence[Expression],
    companions: Mapping[str, frozenset[str]],
    facts: Sequence[Expression],
    *,
    seed: int,
) -> list[Stricter]:
    """Return conditions that ask a fact besides, with the same limits or stricter ones."""
    found: list[Stricter] = []
    for part in parts:
        asked = collect_read_fields(part)
        known = [companions.get(name, frozenset()) for name in asked]
        beside = frozenset.intersection(*known) - asked if known else frozenset()
        bases = [Stricter(part), *_iterate_stricter_limits(model, part, seed)]
        for fact in facts:
            read = collect_read_fields(fact)
            if asked.isdisjoint(read):
                found += [
                    replace(
                        base,
                        condition=AllOf((*_list_operands(base.condition), fact)),
                        has_further_fact=True,
                        is_apart=not read <= beside,
                    )
                    for base in bases
                ]
    return found


def _list_operands(condition: Expression) -> Sequence[Expression]:
    return flatten_group(condition) if isinstance(condition, AllOf) else [condition]


def _iterate_stricter_limits(
    model: DomainModel, condition: Expression, seed: int
) -> Iterator[Stricter]:
    for part in _list_operands(condition):
        if isinstance(part, Compare) and part.relation in _STRICTER:
            other = _draw_stricter_limit(model, part, seed)
            if other is not None:
                stricter = replace_part(condition, part, replace(part, right=other))
                yield Stricter(stricter, (other.name,))


def _draw_stricter_limit(model: DomainModel, test: Compare, seed: int) -> Constant | None:
    limit = test.right
    if not isinstance(limit, Constant):
        return None
    for turn in range(_DRAWS):
        other = draw_earlier_limit(model, limit, seed + turn)
        more = 0 if other is None else require_integer(other.value) - require_integer(limit.value)
        if other is not None and more * _STRICTER[test.relation] > 0:
            return other
    return None


def _list_facts_asked(
    conditions: Sequence[Expression], known: Mapping[str, Field]
) -> list[Expression]:
    """Return what conditions ask of known fields alone."""
    return [
        part
        for part in iterate_parts(*conditions)
        if isinstance(part, Compare | OneOf | Contains)
        and (read := collect_read_fields(part))
        and read <= known.keys()
        # What is asked of the entries of a list is asked of nothing outside of it.
        and not any(isinstance(node, Element) for node in walk(part))
    ]


def _list_facts_stated(model: DomainModel, known: Mapping[str, Field]) -> list[Expression]:
    """Return what known fields could be: yes, one of their labels, above a usual amount."""
    return [fact for item in known.values() for fact in _iterate_facts(model, item)]


def _iterate_facts(model: DomainModel, item: Field) -> Iterator[Expression]:
    kind = item.type
    read = Read(kind, item.name)
    match kind:
        case BooleanType():
            yield read
        case EnumType():
            labels = (Constant(kind, kind.encode(label)) for label in kind.values)
            yield from (Compare(Relation.EQ, read, label) for label in labels)
        case NumberType():
            low, high = get_usual_range(item, kind)
            amount = round_down((low + high) // 2)
            if low < amount and amount not in collect_figures(model):
                yield build_excess(item, kind, amount)
        case _:
            return
