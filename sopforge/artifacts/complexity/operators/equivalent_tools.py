"""Tool level: a tool under another name; a call of it counts as a call of the first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from sopforge.artifacts.complexity.added_tools import list_called_tools, shuffle_tools, with_tools
from sopforge.artifacts.complexity.tool_names import iterate_similar_names
from sopforge.artifacts.complexity.variant import Variant
from sopforge.language.domain.documents.schema import HarderLevel
from sopforge.language.domain.model import Tool, ToolKind


class EquivalentTools:
    """Offers ``dose`` tools of the procedure a second time, each once before any again."""

    name = "equivalent_tools"
    level: HarderLevel = "L2"
    usual = 2
    follows: tuple[str, ...] = ()
    is_of_model = True

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        twins = islice(_iterate_twins(variant, seed), dose)
        return with_tools(variant, self.name, twins, seed)


def _iterate_twins(variant: Variant, seed: int) -> Iterator[Tool]:
    """Return further names of each tool: those written for the domain before made ones."""
    model, own = variant.model, variant.material.twins
    tools = shuffle_tools(list_called_tools(model, *ToolKind), seed, "equivalent")
    # A name that was written for one tool must not be made up for another before.
    taken = {*model.tools, *(twin.tool for twin in own)}
    names = {
        tool.name: [
            *((twin.tool, twin.description) for twin in own if twin.same_as == tool.name),
            *((name, tool.description) for name in iterate_similar_names(tool.name, taken)),
        ]
        for tool in tools
    }
    for turn in range(max(map(len, names.values()), default=0)):
        for tool in tools:
            if turn < len(names[tool.name]):
                name, description = names[tool.name][turn]
                says = f"{description}; another name for {tool.name}"
                yield replace(tool, name=name, description=says, same_as=tool.name)


OPERATOR = EquivalentTools()
