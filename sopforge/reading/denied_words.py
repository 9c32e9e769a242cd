"""Denials as a person says them: "not more than 5" is also true of what has no number.

A comparison with a value that may be missing holds for none. So "unless the fee is more than 5 EUR"
is met where there is no fee, and says more than "if the fee is at most 5 EUR".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sopforge.domain.fields import Field
from sopforge.domain.language.expressions import (
    AllOf,
    AnyOf,
    Compare,
    Expression,
    Not,
    list_ordered_parts,
)
from sopforge.logic.phrasing.denials import resolve_denials
from sopforge.logic.phrasing.idioms import unwrap_node
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
    return resolve_denials(found) if is_changed else expression
