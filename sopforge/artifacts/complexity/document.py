"""A variant's model as a domain document: the plain document with what operators added."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from sopforge.language.domain.documents.yaml_documents import read_document, write_document
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel, Tool
from sopforge.language.domain.requests import add_slots
from sopforge.language.domain.values.types import BooleanType, DateType, EnumType, NumberType


def render_variant_document(plain: str, model: DomainModel) -> str:
    """Return the text of ``domain.yaml`` for a variant of the domain that ``plain`` describes."""
    document: Any = read_document(plain, "domain.yaml").value
    parts = document["model"]
    known = parts.get("tools", {})
    parts["tools"] = {
        tool.offered_name: known[tool.operation]
        if tool.operation
        else _build_tool_entry(tool, model, known)
        for tool in model.tools.values()
    }
    for name, entity in model.entities.items():
        if entity.table:
            continue
        fields = parts["entities"][name]["fields"]
        for item in (model.fields[field] for field in entity.fields):
            # The role may be another one than in the plain document: a distractor becomes an input.
            fields[item.name] = {
                **(fields.get(item.name) or _build_field_entry(item)),
                "role": item.role.value,
            }
    case = parts["entities"][model.case.name]["fields"]
    written = {name for entity in parts["entities"].values() for name in entity["fields"]}
    case.update(
        {
            name: _build_field_entry(model.fields[name])
            for name, item in model.fields.items()
            if name not in written and not item.table
        }
    )
    # What a level adds to the inputs stands below what people write.
    labels = {item.name: item.label for item in model.inputs}
    requests = [add_slots(text, labels) for text in parts.get("requests", ())]
    return write_document(
        {**document, "model": parts | ({"requests": requests} if requests else {})}
    )


def _build_tool_entry(tool: Tool, model: DomainModel, known: Mapping[str, Any]) -> dict[str, Any]:
    if tool.name in known:
        return {**known[tool.name], "returns": list(tool.returns)}
    standing = {"same_as": tool.same_as, "replaced_by": tool.replaced_by}
    return {
        "kind": tool.kind.value,
        "description": tool.description,
        "takes": list(tool.takes),
        "returns": list(tool.returns),
        **_build_guard_entry(tool, model, known),
        **{name: other for name, other in standing.items() if other},
    }


def _build_guard_entry(tool: Tool, model: DomainModel, known: Mapping[str, Any]) -> dict[str, Any]:
    """Return guard and effects as the document says them of the tool from which these are."""
    if tool.guard is None and not tool.effects:
        return {}
    alike = (
        name
        for name in known
        if (model.tools[name].guard, model.tools[name].effects) == (tool.guard, tool.effects)
    )
    # The model has its guards parsed: how they were written stands at the copied tool alone.
    source = known[next(alike)]
    return {part: source[part] for part in ("requires", "effects") if part in source}


def _build_field_entry(item: Field) -> dict[str, Any]:
    common: dict[str, Any] = {
        "role": item.role.value,
        "label": item.label,
        "description": item.description,
    }
    kind = item.type
    match kind:
        case EnumType():
            ordered = {"ordered": True} if kind.is_ordered else {}
            return {**common, "type": "enum", "values": list(kind.values), **ordered}
        case BooleanType():
            clauses = {"yes": item.said.yes, "no": item.said.no} if item.said else {}
            said = {"said": clauses} if clauses else {}
            return {**common, "type": "boolean", **said}
        case DateType():
            bounds = dict(zip(("min", "max"), kind.bound_cells, strict=True))
            return {**common, "type": "date", **bounds}
        case NumberType(places=0):
            whole = {"type": "integer", "min": kind.minimum, "max": kind.maximum}
            return {**common, **whole, "unit": kind.unit}
        case NumberType():
            low, high = map(Decimal, kind.bound_cells)
            shape = {"type": "number", "places": kind.places, "min": low, "max": high}
            return {**common, **shape, "unit": kind.unit}
        case _:
            raise TypeError(f"operators add no field of {kind!r}")
