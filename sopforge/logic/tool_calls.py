"""What a tool of the model answers: the meaning that every published tool is checked against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from sopforge.domain.model import (
    DomainModel,
    Formula,
    Tool,
    ToolKind,
    decision_order,
    guard_checks,
)
from sopforge.domain.types import Value
from sopforge.logic.scalar import evaluate, holds

Frame: TypeAlias = Mapping[str, Value | None]

RECORD_MISMATCH = "record_mismatch"


@dataclass(frozen=True, slots=True)
class Refused:
    """A tool refused: its code and the reason in words."""

    code: str
    says: str


def answer(
    model: DomainModel, tool: Tool, arguments: Frame, record: Frame
) -> dict[str, Value | None] | Refused:
    """Return the fields that a tool reveals for well-formed arguments about an existing record.

    A guard sees the arguments, and of the record what is not among them.
    A lookup refuses arguments that contradict the record, an action refuses where its guard does
    not hold; a compute tool works with what it is given.
    """
    if tool.kind is ToolKind.LOOKUP:
        wrong = next((name for name in tool.takes if arguments[name] != record.get(name)), None)
        if wrong is not None:
            return Refused(RECORD_MISMATCH, f"{wrong} does not agree with the record")
    seen = {**record, **arguments}
    for check in guard_checks(tool.guard):
        if not holds(check.test, seen):
            return Refused(check.refusal, check.says)
    if tool.kind is ToolKind.COMPUTE:
        return computed(model, tool, arguments)
    return {name: record.get(name) for name in tool.returns}


def computed(model: DomainModel, tool: Tool, arguments: Frame) -> dict[str, Value | None]:
    """Return what a compute tool works out from its arguments alone."""
    known: dict[str, Value | None] = dict(arguments)
    for name in decision_order(model, tool.returns, tool.takes):
        decision = model.decisions[name]
        if isinstance(decision, Formula):
            known[name] = evaluate(decision.value, known)
    return {name: known[name] for name in tool.returns}
