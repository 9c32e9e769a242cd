"""What people say in one word and the tree holds in several nodes: signs, roundings, averages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sopforge.domain.expressions import (
    Aggregate,
    AllOf,
    AnyOf,
    Arithmetic,
    Choice,
    Compare,
    Constant,
    Elapsed,
    Expression,
    Extreme,
    Fold,
    Not,
    Operation,
    Outermost,
    Quotient,
    Relation,
    Rescale,
    Size,
    Workdays,
    children,
)
from sopforge.domain.types import NumberType


@dataclass(frozen=True, slots=True)
class Mean:
    """A rounded average over the items of a list, with the answer where there is none."""

    total: Aggregate
    places: int
    default: Expression


def bare(node: Expression) -> Expression:
    """Return what has words: a scale has none, and two negations say nothing."""
    match node:
        case Rescale():
            return bare(node.operand)
        case Not(operand=Not(operand=inner)):
            return bare(inner)
        case _:
            return node


def negated(node: Expression) -> Expression | None:
    """Return the number that stands behind a sign, None if there is no sign."""
    match node:
        case Arithmetic(_, Operation.SUBTRACT, left, right) if _is_plain(left, 0):
            return right
        case _:
            return None


def rounded(node: Quotient) -> Expression | None:
    """Return the number that is only rounded, None if it is divided too."""
    return node.left if _is_plain(node.right, 1) else None


def mean(node: Choice) -> Mean | None:
    """Return the average that a choice stands for, None if it is another choice."""
    match node.condition, bare(node.otherwise):
        case (
            Compare(Relation.EQ, Aggregate(fold=Fold.COUNT) as count, zero),
            Quotient(left=Aggregate(fold=Fold.SUM) as total) as quotient,
        ) if _is_plain(zero, 0) and _is_at_least_one(quotient.right, count):
            is_same = (count.list, count.where) == (total.list, total.where)
            return Mean(total, quotient.type.places, node.then) if is_same else None
        case _:
            return None


def flattened(group: AllOf | AnyOf) -> list[Expression]:
    """Return the conditions of a group, with those of groups of its own kind in it."""
    found: list[Expression] = []
    for part in group.operands:
        inner = bare(part)
        if isinstance(inner, AllOf | AnyOf) and type(inner) is type(group):
            found += flattened(inner)
        else:
            found.append(part)
    return found


def spoken(node: Expression) -> Iterator[Expression]:
    """Return the expression and all its descendants that have words, parents first."""
    yield node
    for child in spoken_children(node):
        yield from spoken(child)


def spoken_children(node: Expression) -> tuple[Expression, ...]:
    """Return the operands that have words, left to right."""
    behind = negated(node)
    if behind is not None:
        return (behind,)
    only = rounded(node) if isinstance(node, Quotient) else None
    if only is not None:
        return (only,)
    average = mean(node) if isinstance(node, Choice) else None
    return children(node) if average is None else (average.total, average.default)


def is_count(node: Expression) -> bool:
    """Tell whether a number counts what its words name, so that it has no unit besides."""
    match bare(node):
        case Elapsed() | Workdays() | Size() | Aggregate(fold=Fold.COUNT):
            return True
        case _:
            return False


def _is_plain(node: Expression, number: int) -> bool:
    """Tell whether a node is this number, written out or added by the language."""
    inner = bare(node)
    if not isinstance(inner, Constant) or inner.name or not isinstance(inner.type, NumberType):
        return False
    factor: int = 10**inner.type.places
    return inner.value == number * factor


def _is_at_least_one(node: Expression, count: Expression) -> bool:
    match bare(node):
        case Outermost(_, Extreme.MAXIMUM, (first, second)):
            return bare(first) == count and _is_plain(second, 1)
        case _:
            return False
