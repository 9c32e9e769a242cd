"""Realistic rows from the model's weights and ranges, one keyed draw per field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, assert_never

from sopforge.domain.expressions import Compare, Read, Relation
from sopforge.domain.model import DomainModel, Field, Role, Sampling
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

SAMPLED = (Role.INPUT, Role.OBSERVED, Role.DISTRACTOR, Role.SECRET)
Key: TypeAlias = tuple[str | int, ...]


def sample_row(model: DomainModel, seed: int, attempt: int) -> Mapping[str, Value | None]:
    """Return the row of an attempt; it depends on the model, the seed and the number alone.

    Texts that a constraint calls equal are drawn as one: two of a pattern would hardly agree.
    """
    row = {item.name: _sample(item, seed, attempt) for item in model.with_role(*SAMPLED)}
    for source, copy in _equal_texts(model):
        row[copy] = row[source]
    return row


def _equal_texts(model: DomainModel) -> list[tuple[str, str]]:
    """Return pairs of fields of one pattern that a constraint calls equal, a unique one first."""
    pairs = []
    for constraint in model.constraints:
        match constraint:
            case Compare(Relation.EQ, Read(TextType(pattern=shape), left), Read(field=right)) if (
                shape
            ):
                first, second = model.fields[left], model.fields[right]
                if second.sampling.unique:
                    first, second = second, first
                is_free = not (second.sampling.unique or first.missing or second.missing)
                if is_free and first.type == second.type and second.role in SAMPLED:
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
