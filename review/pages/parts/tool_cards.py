"""Tools as cards: what each does, takes and returns, what it changes, and how it refuses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from sopforge.language.domain.expressions.expressions import Choice, Expression, Missing, Read
from sopforge.language.domain.fields import Field
from sopforge.language.domain.guards import GuardLeaf, list_guard_checks
from sopforge.language.domain.model import DomainModel, Tool, ToolKind
from sopforge.language.domain.tool_checks import (
    INVALID_PARAMETER,
    OUT_OF_RANGE,
    SAME_RECORD,
    UNKNOWN_RECORD,
    build_writing_checks,
)
from sopforge.language.domain.values.types import NumberType
from sopforge.language.english.words import phrase_expression
from sopforge.language.logic.tool_calls import RECORD_MISMATCH

KINDS: Mapping[ToolKind, str] = {
    ToolKind.LOOKUP: "looks something up",
    ToolKind.COMPUTE: "calculates something",
    ToolKind.ACTION: "does something",
}


@dataclass(frozen=True, slots=True)
class Refusal:
    """A code, and the cases in which a tool refuses with it."""

    code: str
    when: str


@dataclass(frozen=True, slots=True)
class ShownChange:
    """What an action changes: a field, and what it becomes in each condition, tried in order.

    ``place`` is the table and column, empty where no table holds it. The last condition is empty.
    """

    label: str
    place: str
    becomes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ToolCard:
    """A tool in words; ``called`` are the steps that call it."""

    name: str
    kind: str
    description: str
    takes: tuple[tuple[str, str], ...]
    returns: tuple[tuple[str, str], ...]
    requires: tuple[str, ...]
    changes: tuple[ShownChange, ...]
    refusals: tuple[Refusal, ...]
    called: tuple[tuple[str, str], ...]
    note: str


def build_tool_cards(model: DomainModel) -> tuple[ToolCard, ...]:
    """Return the tools as agents call them, those that the procedure calls first."""
    called = {model.tools[name].offered_name for name in model.called}
    ordered = sorted(model.offered.tools.values(), key=lambda tool: tool.name not in called)
    return tuple(build_tool_card(model, tool) for tool in ordered)


def build_tool_card(model: DomainModel, tool: Tool) -> ToolCard:
    """Return a tool as a card, in the terms of those who call it."""
    offered = model.offered
    checks = list_guard_checks(tool.guard)
    return ToolCard(
        tool.name,
        KINDS[tool.kind],
        tool.description,
        tuple((item.name, item.label) for item in offered.list_tool_parameters(tool)),
        tuple((item.name, item.label) for item in offered.list_tool_results(tool)),
        tuple(phrase_expression(check.test, offered.fields) for check in checks),
        tuple(_iterate_changes(offered, tool)),
        tuple(_iterate_refusals(offered, tool)),
        tuple(
            (step.id, step.title)
            for step in model.steps.values()
            if step.call is not None and model.tools[step.call].offered_name == tool.name
        ),
        _describe_replacement(tool),
    )


def _iterate_changes(model: DomainModel, tool: Tool) -> Iterator[ShownChange]:
    for name, value in tool.effects.items():
        item = model.fields[name]
        place = f"{item.table}.{item.column}" if item.table else ""
        yield ShownChange(item.label, place, tuple(_iterate_branches(model, item, value)))


def _iterate_branches(
    model: DomainModel, item: Field, value: Expression
) -> Iterator[tuple[str, str]]:
    """Yield what a field becomes in each condition, tried in order; the last has none."""
    if isinstance(value, Choice):
        when = f"if {phrase_expression(value.condition, model.fields)}"
        yield when, _phrase_new_value(model, item, value.then)
        yield from _iterate_branches(model, item, value.otherwise)
        return
    yield "", _phrase_new_value(model, item, value)


def _phrase_new_value(model: DomainModel, item: Field, value: Expression) -> str:
    match value:
        case Missing():
            return f"is left without a value (“{item.missing}”)"
        case Read(field=name) if name == item.name:
            return "stays as it is"
        case _:
            return f"becomes {phrase_expression(value, model.fields)}"


def _iterate_refusals(model: DomainModel, tool: Tool) -> Iterator[Refusal]:
    """Yield the codes of a tool in the order in which it checks."""
    yield Refusal(INVALID_PARAMETER, "an entry is missing or malformed")
    if tool.kind is not ToolKind.COMPUTE:
        yield Refusal(UNKNOWN_RECORD, "the record does not exist")
    on_tables = any(entity.table for entity in model.list_entities_read(tool))
    if tool.kind is ToolKind.LOOKUP and len(tool.takes) > 1 and not on_tables:
        yield Refusal(RECORD_MISMATCH, "an entry differs from the value on file")
    for check in list_guard_checks(tool.guard):
        yield Refusal(check.refusal, check.says)
    checks = build_writing_checks(model, tool)
    same = [check.says for check in checks if check.refusal == SAME_RECORD]
    if same:
        yield Refusal(SAME_RECORD, "; ".join(same))
    ranges = list(_describe_ranges(model, tool, checks))
    if ranges:
        yield Refusal(OUT_OF_RANGE, "; ".join(ranges))


def _describe_ranges(model: DomainModel, tool: Tool, checks: Iterable[GuardLeaf]) -> Iterator[str]:
    """Yield for what an action writes which range it may not leave, where it could."""
    bounded = {check.id for check in checks if check.refusal == OUT_OF_RANGE}
    for name in tool.effects:
        item = model.fields[name]
        if f"range of {name}" in bounded:
            low, high = (item.type.to_cell(bound) for bound in item.type.bounds)
            unit = f" {item.type.unit}" if isinstance(item.type, NumberType) else ""
            yield f"the {item.label} would leave its range, {low} to {high}{unit}".rstrip()


def _describe_replacement(tool: Tool) -> str:
    if tool.same_as:
        return f"Another name of {tool.same_as}."
    return f"Superseded: use {tool.replaced_by} instead." if tool.replaced_by else ""
