"""What an expression says, without what only the language needs: scales and double negations."""

from __future__ import annotations

from sopforge.language.domain.expressions.expressions import AllOf, AnyOf, Expression, Not, Rescale


def unwrap_node(node: Expression) -> Expression:
    """Return what has words: a scale has none, and two negations say nothing."""
    match node:
        case Rescale():
            return unwrap_node(node.operand)
        case Not(operand=Not(operand=inner)):
            return unwrap_node(inner)
        case _:
            return node


def flatten_group(group: AllOf | AnyOf) -> list[Expression]:
    """Return the conditions of a group, with those of groups of its own kind in it."""
    found: list[Expression] = []
    for part in group.operands:
        inner = unwrap_node(part)
        if isinstance(inner, AllOf | AnyOf) and type(inner) is type(group):
            found += flatten_group(inner)
        else:
            found.append(part)
    return found
