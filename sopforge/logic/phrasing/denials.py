"""Denials said of each fact: "not urgent or too late", not "it is not the case that both"."""

from __future__ import annotations

from dataclasses import replace

from sopforge.domain.language.expressions import (
    Aggregate,
    AggregateFunction,
    AllOf,
    AnyOf,
    Choice,
    Expression,
    Lookup,
    Not,
    list_ordered_parts,
)
from sopforge.logic.phrasing.idioms import unwrap_node
from sopforge.logic.phrasing.rebuilding import rebuild_node


def resolve_denials(expression: Expression) -> Expression:
    """Return an equal expression in which no group, choice or "every entry" is denied as a whole.

    An expression without such a denial is returned as it is.
    """
    done: dict[int, tuple[Expression, Expression]] = {}
    denying = _Denying()
    for node in list_ordered_parts([expression]):
        rebuilt = rebuild_node(node, done)
        if isinstance(rebuilt, Not) and _is_compound(unwrap_node(rebuilt.operand)):
            rebuilt = denying.negate(rebuilt.operand)
        done[id(node)] = (node, rebuilt)
    return done[id(expression)][1]


class _Denying:
    """Denies expressions, of which each is denied once."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[Expression, Expression]] = {}

    def negate(self, node: Expression) -> Expression:
        """Return the opposite of a condition, said of each of its facts."""
        if id(node) not in self.known:
            self.known[id(node)] = (node, self._negate_node(unwrap_node(node)))
        return self.known[id(node)][1]

    def _negate_node(self, node: Expression) -> Expression:  # noqa: PLR0911 - one case per node
        match node:
            case Not(operand=inner):
                return inner
            case AllOf(operands=parts):
                return AnyOf(tuple(map(self.negate, parts)))
            case AnyOf(operands=parts):
                return AllOf(tuple(map(self.negate, parts)))
            case Aggregate(function=AggregateFunction.ALL, value=value) if value is not None:
                return replace(node, function=AggregateFunction.ANY, value=self.negate(value))
            case Choice(then=then, otherwise=otherwise):
                return replace(node, then=self.negate(then), otherwise=self.negate(otherwise))
            case Lookup(entries=entries):
                return replace(node, entries=tuple(map(self.negate, entries)))
            case _:
                return Not(node)


def _is_compound(node: Expression) -> bool:
    """Return whether a condition is more than one fact."""
    is_every = isinstance(node, Aggregate) and node.function is AggregateFunction.ALL
    return is_every or isinstance(node, AllOf | AnyOf | Choice | Lookup)
