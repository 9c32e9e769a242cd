"""What a tool of the model answers: the meaning that every published tool is checked against."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from sopforge.language.domain.expressions.expressions import Expression
from sopforge.language.domain.guards import GuardLeaf, list_guard_checks
from sopforge.language.domain.model import DomainModel, Tool, ToolKind, order_decisions
from sopforge.language.domain.rules import Formula
from sopforge.language.domain.tool_checks import (
    INVALID_PARAMETER,
    build_record_checks,
    build_writing_checks,
)
from sopforge.language.domain.values.malformed_inputs import is_malformed
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.readings.scalar import evaluate, holds
from sopforge.language.logic.tables import build_presence

Frame: TypeAlias = Mapping[str, Value | None]

RECORD_MISMATCH = "record_mismatch"


@dataclass(frozen=True, slots=True)
class Refused:
    """A tool refused: its code and the reason in words."""

    code: str
    says: str


def answer_tool_call(
    model: DomainModel, tool: Tool, arguments: Frame, record: Frame
) -> dict[str, Value | None] | Refused:
    """Return the fields that a tool reveals for arguments of the types of their fields.

    A tool refuses a malformed text before all else, then a key without a record, a lookup then
    arguments that contradict the record, and every tool where its guard does not hold. A guard sees
    the arguments, and of the record what is not among them. An action answers with the record as it
    has changed it; a compute tool works with what it is given.
    """
    refused = _find_format_refusal(model, tool, arguments) or _find_check_refusal(
        build_record_checks(model, tool), record
    )
    if refused is None and tool.kind is ToolKind.LOOKUP:
        wrong = _find_mismatch(tool, arguments, record)
        if wrong is not None:
            return Refused(RECORD_MISMATCH, f"{wrong} does not agree with the record")
    checks = (*list_guard_checks(tool.guard), *build_writing_checks(model, tool))
    refused = refused or _find_check_refusal(checks, {**record, **arguments})
    if refused is not None:
        return refused
    if tool.kind is ToolKind.COMPUTE:
        return compute_results(model, tool, arguments)
    after = apply_effects(model, tool, arguments, record)
    return {name: after.get(name) for name in tool.returns}


def apply_effects(model: DomainModel, tool: Tool, arguments: Frame, record: Frame) -> Frame:
    """Return the record after a call that was not refused.

    Where another reference leads to a record that was changed, it leads to the changed one.
    """
    seen = {**record, **arguments}
    changed = {name: _evaluate_effect(value, seen) for name, value in tool.effects.items()}
    aliases = {
        item.name: changed[name]
        for name in tool.effects
        for item, one, other in model.list_aliases(name)
        if seen.get(one.key) is not None and seen.get(one.key) == seen.get(other.key)
    }
    return {**record, **aliases, **changed}


def _evaluate_effect(value: Expression, seen: Frame) -> Value | None:
    present = build_presence(value)
    return evaluate(value, seen) if present is None or holds(present, seen) else None


def begin_session(model: DomainModel, row: Frame) -> Frame:
    """Return what the records of a case hold at the beginning, and the facts of its session."""
    return {**row, **{item.name: item.starts for item in model.session}}


def _find_mismatch(tool: Tool, arguments: Frame, record: Frame) -> str | None:
    """Return the first argument of a lookup that the record contradicts."""
    # What an operation takes beside references stands in no record.
    asked = () if tool.operation else tool.takes
    return next((name for name in asked if arguments[name] != record.get(name)), None)


def _find_format_refusal(model: DomainModel, tool: Tool, arguments: Frame) -> Refused | None:
    """Return the refusal of the first text that the pattern of its field does not have."""
    for name in tool.takes:
        item, given = model.fields[name], arguments[name]
        if is_malformed(item.type, given):
            return Refused(INVALID_PARAMETER, f"the {item.label} '{given}' is malformed")
    return None


def _find_check_refusal(checks: Iterable[GuardLeaf], seen: Frame) -> Refused | None:
    """Return the refusal of the first check that fails."""
    failed = next((check for check in checks if not holds(check.test, seen)), None)
    return None if failed is None else Refused(failed.refusal, failed.says)


def compute_results(model: DomainModel, tool: Tool, arguments: Frame) -> dict[str, Value | None]:
    """Return what a compute tool works out from its arguments alone."""
    known: dict[str, Value | None] = dict(arguments)
    for name in order_decisions(model, tool.returns, tool.takes):
        decision = model.decisions[name]
        if isinstance(decision, Formula):
            is_given = holds(build_presence(decision.value), known)
            known[name] = evaluate(decision.value, known) if is_given else None
    return {name: known[name] for name in tool.returns}
