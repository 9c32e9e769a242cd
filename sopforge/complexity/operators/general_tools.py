"""Tool level: services of the trade, or such as any organisation has; of no use to a case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from sopforge.complexity.added_fields import make_field
from sopforge.complexity.added_tools import is_free, with_fields, with_tools
from sopforge.complexity.details import make_detail_field
from sopforge.complexity.tool_names import format_camel_case
from sopforge.complexity.trade.services import iterate_trade_services
from sopforge.complexity.variant import Variant
from sopforge.domain.documents.schema import HarderLevel
from sopforge.domain.fields import Field, Role
from sopforge.domain.model import DomainModel, Tool, ToolKind
from sopforge.domain.values.types import EnumType
from sopforge.material.material import Service
from sopforge.material.pools.catalogue import OFFICES, SERVICES
from sopforge.material.pools.catalogue import Service as OfficeService
from sopforge.seeds import permute_index


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
    model = variant.model
    written = variant.material.services
    made = list(iterate_trade_services(variant.setting))
    own = [*_shuffle(written, seed), *_shuffle(made, seed)]
    for item in own:
        if item.tool not in model.tools and is_free(model, item.shows.name):
            shown = replace(make_detail_field(item.shows), role=Role.OBSERVED)
            yield _make_lookup(item.tool, item.description, model, shown), shown
    names = {item.tool for item in own}
    yield from (
        found for found in _iterate_office_services(model, seed) if found[0].name not in names
    )


def _shuffle(items: Sequence[Service], seed: int) -> list[Service]:
    size = len(items)
    return [items[permute_index(place, size, seed, "general")] for place in range(size)]


def _iterate_office_services(model: DomainModel, seed: int) -> Iterator[tuple[Tool, Field]]:
    every = [(office, service) for office in OFFICES for service in SERVICES]
    for place in range(len(every)):
        office, service = every[permute_index(place, len(every), seed, "general")]
        name = service.tool.format(format_camel_case(office))
        field = service.field.format(office.replace(" ", "_"))
        if name not in model.tools and is_free(model, field):
            shown = _make_service_field(field, service, office)
            says = service.says.format(office=office, case=model.case.name.replace("_", " "))
            yield _make_lookup(name, says, model, shown), shown


def _make_lookup(name: str, says: str, model: DomainModel, shown: Field) -> Tool:
    return Tool(name, ToolKind.LOOKUP, says, (model.key,), (shown.name,))


def _make_service_field(name: str, service: OfficeService, office: str) -> Field:
    says = service.means.format(office=office)
    return make_field(name, Role.OBSERVED, EnumType(service.values), says)


OPERATOR = GeneralTools()
