"""Tool level: services of the trade, or such as any organisation has; of no use to a case."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from sopforge.complexity.added_fields import made_field
from sopforge.complexity.added_tools import is_free, with_fields, with_tools
from sopforge.complexity.pools.catalogue import OFFICES, SERVICES, Service
from sopforge.complexity.pools.details import detail_field
from sopforge.complexity.tool_names import camel
from sopforge.complexity.variant import Variant
from sopforge.domain.documents.schema import HarderLevel
from sopforge.domain.fields import Field, Role
from sopforge.domain.model import DomainModel, Tool, ToolKind
from sopforge.domain.values.types import EnumType
from sopforge.seeds import permuted


class GeneralTools:
    """Adds ``dose`` look-ups of what others have on a case: of offices hours, rooms, notices."""

    name = "general_tools"
    level: HarderLevel = "L2"
    usual = 6
    follows: tuple[str, ...] = ("equivalent_tools", "partial_tools", "superseded_tools")

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        for tool, shown in islice(_services(variant, seed), dose):
            changed = replace(variant, model=with_fields(variant.model, [shown]))
            variant = with_tools(changed, self.name, [tool], seed)
        return variant


def _services(variant: Variant, seed: int) -> Iterator[tuple[Tool, Field]]:
    """Return the services that were written for the domain, then those of other offices."""
    model = variant.model
    own = variant.material.services
    for place in range(len(own)):
        item = own[permuted(place, len(own), seed, "general")]
        if item.tool not in model.tools and is_free(model, item.shows.name):
            shown = replace(detail_field(item.shows), role=Role.OBSERVED)
            yield _look_up(item.tool, item.description, model, shown), shown
    names = {item.tool for item in own}
    yield from (found for found in _offices(model, seed) if found[0].name not in names)


def _offices(model: DomainModel, seed: int) -> Iterator[tuple[Tool, Field]]:
    every = [(office, service) for office in OFFICES for service in SERVICES]
    for place in range(len(every)):
        office, service = every[permuted(place, len(every), seed, "general")]
        name = service.tool.format(camel(office))
        field = service.field.format(office.replace(" ", "_"))
        if name not in model.tools and is_free(model, field):
            shown = _field(field, service, office)
            says = service.says.format(office=office, case=model.case.name.replace("_", " "))
            yield _look_up(name, says, model, shown), shown


def _look_up(name: str, says: str, model: DomainModel, shown: Field) -> Tool:
    return Tool(name, ToolKind.LOOKUP, says, (model.key,), (shown.name,))


def _field(name: str, service: Service, office: str) -> Field:
    says = service.means.format(office=office)
    return made_field(name, Role.OBSERVED, EnumType(service.values), says)


OPERATOR = GeneralTools()
