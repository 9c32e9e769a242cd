"""Toolspecs from the API document, in the shape of Bedrock's ``toolSpec``.

Their schemas keep to the keywords that the interfaces of models and the agent harnesses honour;
what an API document says with others stands in the descriptions.
"""

from __future__ import annotations

import json
from typing import Any

from sopforge.artifacts.rendering.api.arguments import (
    build_arguments_schema,
    get_answer_schema,
    iterate_operations,
    read_api,
)

HONOURED = frozenset(
    {
        *("additionalProperties", "anyOf", "description", "enum", "format", "items", "maximum"),
        *("minimum", "pattern", "properties", "required", "type"),
    }
)
PARAMETERS = "Parameters, all required:"
"""How the part of a description begins that says which parameters there are."""


def render_toolspecs(openapi: str) -> str:
    """Return the toolspecs of every operation of an API document, as a JSON array."""
    document = read_api(openapi)
    specs = [
        {"toolSpec": _build_spec(document, operation)} for operation in iterate_operations(document)
    ]
    return json.dumps(specs, indent=2, ensure_ascii=False) + "\n"


def keep_honoured_keywords(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema with honoured keywords only; its description says what others meant."""
    kept = {
        name: _keep_honoured_parts(name, part) for name, part in schema.items() if name in HONOURED
    }
    said = "; ".join(filter(None, [schema.get("description", ""), *_describe_limits(schema)]))
    return {**kept, **({"description": said} if said else {})}


def _keep_honoured_parts(name: str, part: Any) -> Any:  # noqa: ANN401 - any part of a schema
    match part:
        case dict() if name == "properties":
            return {key: keep_honoured_keywords(value) for key, value in part.items()}
        case dict():
            return keep_honoured_keywords(part)
        case list() if name == "anyOf":
            return [keep_honoured_keywords(value) for value in part]
        case _:
            return part


def _describe_limits(schema: dict[str, Any]) -> list[str]:
    """Return in words what keywords say that are left out; how long texts may be is no news."""
    words = []
    if "maxItems" in schema:
        words.append(f"at most {schema['maxItems']} items")
    if schema.get("uniqueItems"):
        words.append("each at most once")
    return words


def _build_spec(document: dict[str, Any], operation: dict[str, Any]) -> dict[str, Any]:
    schema = build_arguments_schema(document, operation)
    answer = get_answer_schema(document, operation)
    parts = [
        # What an author says of its own; derived documents have none of it.
        operation.get("description", ""),
        f"{operation['summary'].rstrip('.')}.",
        _describe_parameters(schema),
        _describe_results(answer),
    ]
    return {
        "name": operation["operationId"],
        "description": " ".join(filter(None, parts)),
        "inputSchema": {"json": keep_honoured_keywords(schema)},
    }


def _describe_parameters(schema: dict[str, Any]) -> str:
    """Name the parameters in words, for agents that are shown the description only."""
    parts = [f"{name} ({_describe_type(part)})" for name, part in schema["properties"].items()]
    return f"{PARAMETERS} {', '.join(parts)}."


def _describe_results(schema: dict[str, Any]) -> str:
    return f"Returns {', '.join(schema['properties'])}." if schema["properties"] else ""


def _describe_type(schema: dict[str, Any]) -> str:
    if "anyOf" in schema:
        return " or ".join(_describe_type(part) for part in schema["anyOf"])
    if "enum" in schema:
        return "one of " + " | ".join(schema["enum"])
    if schema["type"] == "array" and "enum" in schema["items"]:
        return f"list of any of {' | '.join(schema['items']['enum'])}; [] for none"
    if schema["type"] == "array":
        return f"list of objects with {', '.join(schema['items']['properties'])}; [] for none"
    if schema.get("format") == "date":
        return "date as year-month-day"
    return str(schema["type"])
