"""Expressions with some of their fields replaced by other expressions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TypeVar

from sopforge.domain.language.expressions import (
    Aggregate,
    Constant,
    Element,
    Expression,
    Presence,
    Read,
    in_order,
)
from sopforge.domain.language.numbers import rescaled
from sopforge.domain.values.types import NumberType

Node = TypeVar("Node")


@dataclass(frozen=True, slots=True)
class Replacement:
    """What stands for a field: its value, and the condition under which it has one."""

    value: Expression
    present: Expression | None = None


@dataclass(slots=True)
class Substitution:
    """Replaces fields; a part that is shared in the expression stays shared in the result.

    What stands for a list is another list of the same items. What stands for a named constant is
    brought to the places that the constant has where it is used.
    """

    known: Mapping[str, Replacement]
    always: Expression
    constants: Mapping[str, Expression] = field(default_factory=dict)
    done: dict[int, tuple[Expression, Expression]] = field(default_factory=dict)

    def of(self, node: Expression) -> Expression:
        """Return the expression with its fields replaced, however deep its parts lie."""
        if id(node) not in self.done:
            for part in in_order([node], self.done):
                if id(part) not in self.done:
                    self.done[id(part)] = (part, self._replaced(part))
        return self.done[id(node)][1]

    def _replaced(self, node: Expression) -> Expression:
        if isinstance(node, Read) and node.field in self.known:
            return self.known[node.field].value
        if isinstance(node, Presence) and node.field in self.known:
            return self.known[node.field].present or self.always
        if isinstance(node, Constant) and node.name in self.constants:
            return self._constant(node)
        changes = {
            part.name: changed
            for part in fields(node)
            if (changed := self._part(getattr(node, part.name))) is not getattr(node, part.name)
        }
        if isinstance(node, Aggregate | Element) and node.list in self.known:
            changes["list"] = self._list(node.list)
        return replace(node, **changes) if changes else node

    def _constant(self, node: Constant) -> Expression:
        other = self.constants[node.name]
        return rescaled(other, node.type.places) if isinstance(node.type, NumberType) else other

    def _list(self, name: str) -> str:
        other = self.known[name].value
        return other.field if isinstance(other, Read) else name

    def _part(self, part: Node) -> Node:
        if isinstance(part, Expression):
            return self.of(part)  # type: ignore[return-value]  # an expression for an expression
        if isinstance(part, tuple) and any(isinstance(item, Expression) for item in part):
            changed = tuple(self.of(item) for item in part)
            return part if all(map(_is, changed, part)) else changed  # type: ignore[return-value]
        return part


def replaced(expression: Expression, part: Expression, other: Expression) -> Expression:
    """Return the expression with another one in the place of a part of it."""
    substitution = Substitution({}, expression)
    substitution.done[id(part)] = (part, other)
    return substitution.of(expression)


def _is(left: object, right: object) -> bool:
    return left is right
