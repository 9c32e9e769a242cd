"""JSON schemas in words: what values a parameter or a result may have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

Schema: TypeAlias = Mapping[str, Any]
_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "yes or no",
    "array": "a list",
    "object": "an object",
    "null": "nothing",
}
_LIMITS = {
    "minimum": "at least {}",
    "exclusiveMinimum": "more than {}",
    "maximum": "at most {}",
    "exclusiveMaximum": "less than {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} entries",
    "maxItems": "at most {} entries",
    "multipleOf": "a multiple of {}",
    "pattern": "matching {}",
    "format": "as a {}",
}


def resolve_reference(schema: Schema, document: Schema) -> Schema:
    """Return a schema in the place of a reference to it; one that leads nowhere as it stands."""
    reference = str(schema.get("$ref", ""))
    if not reference.startswith("#/"):
        return schema
    found: Schema = document
    for part in reference.removeprefix("#/").split("/"):
        inner = found.get(part.replace("~1", "/").replace("~0", "~"))
        if not isinstance(inner, Mapping):
            return schema
        found = inner
    return found


def describe_schema(schema: Schema, document: Schema) -> str:
    """Return what values a schema allows.

    >>> describe_schema({"type": "integer", "minimum": 0, "maximum": 90}, {})
    'a whole number, at least 0, at most 90'
    """
    schema = resolve_reference(schema, document)
    options = schema.get("anyOf") or schema.get("oneOf")
    if options:
        return ", or ".join(describe_schema(option, document) for option in options)
    if "const" in schema:
        return f"always “{schema['const']}”"
    if "enum" in schema:
        return f"one of: {', '.join(map(str, schema['enum']))}"
    parts = [_describe_type(schema), *_describe_entries(schema, document)]
    parts += [said.format(schema[key]) for key, said in _LIMITS.items() if key in schema]
    return ", ".join(part for part in parts if part)


def _describe_type(schema: Schema) -> str:
    kinds = schema.get("type", ())
    listed = [kinds] if isinstance(kinds, str) else list(kinds)
    return " or ".join(_TYPES.get(str(kind), str(kind)) for kind in listed)


def _describe_entries(schema: Schema, document: Schema) -> list[str]:
    if "items" in schema:
        return [f"each of its entries {describe_schema(schema['items'], document)}"]
    inner = schema.get("properties", {})
    if not inner:
        return []
    parts = "; ".join(f"{name} ({describe_schema(part, document)})" for name, part in inner.items())
    return [f"with {parts}"]
