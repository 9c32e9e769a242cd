"""Scales, which have no words: what a number is without them."""

from __future__ import annotations

from sopforge.domain.language.expressions import Expression, Rescale


def unwrap_scale(node: Expression) -> Expression:
    """Return a number without the changes of scale around it."""
    return unwrap_scale(node.operand) if isinstance(node, Rescale) else node
