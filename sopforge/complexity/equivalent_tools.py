"""Tool level: a tool under another name; a call of it counts as a call of the first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from sopforge.complexity.added_tools import called_tools, mixed, with_tools
from sopforge.complexity.tool_names import like_names
from sopforge.complexity.variant import Variant
from sopforge.domain.model import DomainModel, Tool, ToolKind


class EquivalentTools:
    """Offers ``dose`` tools of the procedure a second time, each once before any again."""

    name = "equivalent_tools"

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        twins = islice(_twins(variant.model, seed), dose)
        return with_tools(variant, self.name, twins, seed)


def _twins(model: DomainModel, seed: int) -> Iterator[Tool]:
    tools = mixed(called_tools(model, *ToolKind), seed, "equivalent")
    names = {tool.name: list(like_names(tool.name, model.tools)) for tool in tools}
    for turn in range(max(map(len, names.values()), default=0)):
        for tool in tools:
            if turn < len(names[tool.name]):
                name = names[tool.name][turn]
                says = f"{tool.description}; the same service as {tool.name}"
                yield replace(tool, name=name, description=says, same_as=tool.name)


OPERATOR = EquivalentTools()
