"""Tools as cards: what each does, takes and returns, what it requires and how it refuses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sopforge.domain.guards import list_guard_checks
from sopforge.domain.model import (
    INVALID_PARAMETER,
    UNKNOWN_RECORD,
    DomainModel,
    Tool,
    ToolKind,
)
from sopforge.logic.english import phrase_expression
from sopforge.logic.tool_calls import RECORD_MISMATCH

KINDS: Mapping[ToolKind, str] = {
    ToolKind.LOOKUP: "looks something up",
    ToolKind.COMPUTE: "works something out",
    ToolKind.ACTION: "does something",
}


@dataclass(frozen=True, slots=True)
class Refusal:
    """A code, and the cases in which a tool refuses with it."""

    code: str
    when: str


@dataclass(frozen=True, slots=True)
class ToolCard:
    """A tool in words; ``called`` are the steps that call it."""

    name: str
    kind: str
    description: str
    takes: tuple[tuple[str, str], ...]
    returns: tuple[tuple[str, str], ...]
    requires: tuple[str, ...]
    changes: tuple[str, ...]
    refusals: tuple[Refusal, ...]
    called: tuple[tuple[str, str], ...]
    note: str


def build_tool_cards(model: DomainModel) -> tuple[ToolCard, ...]:
    """Return the tools of a model, those that the procedure calls first."""
    ordered = sorted(model.tools.values(), key=lambda tool: tool.name not in model.called)
    return tuple(build_tool_card(model, tool) for tool in ordered)


def build_tool_card(model: DomainModel, tool: Tool) -> ToolCard:
    """Return a tool as a card."""
    checks = list_guard_checks(tool.guard)
    return ToolCard(
        tool.name,
        KINDS[tool.kind],
        tool.description,
        tuple((item.name, item.label) for item in model.list_tool_parameters(tool)),
        tuple((item.name, item.label) for item in model.list_tool_results(tool)),
        tuple(phrase_expression(check.test, model.fields) for check in checks),
        tuple(
            f"{model.fields[name].label} becomes {phrase_expression(value, model.fields)}"
            for name, value in tool.effects.items()
        ),
        _list_refusals(tool),
        tuple((step.id, step.title) for step in model.steps.values() if step.call == tool.name),
        _describe_replacement(tool),
    )


def _list_refusals(tool: Tool) -> tuple[Refusal, ...]:
    found = [Refusal(INVALID_PARAMETER, "an entry is lacking or malformed")]
    if tool.kind is not ToolKind.COMPUTE:
        found.append(Refusal(UNKNOWN_RECORD, "there is no such record"))
    if tool.kind is ToolKind.LOOKUP and len(tool.takes) > 1:
        found.append(Refusal(RECORD_MISMATCH, "an entry is not what is on file"))
    return (
        *found,
        *(Refusal(check.refusal, check.says) for check in list_guard_checks(tool.guard)),
    )


def _describe_replacement(tool: Tool) -> str:
    if tool.same_as:
        return f"Another name of {tool.same_as}."
    return f"Superseded: {tool.replaced_by} is to be used." if tool.replaced_by else ""
