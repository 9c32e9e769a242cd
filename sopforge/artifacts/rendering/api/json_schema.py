"""JSON Schemas of fields, in the keywords that agent harnesses honour."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sopforge.artifacts.rendering.pattern_regex import as_regex
from sopforge.artifacts.rendering.pattern_words import describe_form
from sopforge.artifacts.rendering.tools.kinds import takes_missing
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import (
    AtomType,
    ListType,
    MomentType,
    NumberType,
    ScalarType,
    SetType,
    TextType,
    ValueType,
)

Schema = dict[str, Any]
_ANY_TEXT: Schema = {"type": "string", "minLength": 1, "maxLength": 200}


def build_object_schema(properties: Mapping[str, Schema]) -> Schema:
    """Return the schema of objects that have all of these properties."""
    return {"type": "object", "properties": dict(properties), "required": list(properties)}


def build_field_schemas(model: DomainModel) -> dict[str, Schema]:
    """Return the schemas of all that tools take and return, by name."""
    found: dict[str, Schema] = {}
    for tool in model.tools.values():
        taken = [(item, takes_missing(item, tool)) for item in model.list_tool_parameters(tool)]
        returned = [(item, bool(item.missing)) for item in model.list_tool_results(tool)]
        for item, with_missing in (*taken, *returned):
            name = name_schema(item, with_missing=with_missing)
            found[name] = build_field_schema(item, with_missing=with_missing)
    return found


def name_schema(item: Field, *, with_missing: bool) -> str:
    """Return the name of the schema of a field's values; no other field has such a one."""
    return f"{item.name}.or_missing" if with_missing and item.missing else item.name


def build_field_schema(item: Field, *, with_missing: bool) -> Schema:
    """Return the schema of a field's values."""
    described = {"description": _describe_field(item, with_missing=with_missing)}
    schema = _build_type_schema(item)
    if not with_missing or not item.missing:
        return {**schema, **described}
    if "enum" in schema:
        return {**schema, **described, "enum": [*schema["enum"], item.missing]}
    return {**described, "anyOf": [schema, {"type": "string", "enum": [item.missing]}]}


def _describe_field(item: Field, *, with_missing: bool) -> str:
    text = _describe_value(item.description, item.type)
    if item.malformed:
        return f"{text}; well formed as {describe_form(item)}"
    if not item.missing:
        return text
    if with_missing:
        return f"{text}; '{item.missing}' where there is none, never null"
    return f"{text}; must be given: neither '{item.missing}' nor null is taken"


def _build_type_schema(item: Field) -> Schema:
    kind = item.type
    if item.malformed:
        # A pattern would keep harnesses from making the call that is to be refused.
        return dict(_ANY_TEXT)
    if isinstance(kind, ListType):
        described = {part.name: part.description for part in item.parts}
        return {
            "type": "array",
            "items": _build_item_schema(kind, described),
            "maxItems": kind.size,
        }
    return _build_atom_schema(kind)


def _build_item_schema(kind: ListType, described: Mapping[str, str]) -> Schema:
    return {
        "type": "object",
        "properties": {
            name: {
                **_build_atom_schema(part),
                "description": _describe_value(described[name], part),
            }
            for name, part in kind.fields
        },
        "required": [name for name, _ in kind.fields],
        "additionalProperties": False,
    }


def _build_atom_schema(kind: AtomType) -> Schema:
    match kind:
        case ScalarType():
            return kind.build_schema()
        case SetType():
            items = {"type": "string", "enum": list(kind.values)}
            return {"type": "array", "items": items, "uniqueItems": True}
        case TextType() if kind.pattern:
            return {"type": "string", "pattern": f"^{as_regex(kind.pattern)}$"}
        case _:
            # Tools refuse blanks alone, which the length lets pass.
            return {**_ANY_TEXT, "pattern": r"\S"}


def _describe_value(words: str, kind: ValueType) -> str:
    text = words[0].upper() + words[1:]
    if isinstance(kind, NumberType) and kind.unit:
        return f"{text}, in {kind.unit}"
    if isinstance(kind, SetType | ListType):
        of = "labels" if isinstance(kind, SetType) else "objects"
        return f"{text}; a JSON list of {of}, [] for '{kind.empty}'"
    if isinstance(kind, MomentType):
        # Between which days or times a value lies, no keyword can say.
        low, high = kind.bound_cells
        between = "" if kind == kind.widen() else f", from {low} to {high}"
        return f"{text}, as {kind.form}{between}"
    return text
