"""Expressions as data: each node an object with its name and its parts."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from sopforge.domain.language.expressions import Constant, Expression, Rescale
from sopforge.domain.values.types import to_json

_LEFT_OUT = frozenset({"type"})
"""Types follow from the fields that are read."""


def describe_expression(expression: Expression) -> dict[str, Any]:
    """Return an expression as JSON: constants as calls carry them, all else node by node."""
    if isinstance(expression, Constant):
        return {"node": "Constant", "value": to_json(expression.type, expression.value)}
    if isinstance(expression, Rescale):
        # As decimals, a number with more places is the same number.
        return describe_expression(expression.operand)
    parts = {
        part.name: _describe_part(getattr(expression, part.name))
        for part in fields(expression)
        if part.name not in _LEFT_OUT
    }
    return {"node": type(expression).__name__, **parts}


def _describe_part(value: Any) -> Any:  # noqa: ANN401 - whatever nodes hold
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [_describe_part(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        return describe_expression(value)  # type: ignore[arg-type]
    return value
