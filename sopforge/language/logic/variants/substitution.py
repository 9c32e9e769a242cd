"""Expressions with some of their fields replaced by other expressions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TypeVar

from sopforge.language.domain.expressions import expressions as nodes
from sopforge.language.domain.expressions.expressions import (
    AggregateFunction,
    Expression,
    Relation,
    iterate_parts,
    list_item_values,
    list_ordered_parts,
)
from sopforge.language.domain.expressions.numbers import (
    make_number_constant,
    require_number_type,
    rescale_number,
)
from sopforge.language.domain.values.types import (
    BOOLEAN,
    ListType,
    NumberType,
)

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

    What stands for a list is another list of the same items, or what makes one. What stands for a
    named constant is brought to the places that the constant has where it is used.
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
        if isinstance(node, nodes.Read) and node.field in self.known:
            return self.known[node.field].value
        if isinstance(node, nodes.Presence) and node.field in self.known:
            return self.known[node.field].present or self.always
        if isinstance(node, nodes.Constant) and node.name in self.constants:
            return self._replace_constant(node)
        changes = {
            part.name: changed
            for part in fields(node)
            if (changed := self._replace_part(getattr(node, part.name)))
            is not getattr(node, part.name)
        }
        changed = replace(node, **changes) if changes else node
        if not isinstance(changed, nodes.Aggregate | nodes.Selection | nodes.Element):
            return changed
        return self._replace_list(changed) if changed.list in self.known else changed

    def _replace_list(self, node: nodes.Aggregate | nodes.Selection | nodes.Element) -> Expression:
        """Return what is said of a list, said of what stands for it."""
        stands = self.known[node.list]
        found: Expression = node
        if isinstance(stands.value, nodes.Read):
            found = replace(node, list=stands.value.field)
        # An element is about the items of the list that it stands in, and is replaced with that.
        # Whoever replaces the presence of a list alone has no list for it.
        elif not isinstance(node, nodes.Element) and isinstance(stands.value.type, ListType):
            found = take_items_of(node, stands.value)
        return self._leave_out_items(found, node, stands)

    def _leave_out_items(
        self,
        found: Expression,
        node: nodes.Aggregate | nodes.Selection | nodes.Element,
        stands: Replacement,
    ) -> Expression:
        """Return an aggregate as of no items where the case does not know the list."""
        # Only what stands for another list has another name, and that is known.
        is_other = isinstance(stands.value, nodes.Read) and stands.value.field != node.list
        if stands.known is None or is_other or not isinstance(node, nodes.Aggregate):
            return found
        # Of no item, as an aggregate without a default gives it.
        none: Expression = node.default or nodes.Constant(
            node.type, int(node.function is AggregateFunction.ALL)
        )
        return nodes.Choice(node.type, stands.known, found, none)

    def _replace_constant(self, node: nodes.Constant) -> Expression:
        other = self.constants[node.name]
        return (
            rescale_number(other, node.type.places) if isinstance(node.type, NumberType) else other
        )

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


def take_items_of(node: nodes.Aggregate | nodes.Selection, items: Expression) -> Expression:
    """Return an aggregate or a selection of what makes the list that it reads.

    >>> from sopforge.language.domain.values.types import ListType, NumberType
    >>> cost, kind = NumberType(0, 9), ListType((("cost", NumberType(0, 9)),), 3, "none")
    >>> made = nodes.Selection(kind, "damages", 3, None, (nodes.Element(cost, "damages", "price"),))
    >>> asked = nodes.Element(cost, "bill", "cost")
    >>> added = NumberType(0, 27), AggregateFunction.SUM
    >>> changed = take_items_of(nodes.Aggregate(*added, "bill", 3, None, asked, None), made)
    >>> changed.list, changed.value.field
    ('damages', 'price')
    """
    match items:
        case nodes.Choice():
            then, otherwise = (take_items_of(node, side) for side in (items.then, items.otherwise))
            return nodes.Choice(node.type, items.condition, then, otherwise)
        case nodes.Selection():
            return _take_selected_items(node, items)
        case nodes.Constant(value=()):
            return _take_no_items(node)
        case _:
            raise TypeError(f"{items!r} makes no list of items")


def _take_selected_items(
    node: nodes.Aggregate | nodes.Selection, made: nodes.Selection
) -> Expression:
    names = [name for name, _ in made.type.fields]
    stands_for = dict(zip(names, made.parts, strict=True))
    inner = [*([node.where] if node.where is not None else []), *list_item_values(node)]
    # What was substituted in a filter may itself be about the items of another list.
    elements = [
        part
        for part in iterate_parts(*inner)
        if isinstance(part, nodes.Element) and part.list == node.list
    ]
    substitution = Substitution({}, nodes.Constant(BOOLEAN, 1))
    substitution.done |= {id(part): (part, stands_for[part.field]) for part in elements}
    values = [substitution.apply_to(value) for value in list_item_values(node)]
    met = None if node.where is None else substitution.apply_to(node.where)
    kept = [part for part in (made.where, met) if part is not None]
    where = None if not kept else kept[0] if len(kept) == 1 else nodes.AllOf(tuple(kept))
    if isinstance(node, nodes.Selection):
        return nodes.Selection(node.type, made.list, made.size, where, tuple(values))
    value = values[0] if values else None
    return replace(node, list=made.list, size=made.size, where=where, value=value)


def _take_no_items(node: nodes.Aggregate | nodes.Selection) -> Expression:
    """Return what an aggregate or a selection of no items is."""
    if isinstance(node, nodes.Selection):
        return nodes.Constant(node.type, ())
    match node.function:
        case AggregateFunction.ANY | AggregateFunction.ALL:
            truth = int(node.function is AggregateFunction.ALL)
            return nodes.Compare(Relation.EQ, make_number_constant(truth), make_number_constant(1))
        case _ if node.default is not None:
            return node.default
        case _:
            return make_number_constant(0, require_number_type(node).places)


def _is(left: object, right: object) -> bool:
    return left is right
