"""A variant's model as a domain document: the plain document with what operators added."""

from __future__ import annotations

from typing import Any

from sopforge.domain.documents import read_document, write_document
from sopforge.domain.fields import Field
from sopforge.domain.model import DomainModel, Tool
from sopforge.domain.types import EnumType, NumberType


def variant_document(plain: str, model: DomainModel) -> str:
    """Return the text of ``domain.yaml`` for a variant of the domain that ``plain`` describes."""
    document: Any = read_document(plain, "domain.yaml").value
    parts = document["model"]
    tools = parts["tools"]
    parts["tools"] = {name: tools.get(name) or _tool(tool) for name, tool in model.tools.items()}
    entities = [entity["fields"] for entity in parts["entities"].values()]
    for name, item in model.fields.items():
        fields = next((part for part in entities if name in part), entities[0])
        fields[name] = {**(fields.get(name) or _field(item)), "role": item.role.value}
    return write_document(document)


def _tool(tool: Tool) -> dict[str, Any]:
    return {
        "kind": tool.kind.value,
        "description": tool.description,
        "takes": list(tool.takes),
        "returns": list(tool.returns),
    }


def _field(item: Field) -> dict[str, Any]:
    common: dict[str, Any] = {"role": item.role.value, "description": item.description}
    match item.type:
        case EnumType():
            return {**common, "type": "enum", "values": list(item.type.values)}
        case NumberType(places=0):
            bounds = {"min": item.type.minimum, "max": item.type.maximum}
            return {**common, "type": "integer", **bounds}
        case _:
            raise TypeError(f"operators add enum and integer fields only, not {item.type!r}")
