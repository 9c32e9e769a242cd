"""Conditions taken apart: into what holds together, and into the cases that there are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from sopforge.language.domain.expressions.expressions import (
    AllOf,
    AnyOf,
    Arithmetic,
    Compare,
    Constant,
    Expression,
    Not,
    Rescale,
    iterate_parts,
)
from sopforge.language.domain.values.types import NumberType, require_integer
from sopforge.language.logic.readings.scalar import evaluate
from sopforge.proof.solving.unfolding import FALSE, TRUE

_Known: TypeAlias = dict[int, tuple[Expression, Expression]]


def list_conjuncts(condition: Expression) -> list[Expression]:
    """Return conditions that hold together just where the given one does.

    Each is neither an "and" nor the opposite of an "or". There are none where it always holds, and
    a single FALSE where it never does.
    """
    found: dict[int, Expression] = {}
    known: _Known = {}
    waiting = [condition]
    while waiting:
        node = waiting.pop()
        match node:
            case AllOf():
                # Reversed onto the stack, so that parts come out in the order of the text.
                waiting.extend(reversed(node.operands))
            case Not(AnyOf() as inner):
                waiting.extend(Not(operand) for operand in reversed(inner.operands))
            case Not(Not() as inner):
                waiting.append(inner.operand)
            case _:
                part = _simplify_shared(node, known)
                if part == FALSE:
                    return [FALSE]
                # Without its idle parts it may be an "and" that has to be taken apart as well.
                if part is not node and isinstance(part, AllOf | Not):
                    waiting.append(part)
                elif part != TRUE:
                    # A shared part can come up several times, and is one fact all the same.
                    found.setdefault(id(part), part)
    return list(found.values())


def iterate_disjuncts(condition: Expression) -> Iterator[Expression]:
    """Return conditions of which one holds just where the given one does."""
    waiting = [condition]
    while waiting:
        node = waiting.pop()
        if isinstance(node, AnyOf):
            waiting.extend(reversed(node.operands))
        elif node is not FALSE:
            yield node


def _simplify_shared(condition: Expression, known: _Known) -> Expression:
    """Return a condition without parts that always or never hold; a shared one is seen once."""
    if id(condition) not in known:
        # The condition is kept with what it comes to, so that no other gets its identity.
        known[id(condition)] = condition, _without_idle(condition, known)
    return known[id(condition)][1]


def _without_idle(condition: Expression, known: _Known) -> Expression:
    match condition:
        case AllOf():
            return _join_operands(condition, (FALSE, TRUE), known)
        case AnyOf():
            return _join_operands(condition, (TRUE, FALSE), known)
        case Not():
            inner = _simplify_shared(condition.operand, known)
            if inner == TRUE:
                return FALSE
            if inner == FALSE:
                return TRUE
            # What is unchanged stays the same object, by which readings know what is shared.
            return condition if inner is condition.operand else Not(inner)
        case _:
            return condition


def fold_comparison(condition: Expression) -> Expression:
    """Return a comparison whose sides are written as numbers where they are worked out of numbers.

    >>> from sopforge.language.domain.expressions.numbers import build_arithmetic
    >>> from sopforge.language.domain.expressions.numbers import make_number_constant
    >>> from sopforge.language.domain.expressions.expressions import Operation, Relation
    >>> sum_of = build_arithmetic(Operation.ADD, make_number_constant(3), make_number_constant(1))
    >>> fold_comparison(Compare(Relation.EQ, make_number_constant(4), sum_of)) == fold_comparison(
    ...     Compare(Relation.EQ, make_number_constant(4), make_number_constant(4))
    ... )
    True
    """
    if not isinstance(condition, Compare):
        return condition
    return replace(condition, left=_fold_side(condition.left), right=_fold_side(condition.right))


def _fold_side(side: Expression) -> Expression:
    is_number = all(
        isinstance(part, Constant | Arithmetic | Rescale) for part in iterate_parts(side)
    )
    if not is_number or not isinstance(side.type, NumberType):
        return side
    value = require_integer(evaluate(side, {}))
    # A constant's range is its value: numbers that come out alike are then equal constants.
    return Constant(replace(side.type, minimum=value, maximum=value), value)


def _join_operands(
    condition: AllOf | AnyOf, ends: tuple[Expression, Expression], known: _Known
) -> Expression:
    """Return the operands joined again; of the ends, one decides it all, one can be left out."""
    decisive, idle = ends
    found = [_simplify_shared(operand, known) for operand in condition.operands]
    if decisive in found:
        return decisive
    kept = tuple(part for part in found if part != idle)
    if len(kept) < 2:  # noqa: PLR2004 - two are joined, one stands alone
        return kept[0] if kept else idle
    same = len(kept) == len(found) and all(map(_is, kept, condition.operands))
    return condition if same else type(condition)(kept)


def _is(left: object, right: object) -> bool:
    return left is right
