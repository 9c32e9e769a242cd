"""Tool level: tools that show what was on file earlier, and that the SOP forbids by name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from sopforge.artifacts.complexity.added_fields import is_free, make_field
from sopforge.artifacts.complexity.added_tools import (
    list_case_lookups,
    shuffle_tools,
    with_fields,
    with_tools,
)
from sopforge.artifacts.complexity.tool_names import iterate_ended_names
from sopforge.artifacts.complexity.variant import Variant
from sopforge.language.domain.documents.schema import HarderLevel
from sopforge.language.domain.fields import Field, Role
from sopforge.language.domain.model import DomainModel, Tool
from sopforge.language.domain.values.types import BooleanType, DateType, EnumType, NumberType

_ENDINGS = ("Legacy", "Classic", "Snapshot", "Archive", "Mirror", "Extract", "Former", "Old")


class SupersededTools:
    """Adds up to ``dose`` look-ups of earlier values, each of which the SOP forbids."""

    name = "superseded_tools"
    level: HarderLevel = "L2"
    usual = 1
    follows: tuple[str, ...] = ()
    is_of_model = True

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        for tool, earlier in islice(_iterate_old_tools(variant.model, seed), dose):
            model = with_fields(variant.model, earlier)
            changed = replace(variant, model=model)
            variant = with_tools(changed, self.name, [tool], seed)
        return variant


def _iterate_old_tools(model: DomainModel, seed: int) -> Iterator[tuple[Tool, list[Field]]]:
    lookups = shuffle_tools(list_case_lookups(model), seed, "superseded")
    fields = {tool.name: _make_earlier_fields(model, tool) for tool in lookups}
    usable = [tool for tool in lookups if fields[tool.name]]
    names = {
        tool.name: list(iterate_ended_names(tool.name, _ENDINGS, model.tools)) for tool in usable
    }
    for turn in range(max(map(len, names.values()), default=0)):
        for tool in usable:
            if turn < len(names[tool.name]):
                earlier = fields[tool.name]
                yield _make_old_tool(tool, names[tool.name][turn], earlier), earlier


def _make_old_tool(tool: Tool, name: str, earlier: list[Field]) -> Tool:
    says = f"{tool.description}, as of an earlier date"
    shown = tuple(item.name for item in earlier)
    return replace(tool, name=name, description=says, returns=shown, replaced_by=tool.name)


def _make_earlier_fields(model: DomainModel, tool: Tool) -> list[Field]:
    """Return fields for the earlier values of what a look-up returns."""
    # Of other kinds, `render_variant_document` can write no field.
    plain = EnumType | NumberType | DateType | BooleanType
    shown = [item for item in model.list_tool_results(tool) if isinstance(item.type, plain)]
    return [_make_earlier_field(item) for item in shown if is_free(model, f"earlier_{item.name}")]


def _make_earlier_field(item: Field) -> Field:
    says = f"{item.description}, as of an earlier date"
    name, label = f"earlier_{item.name}", f"earlier {item.label}"
    return make_field(name, Role.OBSERVED, item.type, says, label)


OPERATOR = SupersededTools()
