"""Mistakes in expressions: each one changes a single part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sopforge.domain import numbers
from sopforge.domain.expressions import (
    Aggregate,
    AllOf,
    AnyOf,
    Compare,
    Constant,
    Elapsed,
    Expression,
    Extreme,
    Fold,
    Not,
    Operation,
    Outermost,
    Presence,
    Quotient,
    Read,
    Relation,
    Span,
    Workdays,
    children,
    in_order,
    parts,
)
from sopforge.domain.malformed import marked_field
from sopforge.domain.numbers import constant
from sopforge.domain.types import (
    DateTimeType,
    DateType,
    EnumType,
    NumberType,
    bounds,
    to_cell,
    whole,
)
from sopforge.logic.substitution import Known, Substitution, replaced
from sopforge.logic.tables import either
from sopforge.solving.unfolding import TRUE

MOST_HOLIDAYS = 8
_SWAPPED = {
    Relation.GE: Relation.GT,
    Relation.GT: Relation.GE,
    Relation.LE: Relation.LT,
    Relation.LT: Relation.LE,
    Relation.EQ: Relation.NE,
    Relation.NE: Relation.EQ,
}
_FOLDS = {
    Fold.ANY: Fold.ALL,
    Fold.ALL: Fold.ANY,
    Fold.MINIMUM: Fold.MAXIMUM,
    Fold.MAXIMUM: Fold.MINIMUM,
}
_EXTREMES = {Extreme.MINIMUM: Extreme.MAXIMUM, Extreme.MAXIMUM: Extreme.MINIMUM}


def edits(expression: Expression) -> Iterator[tuple[str, Expression]]:
    """Return the expression with each single mistake that it allows, and the mistake in words."""
    for node in _nodes(expression):
        if isinstance(node, Presence) and not marked_field(node.field):
            words = f"no test whether {node.field} is there"
            yield words, _without_test(expression, node.field)
        for words, other in _mistakes(node):
            yield words, replaced(expression, node, other)


def _without_test(expression: Expression, field: str) -> Expression:
    """Return an expression that takes a field to be there; else it is nothing, or the least."""
    reads = (node for node in parts(expression) if isinstance(node, Read) and node.field == field)
    read = next(reads, None)
    value = read or TRUE
    if read is not None and isinstance(read.type, NumberType | DateType | DateTimeType | EnumType):
        least = 0 if isinstance(read.type, EnumType) else max(0, bounds(read.type)[0])
        value = either(Presence(field), read, Constant(read.type, least))
    found = Substitution({field: Known(value, TRUE)}, TRUE).of(expression)
    for node in parts(found):
        if isinstance(node, Aggregate) and node.list == field:
            found = replaced(found, node, _of_no_items(node))
    return found


def _of_no_items(node: Aggregate) -> Expression:
    """Return an aggregate that takes a missing list to be empty."""
    there = Presence(node.list)
    match node.fold:
        case Fold.ANY:
            return AllOf((there, node))
        case Fold.ALL:
            return AnyOf((Not(there), node))
        case Fold.COUNT | Fold.SUM:
            return either(there, node, constant(0))
        case Fold.MINIMUM | Fold.MAXIMUM:
            return either(there, node, node.default or constant(0))


def _nodes(expression: Expression) -> Iterator[Expression]:
    """Return the parts of an expression, each behind its own, those about list items too."""
    for node in in_order([expression]):
        for part in children(node) if isinstance(node, Aggregate) else ():
            yield from _nodes(part)
        yield node


def _mistakes(node: Expression) -> Iterator[tuple[str, Expression]]:
    match node:
        case Compare():
            other = _SWAPPED[node.relation]
            yield f"{other} for {node.relation}", replace(node, relation=other)
            yield from _threshold_mistakes(node)
        case Workdays():
            yield from _calendar_mistakes(node)
        case Quotient():
            yield from _rounding_mistakes(node)
        case AllOf():
            yield "or for and", AnyOf(node.operands)
        case AnyOf():
            yield "and for or", AllOf(node.operands)
        case Aggregate():
            yield from _aggregate_mistakes(node)
        case Outermost(extreme=extreme):
            other_end = _EXTREMES[extreme]
            yield f"{other_end} for {extreme}", replace(node, extreme=other_end)
        case _:
            return


def _calendar_mistakes(node: Workdays) -> Iterator[tuple[str, Expression]]:
    yield "days for workdays", Elapsed(node.type, Span.DAYS, node.start, node.end)
    few = node.holidays if len(node.holidays) <= MOST_HOLIDAYS else ()
    for day in few:
        kept = tuple(other for other in node.holidays if other != day)
        words = f"{to_cell(DateType(day, day), day)} as no holiday"
        yield words, replace(node, holidays=kept)
    if node.holidays and not few:
        yield "no holidays", replace(node, holidays=())


def _rounding_mistakes(node: Quotient) -> Iterator[tuple[str, Expression]]:
    """Return a quotient that is rounded down, which is half a unit less, rounded."""
    try:
        least = numbers.number_type(node.left).minimum
        scaled = numbers.arithmetic(
            Operation.MULTIPLY, numbers.as_stored(node.left), constant(2 * 10**node.digits)
        )
        less = numbers.arithmetic(Operation.SUBTRACT, scaled, numbers.as_stored(node.right))
        twice = numbers.arithmetic(Operation.MULTIPLY, numbers.as_stored(node.right), constant(2))
    except numbers.TypeRuleError:
        return
    if least >= 0:
        yield "rounded down", replace(node, left=less, right=twice, digits=0)


def _aggregate_mistakes(node: Aggregate) -> Iterator[tuple[str, Expression]]:
    if node.fold in _FOLDS:
        yield f"{_FOLDS[node.fold]} for {node.fold}", replace(node, fold=_FOLDS[node.fold])
    if node.where is not None:
        yield f"{node.fold} of all items", replace(node, where=None)


def _threshold_mistakes(node: Compare) -> Iterator[tuple[str, Expression]]:
    for other in neighbours(node.left):
        yield f"{shown(other)} as threshold", replace(node, left=other)
    for other in neighbours(node.right):
        yield f"{shown(other)} as threshold", replace(node, right=other)


def neighbours(number: Expression) -> list[Constant]:
    """Return a threshold one unit of its places down and up; nothing of what is no constant."""
    moved = [_moved(number, step) for step in (-1, 1)] if isinstance(number, Constant) else []
    return [other for other in moved if other is not None]


def shown(number: Constant) -> str:
    """Return a threshold as people write it."""
    return to_cell(number.type, number.value)


def _moved(number: Constant, change: int) -> Constant | None:
    """Return a threshold one unit of its places up or down."""
    match number.type:
        case NumberType(places=places, unit=unit):
            moved = constant(whole(number.value) + change, places)
            kind = replace(moved.type, unit=unit) if isinstance(moved.type, NumberType) else None
            return None if kind is None else replace(moved, type=kind)
        case DateType():
            day = whole(number.value) + change
            return Constant(DateType(day, day), day)
        case _:
            return None
