"""Conditions that fewer cases meet than another: whoever meets them meets it, by their form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from sopforge.artifacts.complexity.rules.earlier_values import draw_earlier_limit
from sopforge.artifacts.complexity.rules.known_values import is_certain
from sopforge.language.domain.expressions.expressions import (
    AllOf,
    AnyOf,
    Compare,
    Constant,
    Contains,
    Element,
    Expression,
    OneOf,
    Relation,
    collect_read_fields,
    iterate_parts,
    walk,
)
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel, collect_deciding_expressions
from sopforge.language.domain.values.types import (
    require_integer,
)
from sopforge.language.logic.unwrapping import flatten_group, unwrap_node
from sopforge.language.logic.variants.substitution import replace_part
from sopforge.seeds import permute_items

_STRICTER = {Relation.GT: 1, Relation.GE: 1, Relation.LT: -1, Relation.LE: -1}
"""In which direction a limit on the right of a comparison makes it stricter."""
_DRAWS = 4
"""So many earlier limits are tried for one that is stricter."""


@dataclass(frozen=True, slots=True)
class Stricter:
    """A condition that fewer cases meet, and the limits of which it has another value.

    One that ``has_further_fact`` is longer than the condition that it is made of.
    """

    condition: Expression
    limits: tuple[str, ...] = ()
    has_further_fact: bool = False


@dataclass(frozen=True, slots=True)
class RulePlace:
    """Where a condition stands: its name, what is known there, and all that is asked there."""

    name: str
    known: Sequence[Field]
    conditions: Sequence[Expression]


def iterate_stricter(
    model: DomainModel, condition: Expression, place: RulePlace, seed: int
) -> Iterator[Stricter]:
    """Yield what fewer cases meet, of each kind in a keyed order; it reads known fields alone.

    First come stricter limits and fewer labels, then facts besides the condition: those that are
    asked for at the same place, then those that a case states, and others last, for they may be at
    odds with it.
    """
    parts = _list_alternatives(condition)
    every = {item.name: item for item in place.known if is_certain(item)}
    stated = {name: item for name, item in every.items() if item in model.inputs}
    names = {item.name for item in place.known}
    asked = collect_deciding_expressions(model)
    narrow = partial(_list_narrowed, model, parts, seed)
    kinds = (
        [other for part in parts for other in _iterate_implying(model, part, seed)],
        narrow(_list_facts_asked(place.conditions, every)),
        narrow(_list_facts_asked(asked, stated)),
        narrow(_list_facts_asked(asked, every)),
    )
    for number, found in enumerate(kinds):
        for other in permute_items(found, seed, "stricter", number, place.name):
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
    """Yield a condition with a stricter limit, or with fewer labels."""
    yield from _iterate_stricter_limits(model, condition, seed)
    yield from _iterate_fewer_labels(condition)


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


def _list_narrowed(
    model: DomainModel, parts: Sequence[Expression], seed: int, facts: Sequence[Expression]
) -> list[Stricter]:
    """Return conditions that ask a fact besides, with the same limits or stricter ones."""
    return [
        replace(
            base,
            condition=AllOf((*_list_operands(base.condition), fact)),
            has_further_fact=True,
        )
        for part in parts
        for fact in facts
        if collect_read_fields(part).isdisjoint(collect_read_fields(fact))
        for base in (Stricter(part), *_iterate_stricter_limits(model, part, seed))
    ]


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
