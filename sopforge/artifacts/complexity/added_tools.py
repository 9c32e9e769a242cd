"""How tools and fields are put into a model, in an order that shows nothing of their origin."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sopforge.artifacts.complexity.variant import Variant
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel, Tool, ToolKind
from sopforge.seeds import draw, permute_items


def with_tools(variant: Variant, operator: str, tools: Iterable[Tool], seed: int) -> Variant:
    """Return the variant with further tools among its own."""
    model = variant.model
    fresh = {tool.name: tool for tool in tools if tool.name not in model.tools}
    if not fresh:
        return variant
    every = {**model.tools, **fresh}
    # All are ordered anew: at the end of the list, those that were put in would show.
    # An operation stands once in a document: what is bound from it stays together, in its order.
    called = {name: tool.offered_name for name, tool in every.items()}
    order = sorted(every, key=lambda name: (draw(seed, "order", called[name]), called[name]))
    changed = replace(model, tools={name: every[name] for name in order})
    if changed.operations is not None:
        bound = {**changed.operations.tools, **fresh}
        changed = replace(changed, operations=replace(changed.operations, tools=bound))
    texts = (f"{name}: {tool.description}" for name, tool in fresh.items())
    return replace(variant, model=changed).with_added(operator, *texts)


def with_fields(model: DomainModel, added: Iterable[Field]) -> DomainModel:
    """Return the model with further fields in the records of its cases."""
    fresh = {item.name: item for item in added if item.name not in model.fields}
    case = replace(model.case, fields=(*model.case.fields, *fresh))
    entities = {**model.entities, case.name: case}
    return replace(model, fields={**model.fields, **fresh}, entities=entities)


def list_called_tools(model: DomainModel, *kinds: ToolKind) -> list[Tool]:
    """Return the tools of these kinds that steps call, in declared order.

    Operations are not among them: they take what each step hands over, and none is put beside them.
    """
    called = {step.call for step in model.steps.values()}
    return [
        tool
        for tool in model.tools.values()
        if tool.name in called and tool.kind in kinds and not tool.operation
    ]


def list_case_lookups(model: DomainModel) -> list[Tool]:
    """Return the called look-ups that read the record of the case and no other."""
    lookups = list_called_tools(model, ToolKind.LOOKUP)
    return [tool for tool in lookups if model.list_entities_read(tool) == (model.case,)]


def shuffle_tools(tools: list[Tool], seed: int, key: str) -> list[Tool]:
    """Return tools in a keyed order that does not depend on where they stand."""
    return permute_items(sorted(tools, key=lambda tool: tool.name), seed, key)
