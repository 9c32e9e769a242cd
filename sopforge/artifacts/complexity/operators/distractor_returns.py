"""Data level: values that the tools of the procedure return and that nothing reads."""

from __future__ import annotations

from dataclasses import replace

from sopforge.artifacts.complexity.added_fields import is_free
from sopforge.artifacts.complexity.added_tools import list_case_lookups, shuffle_tools, with_fields
from sopforge.artifacts.complexity.trade.details import OF_RECORDS
from sopforge.artifacts.complexity.trade.services import make_trade_details
from sopforge.artifacts.complexity.variant import Variant
from sopforge.language.domain.documents.schema import HarderLevel
from sopforge.language.domain.fields import Field, Role
from sopforge.language.domain.model import Tool
from sopforge.seeds import permute_items


class DistractorReturns:
    """Has look-ups return up to ``dose`` further values, the look-ups in turn."""

    name = "distractor_returns"
    level: HarderLevel = "L3"
    usual = 3
    follows: tuple[str, ...] = ()
    is_of_model = True

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        tools = shuffle_tools(list_case_lookups(variant.model), seed, "returns")
        for number, item in enumerate(_list_details(variant, seed)[:dose] if tools else ()):
            variant = _add_return(variant, tools[number % len(tools)].name, item)
        return variant


def _list_details(variant: Variant, seed: int) -> list[Field]:
    """Return details of the trade, then such as any record has in a keyed order."""
    trade = make_trade_details(variant.setting)
    names = {item.name for item in trade}
    others = permute_items([x for x in OF_RECORDS if x.name not in names], seed, "detail")
    return [
        replace(item, role=Role.OBSERVED)
        for item in (*trade, *others)
        if is_free(variant.model, item.name)
    ]


def _add_return(variant: Variant, name: str, item: Field) -> Variant:
    """Return the variant in which a tool, and whatever is the same as it, returns a field too."""
    model = variant.model
    larger = with_fields(model, [item])
    tools = {key: _add_tool_return(tool, name, item) for key, tool in model.tools.items()}
    changed = replace(variant, model=replace(larger, tools=tools))
    text = f"{name} returns {item.name}: {item.description}"
    return changed.with_added(DistractorReturns.name, text)


def _add_tool_return(tool: Tool, name: str, item: Field) -> Tool:
    # Under its other name too, for tools that are called the same and differ are refused.
    is_meant = name in {tool.name, tool.same_as}
    return replace(tool, returns=(*tool.returns, item.name)) if is_meant else tool


OPERATOR = DistractorReturns()
