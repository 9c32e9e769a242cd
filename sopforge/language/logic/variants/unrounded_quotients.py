"""A model in which one quotient is not rounded: it, and what follows from it, keeps more places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sopforge.language.domain.expressions import expressions as nodes
from sopforge.language.domain.expressions import numbers
from sopforge.language.domain.expressions.expressions import (
    AggregateFunction,
    Expression,
    list_children,
)
from sopforge.language.domain.expressions.numbers import TypeRuleError, require_number_type
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import NumberType
from sopforge.language.logic.tables import build_choice, build_decision_value
from sopforge.language.logic.variants.changed_models import with_expressions
from sopforge.language.logic.variants.slots import Slot

FURTHER_PLACES = 3


def unround_quotient(slot: Slot, node: nodes.Quotient) -> DomainModel:
    """Return the model with a quotient of a slot kept to more places, wherever it is read.

    Raises:
        TypeRuleError: a number would pass 2^62 or have too many places, or cannot be kept so.
    """
    places = node.type.places + FURTHER_PLACES
    finer = numbers.build_quotient(node.left, node.right, places, node.rounding)
    rebuilt = _Rebuilding({}, {id(node): finer}).rebuild(slot.expression)
    return _with_finer_fields(slot.put(rebuilt))


def _with_finer_fields(model: DomainModel) -> DomainModel:
    """Return a model in which each field has the places of what is decided on it."""
    # Until nothing changes: a field of more places makes those finer that are worked out from it.
    while finer := _find_finer_fields(model):
        fields = {
            name: replace(item, type=finer[name]) if name in finer else item
            for name, item in model.fields.items()
        }
        changed = with_expressions(model, _Rebuilding(finer).rebuild)
        model = replace(changed, fields=fields)
    return model


def _find_finer_fields(model: DomainModel) -> dict[str, NumberType]:
    found = {}
    values = {name: build_decision_value(item) for name, item in model.decisions.items()}
    effects = {name: to for tool in model.tools.values() for name, to in tool.effects.items()}
    for name, value in (*values.items(), *effects.items()):
        kind = model.fields[name].type
        if isinstance(kind, NumberType) and require_number_type(value).places > kind.places:
            if name in effects:
                raise TypeRuleError("too-many-places", "a record keeps the places of its field")
            found[name] = require_number_type(value)
    return found


@dataclass(slots=True)
class _Rebuilding:
    """Builds expressions again with finer parts, so that all sides have the places of the finest.

    ``fields`` are the types of fields with more places, ``done`` the parts known by identity.
    """

    fields: Mapping[str, NumberType]
    done: dict[int, Expression] = field(default_factory=dict)
    kept: list[Expression] = field(default_factory=list)

    def rebuild(self, node: Expression) -> Expression:
        if id(node) not in self.done:
            self.kept.append(node)  # so that no other node gets its identity
            self.done[id(node)] = self.rebuild_from_parts(node)
        return self.done[id(node)]

    def rebuild_from_parts(self, node: Expression) -> Expression:
        if isinstance(node, nodes.Read) and node.field in self.fields:
            return nodes.Read(self.fields[node.field], node.field)
        old = list_children(node)
        new = [self.rebuild(part) for part in old]
        if all(one is other for one, other in zip(old, new, strict=True)):
            return node
        return _build_node(node, new)


def _build_node(  # noqa: C901, PLR0911, PLR0912 - one case per node
    node: Expression, parts: Sequence[Expression]
) -> Expression:
    """Return a node with other operands, of more places than its own."""
    match node:
        case nodes.Rescale():
            (operand,) = parts
            is_fine = require_number_type(operand).places >= node.type.places
            return operand if is_fine else numbers.rescale_number(operand, node.type.places)
        case nodes.Arithmetic():
            return numbers.build_arithmetic(node.operation, *parts)
        case nodes.Quotient():
            left, right = parts
            return numbers.build_quotient(left, right, node.type.places, node.rounding)
        case nodes.Absolute():
            kind = require_number_type(parts[0])
            high = max(abs(kind.minimum), abs(kind.maximum))
            return nodes.Absolute(
                numbers.make_number_type(0, high, kind.places, kind.unit), parts[0]
            )
        case nodes.Outermost() if isinstance(node.type, NumberType):
            aligned = numbers.align_places(parts)
            return nodes.Outermost(numbers.compute_hull(aligned), node.extreme, aligned)
        case nodes.Compare() if isinstance(node.left.type, NumberType):
            left, right = numbers.align_places(parts)
            return replace(node, left=left, right=right)
        case nodes.OneOf() if isinstance(node.operand.type, NumberType):
            operand, *options = numbers.align_places((parts[0], *node.options))
            constants = tuple(item for item in options if isinstance(item, nodes.Constant))
            return replace(node, operand=operand, options=constants)
        case nodes.AllOf() | nodes.AnyOf():
            return replace(node, operands=tuple(parts))
        case nodes.Not():
            return nodes.Not(parts[0])
        case nodes.Choice():
            return build_choice(*parts)
        case nodes.Lookup() if isinstance(node.type, NumberType):
            key, *entries = parts
            aligned = numbers.align_places(entries)
            return nodes.Lookup(numbers.compute_hull(aligned), key, aligned)
        case nodes.Aggregate():
            return _rebuild_aggregate(node, parts)
        case _:
            raise TypeRuleError("too-many-places", "a part of the expression takes no finer number")


def _rebuild_aggregate(node: nodes.Aggregate, parts: Sequence[Expression]) -> nodes.Aggregate:
    left = iter(parts)
    where, value, default = (
        next(left) if part is not None else None for part in (node.where, node.value, node.default)
    )
    if value is None or not isinstance(value.type, NumberType):
        return replace(node, where=where, value=value, default=default)
    kind = require_number_type(value)
    if node.function is AggregateFunction.SUM:
        low, high = min(0, kind.minimum * node.size), max(0, kind.maximum * node.size)
        total = numbers.make_number_type(low, high, kind.places, kind.unit)
        return replace(node, type=total, where=where, value=value)
    if default is None:
        return replace(node, type=kind, where=where, value=value)
    value, default = numbers.align_places((value, default))
    hull = numbers.compute_hull((value, default))
    return replace(node, type=hull, where=where, value=value, default=default)
