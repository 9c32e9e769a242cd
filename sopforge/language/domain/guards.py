"""Guards: trees of conditions under which a tool answers, and the refusals where it does not."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from sopforge.language.domain.expressions.expressions import AllOf, AnyOf, Expression, Not


class GuardKind(StrEnum):
    """How a group of guard nodes combines.

    ``chain`` is ``all`` in this order, ``first`` is ``any`` in this order: the first that holds
    decides. ``not`` has one node, which must not hold.
    """

    ALL = "all"
    ANY = "any"
    CHAIN = "chain"
    FIRST = "first"
    NOT = "not"


WHOLE = frozenset({GuardKind.ANY, GuardKind.FIRST, GuardKind.NOT})
"""The kinds of groups that refuse as a whole, and may have a refusal of their own."""


@dataclass(frozen=True, slots=True)
class GuardLeaf:
    """A condition of a guard; where it decides against, the tool refuses with ``refusal``.

    Of a check that ``is_ordered``, the parts are tried in their order.
    """

    id: str
    test: Expression
    refusal: str
    says: str
    is_ordered: bool = False


@dataclass(frozen=True, slots=True)
class GuardGroup:
    """A group of guard nodes; one that refuses as a whole may have a refusal of its own."""

    id: str
    kind: GuardKind
    children: tuple[Guard, ...]
    refusal: str = ""
    says: str = ""


Guard: TypeAlias = GuardLeaf | GuardGroup


def list_guard_checks(guard: Guard | None) -> tuple[GuardLeaf, ...]:
    """Return the guard as checks in order: the first that fails refuses.

    A group that refuses as a whole is one check; without a refusal of its own it refuses as its
    last leaf does.
    """
    match guard:
        case None:
            return ()
        case GuardLeaf():
            return (guard,)
        case GuardGroup(kind=kind) if kind in WHOLE:
            test = build_guard_condition(guard)
            last = list_guard_checks(guard.children[-1])[-1]
            own = guard if guard.refusal else last
            is_ordered = _has_order(guard)
            return (GuardLeaf(guard.id, test, own.refusal, own.says, is_ordered),)
        case GuardGroup():
            return tuple(check for child in guard.children for check in list_guard_checks(child))


def build_guard_condition(guard: Guard) -> Expression:
    """Return the condition under which a guard holds."""
    if isinstance(guard, GuardLeaf):
        return guard.test
    operands = tuple(build_guard_condition(child) for child in guard.children)
    match guard.kind:
        case GuardKind.NOT:
            return Not(operands[0])
        case GuardKind.ANY | GuardKind.FIRST:
            return AnyOf(operands)
        case _:
            return AllOf(operands)


def _has_order(guard: Guard) -> bool:
    """Return whether there are alternatives in a guard of which the first that holds decides."""
    if isinstance(guard, GuardLeaf):
        return False
    return guard.kind is GuardKind.FIRST or any(map(_has_order, guard.children))


def list_guard_ids(guard: Guard) -> tuple[str, ...]:
    """Return the ids of all nodes of a guard."""
    if isinstance(guard, GuardLeaf):
        return (guard.id,)
    return (guard.id, *(name for child in guard.children for name in list_guard_ids(child)))
