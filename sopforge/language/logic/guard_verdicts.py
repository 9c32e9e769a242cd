"""Whether a guard holds for a case, and which of its nodes decided that."""

from __future__ import annotations

from dataclasses import dataclass

from sopforge.language.domain.guards import Guard, GuardGroup, GuardKind, GuardLeaf
from sopforge.language.logic.readings.scalar import holds
from sopforge.language.logic.tool_calls import Frame

_CHOOSING = frozenset({GuardKind.ANY, GuardKind.FIRST})


@dataclass(frozen=True, slots=True)
class GuardVerdict:
    """Whether a guard holds, and the id of the leaf or group that decided."""

    is_met: bool
    decider: str


def judge_guard(guard: Guard, known: Frame) -> GuardVerdict:
    """Return whether a guard holds, and the node that decided, the innermost that alone did.

    In ``all`` and ``chain`` the first node that fails decides, in ``first`` the first that holds,
    in ``any`` the one that holds, where no other does. Where all nodes of a group were needed, the
    group itself decides, and so does a ``not``: its node is the reason, its refusal its own.
    """
    if isinstance(guard, GuardLeaf):
        return GuardVerdict(holds(guard.test, known), guard.id)
    return _judge_group(guard, known)


def _judge_group(guard: GuardGroup, known: Frame) -> GuardVerdict:
    if guard.kind is GuardKind.NOT:
        (child,) = guard.children
        return GuardVerdict(not judge_guard(child, known).is_met, guard.id)
    settling = guard.kind in _CHOOSING
    settled: list[GuardVerdict] = []
    for child in guard.children:
        found = judge_guard(child, known)
        if found.is_met is settling:
            settled.append(found)
        # What stands after it may read what is only there where it failed, or held.
        if settled and guard.kind is not GuardKind.ANY:
            break
    is_met = bool(settled) is settling
    if settled:
        is_alone = guard.kind is not GuardKind.ANY or len(settled) == 1
        return settled[0] if is_alone else GuardVerdict(is_met, guard.id)
    if len(guard.children) == 1:
        return judge_guard(guard.children[0], known)
    return GuardVerdict(is_met, guard.id)
