"""Tool level: tools that return a part of what a tool of the procedure returns, and no more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from sopforge.artifacts.complexity.added_tools import list_called_tools, shuffle_tools, with_tools
from sopforge.artifacts.complexity.tool_names import LONGEST, format_camel_case, join_ending
from sopforge.artifacts.complexity.variant import Variant
from sopforge.language.domain.documents.schema import HarderLevel
from sopforge.language.domain.model import DomainModel, Tool, ToolKind


class PartialTools:
    """Adds up to ``dose`` look-ups of one value each; all they return is true, but incomplete."""

    name = "partial_tools"
    level: HarderLevel = "L2"
    usual = 3
    follows: tuple[str, ...] = ()
    is_of_model = True

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        parts = islice(_iterate_part_tools(variant.model, seed), dose)
        return with_tools(variant, self.name, parts, seed)


def _iterate_part_tools(model: DomainModel, seed: int) -> Iterator[Tool]:
    lookups = [tool for tool in list_called_tools(model, ToolKind.LOOKUP) if len(tool.returns) > 1]
    tools = shuffle_tools(lookups, seed, "partial")
    for turn in range(max((len(tool.returns) for tool in tools), default=0)):
        for tool in tools:
            if turn < len(tool.returns):
                yield from _derive_part_tool(model, tool, tool.returns[turn])


def _derive_part_tool(model: DomainModel, tool: Tool, shown: str) -> Iterator[Tool]:
    name = join_ending(tool.name, format_camel_case(shown))
    if len(name) <= LONGEST and name not in model.tools:
        says = f"{tool.description}, and return no more than the {model.fields[shown].label}"
        part = replace(tool, name=name, description=says, returns=(shown,))
        read = model.list_entities_read(part)
        keys = {entity.key for entity in read}
        # Of several records, it looks into those that hold what it returns, and compares no more.
        takes = tuple(it for it in tool.takes if it in keys or model.find_owner(it) in read)
        narrow = replace(part, takes=takes)
        if model.list_entities_read(narrow) == read:
            yield narrow


OPERATOR = PartialTools()
