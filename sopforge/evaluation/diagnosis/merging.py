"""Several mistakes in one model: what each changed is changed, as long as no two meet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import reduce
from typing import Any

from sopforge.language.domain.model import DomainModel


class MergeConflictError(ValueError):
    """Two models changed the same thing differently."""


def merge_models(model: DomainModel, others: Sequence[DomainModel]) -> DomainModel:
    """Return a model with the changes of all others to it.

    Raises:
        MergeConflictError: two of them changed the same thing differently.
    """
    merged: DomainModel = reduce(lambda so_far, other: _merge(model, so_far, other), others, model)
    return merged


def _merge(base: Any, one: Any, other: Any) -> Any:  # noqa: ANN401 - parts of models
    """Return a part of a model with the changes of both."""
    if one in (base, other):
        return other
    if other == base:
        return one
    if type(one) is type(base) is type(other):
        if is_dataclass(base) and not isinstance(base, type):
            names = [item.name for item in fields(base) if item.init]
            merged = {
                name: _merge(getattr(base, name), getattr(one, name), getattr(other, name))
                for name in names
            }
            return replace(base, **merged)
        if isinstance(base, tuple):
            return _merge_tuples(base, one, other)
    if isinstance(base, Mapping) and base.keys() == one.keys() == other.keys():
        return {name: _merge(base[name], one[name], other[name]) for name in base}
    raise MergeConflictError("two mistakes meet in one place")


def _merge_tuples(
    base: tuple[Any, ...], one: tuple[Any, ...], other: tuple[Any, ...]
) -> tuple[Any, ...]:
    """Return a sequence with the changes of both: of rules by their ids, else by their places."""
    named = [[getattr(item, "id", None) for item in items] for items in (base, one, other)]
    if all(isinstance(name, str) for name in named[0]):
        return _merge_named(
            *(
                dict(zip(ids, items, strict=True))
                for ids, items in zip(named, (base, one, other), strict=True)
            )
        )
    if len(base) == len(one) == len(other):
        return tuple(map(_merge, base, one, other))
    raise MergeConflictError("two mistakes meet in one sequence")


def _merge_named(
    base: Mapping[Any, Any], one: Mapping[Any, Any], other: Mapping[Any, Any]
) -> tuple[Any, ...]:
    """Return rules as both have them, in the order of the one that changed it."""
    orders = [
        [name for name in items if name in one and name in other] for items in (base, one, other)
    ]
    if {*one} - {*base} or {*other} - {*base}:
        raise MergeConflictError("a mistake adds a rule")
    if orders[1] != orders[0] != orders[2] and orders[1] != orders[2]:
        raise MergeConflictError("two mistakes put the same rules in another order")
    order = orders[2] if orders[1] == orders[0] else orders[1]
    gone = [name for name in base if name not in order]
    changed = [
        name
        for name in gone
        for items in (one, other)
        if name in items and items[name] != base[name]
    ]
    if changed:
        raise MergeConflictError("one mistake drops the rule that another one changes")
    return tuple(_merge(base[name], one[name], other[name]) for name in order)
