"""Expressions with some of their fields replaced by other expressions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TypeVar

from sopforge.domain.language.expressions import (
    Aggregate,
    AggregateFunction,
    Choice,
    Constant,
    Element,
    Expression,
    Presence,
    Read,
    list_ordered_parts,
)
from sopforge.domain.language.numbers import rescale_number
from sopforge.domain.values.types import NumberType

Node = TypeVar("Node")


@dataclass(frozen=True, slots=True)
class Replacement:
    """What stands for a field: its value, and the condition under which it has one.

    ``known`` is the condition under which the case has come to know it, None where it always has.
    Elsewhere nothing stands for it: 0, the empty text, no items.
    """

    value: Expression
    present: Expression | None = None
    known: Expression | None = None


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

    def apply_to(self, node: Expression) -> Expression:
        """Return the expression with its fields replaced, however deep its parts lie."""
        if id(node) not in self.done:
            for part in list_ordered_parts([node], self.done):
                if id(part) not in self.done:
                    self.done[id(part)] = (part, self._replace_node(part))
        return self.done[id(node)][1]

    def _replace_node(self, node: Expression) -> Expression:
        if isinstance(node, Read) and node.field in self.known:
            return self.known[node.field].value
        if isinstance(node, Presence) and node.field in self.known:
            return self.known[node.field].present or self.always
        if isinstance(node, Constant) and node.name in self.constants:
            return self._replace_constant(node)
        changes = {
            part.name: changed
            for part in fields(node)
            if (changed := self._replace_part(getattr(node, part.name)))
            is not getattr(node, part.name)
        }
        if isinstance(node, Aggregate | Element) and node.list in self.known:
            changes["list"] = self._rename_list(node.list)
        found = replace(node, **changes) if changes else node
        return self._leave_out_items(found) if isinstance(found, Aggregate) else found

    def _leave_out_items(self, node: Aggregate) -> Expression:
        """Return an aggregate as of no items where the case does not know the list."""
        # Only what stands for another list has another name, and that is known.
        known = self.known[node.list].known if node.list in self.known else None
        if known is None:
            return node
        # Of no item, as an aggregate without a default gives it.
        none: Expression = node.default or Constant(
            node.type, int(node.function is AggregateFunction.ALL)
        )
        return Choice(node.type, known, node, none)

    def _replace_constant(self, node: Constant) -> Expression:
        other = self.constants[node.name]
        return (
            rescale_number(other, node.type.places) if isinstance(node.type, NumberType) else other
        )

    def _rename_list(self, name: str) -> str:
        other = self.known[name].value
        return other.field if isinstance(other, Read) else name

    def _replace_part(self, part: Node) -> Node:
        if isinstance(part, Expression):
            return self.apply_to(part)  # type: ignore[return-value]  # an expression for an expression
        if isinstance(part, tuple) and any(isinstance(item, Expression) for item in part):
            changed = tuple(self.apply_to(item) for item in part)
            return part if all(map(_is, changed, part)) else changed  # type: ignore[return-value]
        return part


def replace_part(expression: Expression, part: Expression, other: Expression) -> Expression:
    """Return the expression with another one in the place of a part of it."""
    substitution = Substitution({}, expression)
    # Noted as replaced already. By identity: an equal part elsewhere stays as it is.
    substitution.done[id(part)] = (part, other)
    return substitution.apply_to(expression)


def _is(left: object, right: object) -> bool:
    return left is right
