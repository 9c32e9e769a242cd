"""What the solver's questions read of a model: where that is equal, so are the answers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from sopforge.language.domain.expressions.expressions import Expression, collect_all_read_fields
from sopforge.language.domain.fields import Entity, Field, Malformed, Role, Sampling
from sopforge.language.domain.guards import GuardLeaf
from sopforge.language.domain.model import (
    DomainModel,
    PolicyConstant,
    Step,
    Tool,
    collect_deciding_expressions,
)
from sopforge.language.domain.rules import Decision
from sopforge.language.domain.tool_checks import list_tool_checks


@dataclass(frozen=True, slots=True)
class Logic:
    """A model without its words, its distractors and the tools that no step calls."""

    start: str
    parts: Mapping[str, str]
    steps: tuple[Step, ...]
    decisions: Mapping[str, Decision]
    constraints: tuple[Expression, ...]
    policy: Mapping[str, PolicyConstant]
    tools: Mapping[str, Tool]
    references: tuple[Entity, ...]
    built_in_checks: Mapping[str, tuple[GuardLeaf, ...]]
    worked_out: frozenset[str]
    fields: Mapping[str, Field]


def derive_logic(model: DomainModel) -> Logic:
    """Return what decides every answer about a model; labels and descriptions are left out."""
    called = {step.call for step in model.steps.values()}
    asked = [tool for tool in model.tools.values() if tool.name in called]
    asked += [
        tool for tool in model.tools.values() if tool.name not in called and _is_new(tool, asked)
    ]
    tools = {tool.name: replace(tool, description="") for tool in asked}
    read = _collect_read_fields(model, tools)
    tools = {name: _drop_unread_results(tool, read) for name, tool in tools.items()}
    returned = {name for tool in model.tools.values() for name in tool.returns}
    return Logic(
        start=model.start,
        parts={name: part.start for name, part in model.parts.items()},
        steps=tuple(replace(item, title="", instruction="") for item in model.steps.values()),
        decisions=model.decisions,
        constraints=model.row_conditions,
        policy=model.policy,
        tools=tools,
        references=tuple(replace(entity, fields=()) for entity in model.references),
        built_in_checks={name: list_tool_checks(model, tool) for name, tool in tools.items()},
        worked_out=frozenset(n for n in returned if model.fields[n].role is not Role.OBSERVED),
        fields={name: _without_words(model.fields[name]) for name in sorted(read)},
    )


def _is_new(tool: Tool, asked: Iterable[Tool]) -> bool:
    """Return whether a tool that no step calls has a guard or effects that no called tool has."""
    # Guards are examined for any call, also those of tools that the procedure never uses.
    own = (tool.kind, tool.takes, tool.guard, tool.effects)
    known = [(other.kind, other.takes, other.guard, other.effects) for other in asked]
    return (tool.guard is not None or bool(tool.effects)) and own not in known


def _drop_unread_results(tool: Tool, read: Collection[str]) -> Tool:
    """Return a tool as it is asked about: without results that nothing reads."""
    return replace(tool, returns=tuple(name for name in tool.returns if name in read))


def _collect_read_fields(model: DomainModel, tools: Mapping[str, Tool]) -> set[str]:
    read = collect_all_read_fields([*model.row_conditions, *collect_deciding_expressions(model)])
    handled = {name for tool in tools.values() for name in tool.takes}
    outcomes = {item.name for item in model.outcomes}
    # Of an entity, it is only read whether there is a record; that is no field.
    return {*read, *handled, *outcomes, *model.decisions} & set(model.fields)


def _without_words(item: Field) -> Field:
    malformed = item.malformed and Malformed(0)
    plain = replace(item, label="", description="", sampling=Sampling(), examples=(), parts=())
    plain = replace(plain, said=None, label_clauses=(), amount_clause=None)
    return replace(plain, malformed=malformed)
