"""Denials as a person says them: "not more than 5" is also true of what has no number.

A comparison with a value that may be missing holds for none. So "unless the fee is more than 5 EUR"
is met where there is no fee, and says more than "if the fee is at most 5 EUR".
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace

from sopforge.domain.fields import Field
from sopforge.domain.language.expressions import (
    AllOf,
    AnyOf,
    Compare,
    Expression,
    Not,
    Presence,
    list_ordered_parts,
)
from sopforge.logic.phrasing.denials import resolve_denials
from sopforge.logic.phrasing.idioms import flatten_group, unwrap_node
from sopforge.logic.phrasing.presence import add_implied_presence
from sopforge.logic.phrasing.rebuilding import rebuild_node
from sopforge.logic.phrasing.shape import compute_shape


def widen_denials(expression: Expression, fields: Mapping[str, Field]) -> Expression:
    """Return an expression whose denials are true also of values that are missing.

    An expression without such a denial is returned as it is.
    """
    done: dict[int, tuple[Expression, Expression]] = {}
    is_changed = False
    for node in list_ordered_parts([expression]):
        rebuilt = rebuild_node(node, done)
        if isinstance(rebuilt, Not) and isinstance(
            unwrap_node(rebuilt.operand), Compare | AllOf | AnyOf
        ):
            whole = add_implied_presence(rebuilt.operand, fields)
            if compute_shape(whole) != compute_shape(rebuilt.operand):
                rebuilt, is_changed = replace(rebuilt, operand=whole), True
        done[id(node)] = (node, rebuilt)
    found = done[id(expression)][1]
    return _drop_excluded_absences(resolve_denials(found)) if is_changed else expression


def _drop_excluded_absences(expression: Expression) -> Expression:
    """Return an expression without those alternatives that a fact beside them rules out.

    "There is an end, and there is none or it has passed" says that there is one that has passed.
    """
    done: dict[int, tuple[Expression, Expression]] = {}
    for node in list_ordered_parts([expression]):
        rebuilt = rebuild_node(node, done)
        if isinstance(rebuilt, AllOf):
            parts = flatten_group(rebuilt)
            facts = map(unwrap_node, parts)
            known = {part.field for part in facts if isinstance(part, Presence)}
            rebuilt = replace(rebuilt, operands=tuple(_drop_absences(x, known) for x in parts))
        done[id(node)] = (node, rebuilt)
    return done[id(expression)][1]


def _drop_absences(expression: Expression, known: AbstractSet[str]) -> Expression:
    inner = unwrap_node(expression)
    if not isinstance(inner, AnyOf):
        return expression
    kept = tuple(part for part in flatten_group(inner) if _find_absent(part) not in known)
    if not kept:
        return expression
    return kept[0] if len(kept) == 1 else replace(inner, operands=kept)


def _find_absent(expression: Expression) -> str:
    """Return the field of which an expression says that it has no value, "" for another one."""
    inner = unwrap_node(expression)
    denied = unwrap_node(inner.operand) if isinstance(inner, Not) else inner
    return denied.field if isinstance(inner, Not) and isinstance(denied, Presence) else ""
