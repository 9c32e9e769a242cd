"""What the solver's questions read of a model: where that is equal, so are the answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sopforge.domain.expressions import Expression
from sopforge.domain.model import (
    Decision,
    DomainModel,
    Field,
    PolicyConstant,
    Role,
    Sampling,
    Step,
    Tool,
    all_fields_read,
    decision_expressions,
    guard_checks,
)


@dataclass(frozen=True, slots=True)
class Logic:
    """A model without its words, its distractors and the tools that no step calls."""

    start: str
    steps: tuple[Step, ...]
    decisions: Mapping[str, Decision]
    constraints: tuple[Expression, ...]
    policy: Mapping[str, PolicyConstant]
    tools: Mapping[str, Tool]
    worked_out: frozenset[str]
    fields: Mapping[str, Field]


def logic_of(model: DomainModel) -> Logic:
    """Return what decides every answer about a model; labels and descriptions are left out."""
    called = {step.call for step in model.steps.values()}
    tools = {
        name: replace(tool, description="")
        for name, tool in model.tools.items()
        if name in called or tool.guard is not None
    }
    read = _fields_read(model, tools)
    returned = {name for tool in model.tools.values() for name in tool.returns}
    return Logic(
        start=model.start,
        steps=tuple(replace(item, title="", instruction="") for item in model.steps.values()),
        decisions=model.decisions,
        constraints=model.constraints,
        policy=model.policy,
        tools=tools,
        worked_out=frozenset(n for n in returned if model.fields[n].role is not Role.OBSERVED),
        fields={name: _without_words(model.fields[name]) for name in sorted(read)},
    )


def _fields_read(model: DomainModel, tools: Mapping[str, Tool]) -> set[str]:
    expressions = [*model.constraints]
    for decision in model.decisions.values():
        expressions += decision_expressions(decision)
    for step in model.steps.values():
        expressions += [edge.when for edge in step.edges if edge.when is not None]
    for tool in tools.values():
        expressions += [check.test for check in guard_checks(tool.guard)]
    handled = {name for tool in tools.values() for name in (*tool.takes, *tool.returns)}
    outcomes = {item.name for item in model.outcomes}
    return {*all_fields_read(expressions), *handled, *outcomes, *model.decisions}


def _without_words(item: Field) -> Field:
    return replace(item, label="", description="", sampling=Sampling(), examples=())
