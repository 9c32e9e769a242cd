"""Guards: trees of conditions under which a tool answers, and the refusals where it does not."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from sopforge.domain.language.expressions import AllOf, AnyOf, Expression


class GuardKind(StrEnum):
    """How a group of guard nodes combines; ``chain`` is ``all`` in this order."""

    ALL = "all"
    ANY = "any"
    CHAIN = "chain"


@dataclass(frozen=True, slots=True)
class GuardLeaf:
    """A condition of a guard; where it decides against, the tool refuses with ``refusal``."""

    id: str
    test: Expression
    refusal: str
    says: str


@dataclass(frozen=True, slots=True)
class GuardGroup:
    """A group of guard nodes; one of kind ``any`` may have a refusal of its own."""

    id: str
    kind: GuardKind
    children: tuple[Guard, ...]
    refusal: str = ""
    says: str = ""


Guard: TypeAlias = GuardLeaf | GuardGroup


def list_guard_checks(guard: Guard | None) -> tuple[GuardLeaf, ...]:
    """Return the guard as checks in order: the first that fails refuses.

    A group of ``any`` is one check; without a refusal of its own it refuses as its last leaf does.
    """
    match guard:
        case None:
            return ()
        case GuardLeaf():
            return (guard,)
        case GuardGroup(kind=GuardKind.ANY):
            test = build_guard_condition(guard)
            last = list_guard_checks(guard.children[-1])[-1]
            own = guard if guard.refusal else last
            return (GuardLeaf(guard.id, test, own.refusal, own.says),)
        case GuardGroup():
            return tuple(check for child in guard.children for check in list_guard_checks(child))


def build_guard_condition(guard: Guard) -> Expression:
    """Return the condition under which a guard holds."""
    if isinstance(guard, GuardLeaf):
        return guard.test
    operands = tuple(build_guard_condition(child) for child in guard.children)
    return AnyOf(operands) if guard.kind is GuardKind.ANY else AllOf(operands)
