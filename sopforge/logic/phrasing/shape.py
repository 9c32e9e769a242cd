"""The shape of an expression: what it says, without scales, intervals and names of constants."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from sopforge.domain.language.expressions import (
    Aggregate,
    AggregateFunction,
    AllOf,
    AnyOf,
    Arithmetic,
    Choice,
    Compare,
    Constant,
    Expression,
    Not,
    Operation,
    Outermost,
    Quotient,
    Read,
    Relation,
)
from sopforge.domain.values.types import NumberType, require_integer
from sopforge.logic.phrasing.distances import (
    IN_MONTHS,
    Distance,
    find_order,
    measure_distance,
)
from sopforge.logic.phrasing.idioms import (
    Held,
    find_held_entries,
    find_negated,
    find_reached,
    flatten_group,
    unwrap_node,
)
from sopforge.logic.phrasing.shares import Share, find_compared_share, find_share
from sopforge.logic.phrasing.sizes import find_counted

Shape: TypeAlias = tuple[object, ...]
# e.g. count > 0 and count >= 1 ask alike whether there is one; count == 0 asks the opposite.
_WHETHER = frozenset(
    {
        *((Relation.GT, Fraction(0)), (Relation.GE, Fraction(1))),
        *((Relation.EQ, Fraction(0)), (Relation.LT, Fraction(1))),
    }
)
_OF_SCALE = frozenset({"type", "digits"})


def compute_shape(node: Expression) -> Shape:  # noqa: C901, PLR0911 - one case per form
    """Return what an expression says; expressions of equal shapes have equal values.

    Joined conditions have no order, nor have numbers of which the smallest or the largest is taken;
    an entry that is there for one condition is there for both.
    """
    inner = _fold_sign(unwrap_node(node))
    match inner:
        case Constant():
            return _compute_constant_shape(inner)
        case AllOf() | AnyOf():
            parts = map(compute_shape, flatten_group(inner))
            # By their text: Python knows no order among the numbers, words and tuples of shapes.
            return (type(inner).__name__, *sorted(parts, key=repr))
        case Outermost():
            parts = map(compute_shape, inner.operands)
            return (inner.extreme.name, *sorted(parts, key=repr))
        case Choice() if isinstance(asked := unwrap_node(inner.condition), Not):
            return compute_shape(
                replace(inner, condition=asked.operand, then=inner.otherwise, otherwise=inner.then)
            )
        case Not(operand=Compare() as denied):
            return compute_shape(Compare(denied.relation.opposite, denied.left, denied.right))
        case Compare():
            return _compute_comparison_shape(inner)
        case Aggregate(function=AggregateFunction.ANY, where=where, value=value) if where and value:
            return compute_shape(replace(inner, where=None, value=AllOf((where, value))))
        case Quotient() if (share := find_share(inner)) is not None:
            return ("share", *_compute_share_shape(share), inner.type.places)
        # Elsewhere places are mere scale; a quotient is rounded to its own.
        case Quotient():
            return (*_compute_node_shape(inner), inner.type.places)
        case _:
            return _compute_node_shape(inner)


def _list_factors(node: Expression) -> list[Expression]:
    inner = unwrap_node(node)
    if isinstance(inner, Arithmetic) and inner.operation is Operation.MULTIPLY:
        return [*_list_factors(inner.left), *_list_factors(inner.right)]
    return [node]


def _fold_sign(node: Expression) -> Expression:
    """Return a constant with the sign that stands before it; other nodes as they are."""
    negated = find_negated(node)
    if not isinstance(negated, Constant):
        return node
    return replace(negated, value=-require_integer(negated.value))


def _compute_comparison_shape(test: Compare) -> Shape:
    """Return the shape of a comparison; those that say the same in other terms have one shape."""
    held, order, reached = find_held_entries(test), find_order(test), find_reached(test)
    if reached is not None:
        return compute_shape(reached[0] if reached[1] else Not(reached[0]))
    if held is not None and _is_whether(held, test):
        some = replace(held.entries, function=AggregateFunction.ANY, where=None, value=held.where)
        return compute_shape(some if _is_some(test) else Not(some))
    if order is not None:
        return _compute_node_shape(_order_sides(order))
    measured = _compute_measured_shape(test) or _compute_whole_shape(test)
    return measured or _compute_node_shape(_order_sides(test))


def _compute_whole_shape(test: Compare) -> Shape | None:
    """Return the shape of a number beside a limit that it is above or below, else None.

    Where 0 is the least number, at most 0 is 0, and not 0 is more than 0. Of whole numbers, more
    than 0 is at least 1, too, and less than 1 is 0.
    """
    left, right = unwrap_node(test.left), unwrap_node(test.right)
    if not isinstance(left, Read) or not isinstance(right, Constant):
        return None
    kind, limit = left.type, right.type
    if not isinstance(kind, NumberType) or not isinstance(limit, NumberType):
        return None
    if kind.places != limit.places:
        return None
    relation, value = test.relation, require_integer(right.value)
    least = {Relation.NE: Relation.GT, Relation.LE: Relation.EQ}
    if kind.places:
        known = least.get(relation, relation)
        return ("number", known, value, compute_shape(left)) if value == kind.minimum else None
    if relation is Relation.LT:
        relation, value = Relation.LE, value - 1
    relation = least.get(relation, relation) if value == kind.minimum else relation
    if relation is Relation.GT:
        relation, value = Relation.GE, value + 1
    return ("whole", relation, value, compute_shape(left))


def _order_sides(test: Compare) -> Compare:
    """Return a comparison of two named values with the lesser on the left, where it says which."""
    is_mirrored = test.relation in {Relation.GT, Relation.GE}
    if not is_mirrored or isinstance(unwrap_node(test.right), Constant):
        return test
    return Compare(test.relation.mirrored, test.right, test.left)


def _compute_measured_shape(test: Compare) -> Shape | None:
    """Return the shape of a distance, a number of entries or a share, None for others."""
    distance, counted = measure_distance(test), find_counted(test)
    compared = find_compared_share(test)
    if distance is not None:
        return _compute_distance_shape(distance)
    if counted is not None:
        named = counted.entries
        shape = named if isinstance(named, str) else compute_shape(named)
        return ("count", *counted.normalize(), shape)
    if compared is not None:
        part = compute_shape(compared.part)
        return ("share", compared.relation, part, *_compute_share_shape(compared.share))
    return None


def _is_whether(entries: Held, test: Compare) -> bool:
    """Return whether a number of entries is compared to learn if there is one."""
    kind, value = entries.number.type, require_integer(entries.number.value)
    if not isinstance(kind, NumberType):
        return False
    return (test.relation, Fraction(value, 10**kind.places)) in _WHETHER


def _is_some(test: Compare) -> bool:
    return test.relation in {Relation.GT, Relation.GE}


def _compute_distance_shape(distance: Distance) -> Shape:
    ends = map(compute_shape, (distance.start, distance.end))
    size = IN_MONTHS.get(distance.unit)
    unit = "months" if size else f"{distance.unit} {distance.calendar}"
    # Months back from a day are another distance than months on to it.
    side = distance.is_before and bool(size)
    return ("distance", distance.relation, distance.count * (size or 1), unit, side, *ends)


def _compute_share_shape(share: Share) -> Shape:
    return (share.change, compute_shape(share.percent), compute_shape(share.whole))


def _compute_constant_shape(node: Constant) -> Shape:
    kind = node.type
    if isinstance(kind, NumberType):
        return ("number", Fraction(require_integer(node.value), 10**kind.places))
    return (type(kind).__name__, node.value)


def _compute_node_shape(node: Expression) -> Shape:
    if isinstance(node, Arithmetic) and node.operation is Operation.MULTIPLY:
        # Factors have no order: "twice the fee" is the fee times 2.
        return ("product", *sorted(map(compute_shape, _list_factors(node)), key=repr))
    named = (getattr(node, item.name) for item in fields(node) if item.name not in _OF_SCALE)
    return (type(node).__name__, *map(_compute_part_shape, named))


def _compute_part_shape(part: object) -> object:
    if isinstance(part, tuple):
        return tuple(map(_compute_part_shape, part))
    return compute_shape(part) if is_dataclass(part) else part  # type: ignore[arg-type]  # an expression
