"""Tool level: services of the trade, or such as any organisation has; of no use to a case."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from sopforge.artifacts.complexity.added_fields import is_free
from sopforge.artifacts.complexity.added_tools import with_fields, with_tools
from sopforge.artifacts.complexity.trade.services import iterate_services
from sopforge.artifacts.complexity.variant import Variant
from sopforge.language.domain.documents.schema import HarderLevel


class GeneralTools:
    """Adds ``dose`` look-ups of what else there is on a case: letters, notes, layouts, rotas."""

    name = "general_tools"
    level: HarderLevel = "L2"
    usual = 6
    follows: tuple[str, ...] = ("equivalent_tools", "partial_tools", "superseded_tools")
    is_of_model = True

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        model = variant.model
        free = (
            (tool, shown)
            for tool, shown in iterate_services(variant.setting, model.key, seed)
            if tool.name not in model.tools and is_free(model, shown.name)
        )
        for tool, shown in islice(free, dose):
            changed = replace(variant, model=with_fields(variant.model, [shown]))
            variant = with_tools(changed, self.name, [tool], seed)
        return variant


OPERATOR = GeneralTools()
