"""References to one table: when two of them lead to the same record, and what follows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from sopforge.language.domain.expressions.expressions import (
    AllOf,
    AnyOf,
    Compare,
    Expression,
    Not,
    Presence,
    Read,
    Relation,
)
from sopforge.language.domain.fields import Entity, Field
from sopforge.language.domain.values.types import BooleanType

_RECORD = "_record"


def name_record(reference: str) -> str:
    """Return the name of the entity that a reference to a table leads to."""
    return f"{reference}{_RECORD}"


def find_reference(entity: str, fields: Mapping[str, Field]) -> Field | None:
    """Return the reference that leads to an entity of a name, None where it is no table's."""
    item = fields.get(entity.removesuffix(_RECORD)) if entity.endswith(_RECORD) else None
    return item if any(other.table for other in fields.values()) else None


def build_ties(entities: Iterable[Entity], fields: Mapping[str, Field]) -> tuple[Expression, ...]:
    """Return what holds of every row: references that are equal lead to one record."""
    placed = [entity for entity in entities if entity.table]
    return tuple(
        _build_tie(one, other, fields)
        for one, other in combinations(placed, 2)
        if one.table == other.table
    )


def build_sameness(one: Entity, other: Entity, fields: Mapping[str, Field]) -> Expression:
    """Return the condition that two references are there and equal."""
    keys = [fields[one.key], fields[other.key]]
    there = [Presence(item.name) for item in keys if item.missing]
    left, right = (Read(item.type, item.name) for item in keys)
    equal = Compare(Relation.EQ, left, right)
    return AllOf((*there, equal)) if there else equal


def _build_tie(one: Entity, other: Entity, fields: Mapping[str, Field]) -> Expression:
    first = {fields[name].column: fields[name] for name in one.fields}
    second = {fields[name].column: fields[name] for name in other.fields}
    found = build_agreement(Presence(one.name), Presence(other.name))
    equal = [
        part
        for column in first
        if column in second
        for part in _equate_fields(first[column], second[column])
    ]
    nowhere = Not(Presence(one.name))
    agree = AnyOf((nowhere, AllOf(tuple(equal)))) if equal else None
    held = AllOf((found, agree)) if agree else found
    return AnyOf((Not(build_sameness(one, other, fields)), held))


def _equate_fields(first: Field, second: Field) -> Iterator[Expression]:
    one, other = Read(first.type, first.name), Read(second.type, second.name)
    # A yes/no value may be a condition to the solver, which is no integer and cannot be compared.
    is_yes = isinstance(first.type, BooleanType)
    equal = build_agreement(one, other) if is_yes else Compare(Relation.EQ, one, other)
    if not first.missing:
        yield equal
        return
    yield build_agreement(Presence(first.name), Presence(second.name))
    yield AnyOf((Not(Presence(first.name)), equal))


def iterate_below(entities: Iterable[Entity], entity: Entity) -> Iterator[str]:
    """Yield what follows from a reference: the record that it leads to, and those beyond."""
    entities = tuple(entities)
    yield entity.name
    yield from entity.fields
    for other in entities:
        if other.key in entity.fields:
            yield from iterate_below(entities, other)


def build_agreement(one: Expression, other: Expression) -> Expression:
    """Return that two conditions hold together, or neither does."""
    return AnyOf((AllOf((one, other)), AllOf((Not(one), Not(other)))))
