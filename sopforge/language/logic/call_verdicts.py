"""What decided a call of an action or a look-up: the node of its guard, or a check of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sopforge.language.domain.guards import (
    Guard,
    GuardLeaf,
    build_guard_condition,
    list_guard_checks,
)
from sopforge.language.domain.model import DomainModel, Tool
from sopforge.language.domain.tool_checks import build_record_checks, build_writing_checks
from sopforge.language.logic.guard_verdicts import judge_guard
from sopforge.language.logic.readings.scalar import holds
from sopforge.language.logic.tool_calls import Frame, Refused


@dataclass(frozen=True, slots=True)
class CallVerdict:
    """The node that decided on a call, what it tests, and whether it let the call pass.

    ``is_own`` is a check that a tool makes by itself, which has no id that people know.
    """

    check: GuardLeaf
    is_met: bool
    is_own: bool = False


def judge_call(
    model: DomainModel, tool: Tool, seen: Frame, result: Frame | Refused
) -> CallVerdict | None:
    """Return what decided on a call, None where there was nothing to decide.

    ``seen`` is what the tool sees: its arguments, and what the records hold before the call.
    """
    if isinstance(result, Refused) and not _is_refused_by_guard(tool, seen, result):
        return _judge_by_own_checks(model, tool, seen, result)
    return None if tool.guard is None else _judge_by_guard(tool.guard, seen)


def _is_refused_by_guard(tool: Tool, seen: Frame, result: Refused) -> bool:
    # Asked only where its code was given: of what a guard reads, nothing may be there before.
    checks = [check for check in list_guard_checks(tool.guard) if check.refusal == result.code]
    return any(not holds(check.test, seen) for check in checks)


def _judge_by_own_checks(
    model: DomainModel, tool: Tool, seen: Frame, result: Refused
) -> CallVerdict | None:
    own = (*build_record_checks(model, tool), *build_writing_checks(model, tool))
    checks = [check for check in own if check.refusal == result.code]
    failed = next((check for check in checks if not holds(check.test, seen)), None)
    return None if failed is None else CallVerdict(failed, is_met=False, is_own=True)


def _judge_by_guard(guard: Guard, seen: Frame) -> CallVerdict:
    verdict = judge_guard(guard, seen)
    node = find_guard_node(guard, verdict.decider)
    test = build_guard_condition(node)
    return CallVerdict(GuardLeaf(node.id, test, node.refusal, node.says), verdict.is_met)


def find_guard_node(guard: Guard, name: str) -> Guard:
    """Return the node of an id, wherever it is among the nodes of a guard."""
    return next(node for node in _iterate_nodes(guard) if node.id == name)


def _iterate_nodes(guard: Guard) -> Iterator[Guard]:
    yield guard
    if not isinstance(guard, GuardLeaf):
        for child in guard.children:
            yield from _iterate_nodes(child)
