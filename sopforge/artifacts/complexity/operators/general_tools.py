"""Tool level: services of the trade, or such as any organisation has; of no use to a case."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from sopforge.artifacts.complexity.added_tools import with_fields, with_tools
from sopforge.artifacts.complexity.details import make_detail_field
from sopforge.artifacts.complexity.trade.services import (
    iterate_trade_services,
    list_office_services,
)
from sopforge.artifacts.complexity.variant import Variant
from sopforge.artifacts.material.own_fields import is_free
from sopforge.language.domain.documents.schema import HarderLevel
from sopforge.language.domain.fields import Field, Role
from sopforge.language.domain.model import Tool, ToolKind
from sopforge.seeds import permute_items


class GeneralTools:
    """Adds ``dose`` look-ups of what else there is on a case: letters, notes, layouts, rotas."""

    name = "general_tools"
    level: HarderLevel = "L2"
    usual = 6
    follows: tuple[str, ...] = ("equivalent_tools", "partial_tools", "superseded_tools")
    is_of_model = True

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        for tool, shown in islice(_iterate_services(variant, seed), dose):
            changed = replace(variant, model=with_fields(variant.model, [shown]))
            variant = with_tools(changed, self.name, [tool], seed)
        return variant


def _iterate_services(variant: Variant, seed: int) -> Iterator[tuple[Tool, Field]]:
    """Yield the services that were written for the domain, its own, then those of other offices."""
    model, setting = variant.model, variant.setting
    own = [
        *permute_items(variant.material.services, seed, "general"),
        *permute_items(list(iterate_trade_services(setting)), seed, "general"),
    ]
    names = {item.tool for item in own}
    offices = permute_items(list_office_services(setting), seed, "general")
    for item in (*own, *(other for other in offices if other.tool not in names)):
        if item.tool not in model.tools and is_free(model, item.shows.name):
            shown = replace(make_detail_field(item.shows), role=Role.OBSERVED)
            takes, returns = (model.key,), (shown.name,)
            yield Tool(item.tool, ToolKind.LOOKUP, item.description, takes, returns), shown


OPERATOR = GeneralTools()
