"""The shape of an expression: what it says, without scales, intervals and names of constants."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from sopforge.domain.language.expressions import (
    Aggregate,
    AllOf,
    AnyOf,
    Compare,
    Constant,
    Expression,
    Fold,
    Not,
    Quotient,
    Relation,
)
from sopforge.domain.values.types import NumberType, whole
from sopforge.logic.phrasing.idioms import Held, bare, flattened, held

Shape: TypeAlias = tuple[object, ...]
_WHETHER = frozenset(
    {
        *((Relation.GT, Fraction(0)), (Relation.GE, Fraction(1))),
        *((Relation.EQ, Fraction(0)), (Relation.LT, Fraction(1))),
    }
)
_OF_SCALE = frozenset({"type", "digits"})


def shape(node: Expression) -> Shape:  # noqa: PLR0911 - one case per form
    """Return what an expression says; expressions of equal shapes have equal values.

    Joined conditions have no order, and an entry that is there for one condition is there for both.
    """
    inner = bare(node)
    match inner:
        case Constant():
            return _constant(inner)
        case AllOf() | AnyOf():
            parts = map(shape, flattened(inner))
            return (type(inner).__name__, *sorted(parts, key=repr))
        case Not(operand=Compare() as denied):
            return shape(Compare(denied.relation.opposite, denied.left, denied.right))
        case Aggregate(fold=Fold.ANY, where=where, value=value) if where and value:
            return shape(replace(inner, where=None, value=AllOf((where, value))))
        case Compare() if (entries := held(inner)) is not None and _is_whether(entries, inner):
            some = replace(entries.entries, fold=Fold.ANY, where=None, value=entries.where)
            return shape(some if _is_some(inner) else Not(some))
        case Quotient():
            return (*_parts(inner), inner.type.places)
        case _:
            return _parts(inner)


def _is_whether(entries: Held, test: Compare) -> bool:
    """Tell whether a number of entries is compared to learn if there is one."""
    kind, value = entries.number.type, whole(entries.number.value)
    if not isinstance(kind, NumberType):
        return False
    return (test.relation, Fraction(value, 10**kind.places)) in _WHETHER


def _is_some(test: Compare) -> bool:
    return test.relation in {Relation.GT, Relation.GE}


def _constant(node: Constant) -> Shape:
    kind = node.type
    if isinstance(kind, NumberType):
        return ("number", Fraction(whole(node.value), 10**kind.places))
    return (type(kind).__name__, node.value)


def _parts(node: Expression) -> Shape:
    named = (getattr(node, item.name) for item in fields(node) if item.name not in _OF_SCALE)
    return (type(node).__name__, *map(_part, named))


def _part(part: object) -> object:
    if isinstance(part, tuple):
        return tuple(map(_part, part))
    return shape(part) if is_dataclass(part) else part  # type: ignore[arg-type]  # an expression
