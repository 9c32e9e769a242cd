"""Expressions put together anew from changed parts; a part that is shared is changed once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields as parts_of
from dataclasses import replace
from functools import partial
from operator import is_
from typing import TypeAlias, TypeVar

from sopforge.domain.language.expressions import Expression

Known: TypeAlias = Mapping[int, tuple[Expression, Expression]]
"""By the identity of a part: the part itself, which keeps it alive, and what stands for it."""
Part = TypeVar("Part")


def rebuild_node(node: Expression, done: Known) -> Expression:
    """Return a node with what stands for each of its parts; the same node where nothing changes."""
    changes = {
        part.name: changed
        for part in parts_of(node)
        if (changed := _replace_part(getattr(node, part.name), done))
        is not getattr(node, part.name)
    }
    return replace(node, **changes) if changes else node


def _replace_part(part: Part, done: Known) -> Part:
    if isinstance(part, Expression):
        _, changed = done.get(id(part), (part, part))
        return changed  # type: ignore[return-value]  # an expression for an expression
    if isinstance(part, tuple) and any(isinstance(item, Expression) for item in part):
        items = tuple(map(partial(_replace_part, done=done), part))
        return part if all(map(is_, items, part)) else items  # type: ignore[return-value]
    return part
