"""Tool level: services that any organisation has, true and of no use to a case."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from sopforge.complexity.added_fields import made_field
from sopforge.complexity.added_tools import is_free, with_fields, with_tools
from sopforge.complexity.catalogue import OFFICES, SERVICES, Service
from sopforge.complexity.tool_names import camel
from sopforge.complexity.variant import Variant
from sopforge.domain.fields import Field, Role
from sopforge.domain.model import DomainModel, Tool, ToolKind
from sopforge.domain.types import EnumType
from sopforge.seeds import permuted


class GeneralTools:
    """Adds ``dose`` look-ups of what other offices have on a case: hours, rooms, notices."""

    name = "general_tools"

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        for tool, shown in islice(_services(variant.model, seed), dose):
            model = with_fields(variant.model, [shown])
            changed = Variant(model, variant.sop, variant.added)
            variant = with_tools(changed, self.name, [tool], seed)
        return variant


def _services(model: DomainModel, seed: int) -> Iterator[tuple[Tool, Field]]:
    every = [(office, service) for office in OFFICES for service in SERVICES]
    for place in range(len(every)):
        office, service = every[permuted(place, len(every), seed, "general")]
        name = service.tool.format(camel(office))
        field = service.field.format(office.replace(" ", "_"))
        if name not in model.tools and is_free(model, field):
            shown = _field(field, service, office)
            says = service.says.format(office=office, case=model.case.name.replace("_", " "))
            yield Tool(name, ToolKind.LOOKUP, says, (model.key,), (field,)), shown


def _field(name: str, service: Service, office: str) -> Field:
    says = service.means.format(office=office)
    return made_field(name, Role.OBSERVED, EnumType(service.values), says)


OPERATOR = GeneralTools()
