"""Tool level: a tool under another name; a call of it counts as a call of the first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice, zip_longest

from sopforge.artifacts.complexity.added_tools import list_called_tools, shuffle_tools, with_tools
from sopforge.artifacts.complexity.tool_names import iterate_similar_names
from sopforge.artifacts.complexity.variant import Variant
from sopforge.language.domain.documents.schema import HarderLevel
from sopforge.language.domain.model import DomainModel, Tool, ToolKind


class EquivalentTools:
    """Offers ``dose`` tools of the procedure a second time, each once before any again."""

    name = "equivalent_tools"
    level: HarderLevel = "L2"
    usual = 2
    follows: tuple[str, ...] = ()
    is_of_model = True

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        twins = islice(_iterate_twins(variant.model, seed), dose)
        return with_tools(variant, self.name, twins, seed)


def _iterate_twins(model: DomainModel, seed: int) -> Iterator[Tool]:
    """Yield tools under further names, each tool once before any again."""
    tools = shuffle_tools(list_called_tools(model, *ToolKind), seed, "equivalent")
    columns = [
        [(tool, name) for name in iterate_similar_names(tool.name, model.tools)] for tool in tools
    ]
    for tool, name in filter(None, chain.from_iterable(zip_longest(*columns))):
        says = f"{tool.description}; another name for {tool.name}"
        yield replace(tool, name=name, description=says, same_as=tool.name)


OPERATOR = EquivalentTools()
