"""Realistic rows from the model's weights and ranges, one keyed draw per field."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, assert_never

from sopforge.domain.expressions import Compare, Read, Relation
from sopforge.domain.fields import STORED, Entity, Field, Sampling
from sopforge.domain.model import DomainModel
from sopforge.domain.patterns import read_pattern
from sopforge.domain.types import (
    Atom,
    AtomType,
    BooleanType,
    DateTimeType,
    DateType,
    EnumType,
    Item,
    ListType,
    NumberType,
    SetType,
    TextType,
    Value,
)
from sopforge.seeds import below, permuted, pick

Key: TypeAlias = tuple[str | int, ...]
Row: TypeAlias = dict[str, Value | None]


def sample_row(model: DomainModel, seed: int, attempt: int) -> Row:
    """Return the row of an attempt; it depends on the model, the seed and the number alone.

    Beside the fields it says of each entity that is referred to whether the case has a record of
    it: 1, or None where the reference is missing or leads nowhere. Texts that a constraint calls
    equal are drawn as one: two of a pattern would hardly agree.
    """
    referred = {name for entity in model.references for name in entity.fields}
    own = [item for item in model.with_role(*STORED) if item.name not in referred]
    row = _sample_record(own, seed, attempt)
    numbers: dict[Entity | None, int] = {model.case: attempt}
    for entity in model.references:
        holder = numbers.get(model.owner(entity.key))
        number = None
        if holder is not None and row[entity.key] is not None:
            row[entity.key], number = _refer(model, entity, seed, holder)
        row[entity.name] = None if number is None else 1
        if number is not None:
            numbers[entity] = number
        row.update(_sample_record([model.fields[name] for name in entity.fields], seed, number))
    for source, copy in _equal_texts(model):
        row[copy] = row[source]
    return row


def _sample_record(fields: Iterable[Field], seed: int, number: int | None) -> Row:
    """Return the record of a number; nothing but missing values where there is no record."""
    return {item.name: None if number is None else _sample(item, seed, number) for item in fields}


def _refer(model: DomainModel, entity: Entity, seed: int, holder: int) -> tuple[str, int | None]:
    """Return the key and the number of the record that record ``holder`` refers to.

    A dangling reference is a key beyond those of the records there are.
    """
    kind = model.fields[entity.key].type
    pattern = read_pattern(kind.pattern if isinstance(kind, TextType) else "")
    key = (entity.key, "record", holder)
    is_dangling = below(100, seed, entity.key, "dangling", holder) < entity.dangling_share
    if is_dangling:
        number = entity.records + below(pattern.size - entity.records, seed, *key)
    else:
        number = below(entity.records, seed, *key)
    text = pattern.text(permuted(number, pattern.size, seed, entity.key))
    return text, None if is_dangling else number


def _equal_texts(model: DomainModel) -> list[tuple[str, str]]:
    """Return pairs of fields of one pattern that a constraint calls equal, a unique one first."""
    pairs = []
    keys = {entity.key for entity in model.entities.values()}
    own = set(model.case.fields) - keys
    for constraint in model.constraints:
        match constraint:
            case Compare(Relation.EQ, Read(TextType(pattern=shape), left), Read(field=right)) if (
                shape
            ):
                first, second = model.fields[left], model.fields[right]
                if second.sampling.unique:
                    first, second = second, first
                is_free = not (second.sampling.unique or first.missing or second.missing)
                if is_free and first.type == second.type and second.name in own:
                    pairs.append((first.name, second.name))
    return pairs


def _sample(item: Field, seed: int, attempt: int) -> Value | None:
    share = item.sampling.missing_share
    if share and below(100, seed, item.name, "missing", attempt) < share:
        return None
    if isinstance(item.type, ListType):
        return _sample_list(item, item.type, seed, attempt)
    if isinstance(item.type, TextType) and item.type.pattern and item.sampling.unique:
        pattern = read_pattern(item.type.pattern)
        return pattern.text(permuted(attempt % pattern.size, pattern.size, seed, item.name))
    return _sample_atom(item.type, item.sampling, seed, (item.name, attempt))


def _sample_atom(kind: AtomType, sampling: Sampling, seed: int, key: Key) -> Atom:
    match kind:
        case NumberType() | DateType() | DateTimeType():
            low, high = _range(kind, sampling, seed, key)
            return low + below(high - low + 1, seed, *key)
        case BooleanType():
            return int(below(100, seed, *key) < sampling.yes_share)
        case EnumType():
            return pick(sampling.weights or (1,) * len(kind.values), seed, *key)
        case SetType():
            return _sample_set(kind, sampling, seed, key)
        case TextType():
            return _sample_text(kind, seed, key)
        case _:
            assert_never(kind)


def _range(
    kind: NumberType | DateType | DateTimeType, sampling: Sampling, seed: int, key: Key
) -> tuple[int, int]:
    typical = sampling.typical
    if typical is None or below(100, seed, "typical", *key) >= typical.share:
        return kind.minimum, kind.maximum
    return typical.minimum, typical.maximum


def _sample_set(kind: SetType, sampling: Sampling, seed: int, key: Key) -> int:
    name, *rest = key
    chosen = [below(100, seed, name, label, *rest) < sampling.member_share for label in kind.values]
    return sum(1 << bit for bit, is_member in enumerate(chosen) if is_member)


def _sample_text(kind: TextType, seed: int, key: Key) -> str:
    if not kind.pattern:
        return kind.pool[below(len(kind.pool), seed, *key)]
    pattern = read_pattern(kind.pattern)
    return pattern.text(below(pattern.size, seed, *key))


def _sample_list(item: Field, kind: ListType, seed: int, attempt: int) -> tuple[Item, ...]:
    count = below(kind.size + 1, seed, item.name, "items", attempt)
    shapes = dict(item.sampling.items)
    return tuple(
        {
            name: _sample_atom(part, shapes[name], seed, (item.name, name, place, attempt))
            for name, part in kind.fields
        }
        for place in range(count)
    )
