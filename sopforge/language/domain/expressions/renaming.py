"""Expressions about other fields of the same types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TypeVar

from sopforge.language.domain.expressions.expressions import (
    Aggregate,
    Element,
    Expression,
    Presence,
    Read,
)

Part = TypeVar("Part")


def rename_fields(expression: Expression, names: Mapping[str, str]) -> Expression:
    """Return the expression with other names of its fields; their types are the same."""
    if isinstance(expression, Read | Presence):
        return replace(expression, field=names.get(expression.field, expression.field))
    parts = {part.name: getattr(expression, part.name) for part in fields(expression)}
    changes = {name: _rename_part(part, names) for name, part in parts.items()}
    if isinstance(expression, Aggregate | Element):
        changes["list"] = names.get(expression.list, expression.list)
    return replace(expression, **changes)


def _rename_part(part: Part, names: Mapping[str, str]) -> Part:
    if isinstance(part, Expression):
        return rename_fields(part, names)  # type: ignore[return-value]  # an expression for an expression
    if isinstance(part, tuple) and any(isinstance(item, Expression) for item in part):
        return tuple(rename_fields(item, names) for item in part)  # type: ignore[return-value]
    return part
