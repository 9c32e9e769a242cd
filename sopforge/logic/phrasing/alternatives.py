"""Alternatives of an entry said one by one: "there is a cut in the bead; there is a long cut"."""

from __future__ import annotations

from dataclasses import replace

from sopforge.domain.language.expressions import (
    Aggregate,
    AggregateFunction,
    AllOf,
    AnyOf,
    Expression,
)
from sopforge.logic.phrasing.idioms import flatten_group, unwrap_node


def split_entries(condition: Expression) -> Expression:
    """Return an equal condition that asks for entries by one alternative each.

    Only where an alternative asks for several things: other words say the rest as well.
    """
    inner = unwrap_node(condition)
    if isinstance(inner, AnyOf):
        parts = [split_entries(part) for part in inner.operands]
        is_same = all(new is old for new, old in zip(parts, inner.operands, strict=True))
        return condition if is_same else AnyOf(tuple(flatten_group(AnyOf(tuple(parts)))))
    if not isinstance(inner, Aggregate) or inner.function is not AggregateFunction.ANY:
        return condition
    value = unwrap_node(inner.value) if inner.value is not None else None
    if inner.where is not None or not isinstance(value, AnyOf):
        return condition
    alternatives = flatten_group(value)
    if not any(isinstance(unwrap_node(part), AllOf) for part in alternatives):
        return condition
    return AnyOf(tuple(replace(inner, value=part) for part in alternatives))
