"""Tool level: overview tools that return a part of what a tool of the procedure returns."""

from __future__ import annotations

from dataclasses import replace

from sopforge.complexity.variant import Variant
from sopforge.domain.model import DomainModel, Tool, ToolKind
from sopforge.domain.schema import Level
from sopforge.seeds import permuted


class RedundantTools:
    """Adds up to ``dose`` overviews of look-ups; they tell the truth, but not all of it."""

    name = "redundant tools"
    level: Level = "L2"

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        model = variant.model
        overviews = [_overview(model, tool) for tool in _chosen(model, dose, seed)]
        fresh = {tool.name: tool for tool in overviews if tool.name not in model.tools}
        tools = {**model.tools, **fresh}
        ordered = sorted(
            tools, key=lambda name: permuted(list(tools).index(name), len(tools), seed, "order")
        )
        changed = replace(model, tools={name: tools[name] for name in ordered})
        added = tuple(f"tool {name}: {tool.description}" for name, tool in fresh.items())
        return Variant(changed, variant.sop, variant.added + added)


def _chosen(model: DomainModel, dose: int, seed: int) -> list[Tool]:
    lookups = [
        tool
        for tool in model.tools.values()
        if tool.kind is ToolKind.LOOKUP
        and len(tool.returns) > 1
        and model.entities_read(tool) == (model.case,)
    ]
    order = [permuted(place, len(lookups), seed, "overview") for place in range(len(lookups))]
    return [lookups[place] for place in order[:dose]]


def _overview(model: DomainModel, tool: Tool) -> Tool:
    shown = tool.returns[0]
    name = f"{tool.name}Overview"
    description = f"Give the {model.fields[shown].label} on file at a glance"
    return Tool(name, ToolKind.LOOKUP, description, (model.key,), (shown,))


OPERATOR = RedundantTools()
