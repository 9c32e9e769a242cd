"""Realistic rows from the model's weights and ranges, one keyed draw per field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from sopforge.domain.model import DomainModel, Field, Role
from sopforge.domain.patterns import read_pattern
from sopforge.domain.types import (
    BooleanType,
    DateType,
    EnumType,
    NumberType,
    SetType,
    TextType,
    Value,
)
from sopforge.seeds import below, permuted, pick

SAMPLED = (Role.INPUT, Role.OBSERVED, Role.DISTRACTOR)


def sample_row(model: DomainModel, seed: int, attempt: int) -> Mapping[str, Value | None]:
    """Return the row of an attempt; it depends on the fields, the seed and the number alone."""
    return {item.name: _sample(item, seed, attempt) for item in model.with_role(*SAMPLED)}


def _sample(item: Field, seed: int, attempt: int) -> Value | None:
    share = item.sampling.missing_share
    if share and below(100, seed, item.name, "missing", attempt) < share:
        return None
    key = (item.name, attempt)
    match item.type:
        case NumberType() | DateType():
            return item.type.minimum + below(item.type.maximum - item.type.minimum + 1, seed, *key)
        case BooleanType():
            return int(below(100, seed, *key) < item.sampling.yes_share)
        case EnumType():
            return pick(item.sampling.weights or (1,) * len(item.type.values), seed, *key)
        case SetType():
            return _sample_set(item, item.type, seed, attempt)
        case TextType():
            return _sample_text(item, item.type, seed, attempt)
        case _:
            assert_never(item.type)


def _sample_set(item: Field, kind: SetType, seed: int, attempt: int) -> int:
    chosen = [
        below(100, seed, item.name, label, attempt) < item.sampling.member_share
        for label in kind.values
    ]
    return sum(1 << bit for bit, is_member in enumerate(chosen) if is_member)


def _sample_text(item: Field, kind: TextType, seed: int, attempt: int) -> str:
    if not kind.pattern:
        return kind.pool[below(len(kind.pool), seed, item.name, attempt)]
    pattern = read_pattern(kind.pattern)
    if item.sampling.unique:
        return pattern.text(permuted(attempt % pattern.size, pattern.size, seed, item.name))
    return pattern.text(below(pattern.size, seed, item.name, attempt))
