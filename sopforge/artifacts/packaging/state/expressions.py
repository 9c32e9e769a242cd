"""Expressions as data: each node an object with its name and its parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, TypeAlias

from sopforge.language.domain.expressions.expressions import (
    Constant,
    Expression,
    Presence,
    Read,
    Rescale,
)

Place: TypeAlias = Mapping[str, str]
Locator: TypeAlias = Callable[[str], Place]
"""Says where a value is that an expression reads: a parameter, a column of a record, a fact."""


def describe_expression(expression: Expression, locate: Locator) -> dict[str, Any]:
    """Return an expression as JSON: constants as calls carry them, all else node by node.

    Types are left out: they follow from what is read.
    """
    match expression:
        case Constant():
            return {"node": "Constant", "value": expression.type.to_json(expression.value)}
        case Rescale():
            # As decimals, a number with more places is the same number.
            return describe_expression(expression.operand, locate)
        case Read() | Presence():
            return {"node": type(expression).__name__, **locate(expression.field)}
        case _:
            return _describe_node(expression, locate)


def _describe_node(expression: Expression, locate: Locator) -> dict[str, Any]:
    parts = [part.name for part in fields(expression) if part.name != "type"]
    described = {name: _describe_part(getattr(expression, name), locate) for name in parts}
    return {"node": type(expression).__name__, **described}


def _describe_part(value: Any, locate: Locator) -> Any:  # noqa: ANN401 - whatever nodes hold
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [_describe_part(item, locate) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        return describe_expression(value, locate)  # type: ignore[arg-type]
    return value
