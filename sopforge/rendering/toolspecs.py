"""Toolspecs from the API document, in the shape of Bedrock's ``toolSpec``."""

from __future__ import annotations

import json
from typing import Any

import yaml


def render_toolspecs(openapi: str) -> str:
    """Return the toolspecs of every operation of an API document, as a JSON array."""
    document = yaml.safe_load(openapi)
    operations = [path["post"] for path in document["paths"].values()]
    specs = [{"toolSpec": _spec(operation)} for operation in operations]
    return json.dumps(specs, indent=2, ensure_ascii=False) + "\n"


def _spec(operation: dict[str, Any]) -> dict[str, Any]:
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    return {
        "name": operation["operationId"],
        "description": f"{operation['summary']}. {_parameters(schema)} {_results(operation)}",
        "inputSchema": {"json": schema},
    }


def _parameters(schema: dict[str, Any]) -> str:
    """Name the parameters in words, for agents that are shown the description only."""
    parts = [f"{name} ({_kind(part)})" for name, part in schema["properties"].items()]
    return f"Parameters, all required: {', '.join(parts)}."


def _results(operation: dict[str, Any]) -> str:
    schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
    return f"Returns {', '.join(schema['properties'])}." if schema["properties"] else ""


def _kind(schema: dict[str, Any]) -> str:
    if "anyOf" in schema:
        return " or ".join(_kind(part) for part in schema["anyOf"])
    if "enum" in schema:
        return "one of " + " | ".join(schema["enum"])
    if schema["type"] == "array" and "enum" in schema["items"]:
        return "list of " + " | ".join(schema["items"]["enum"])
    if schema["type"] == "array":
        return f"list of objects with {', '.join(schema['items']['properties'])}"
    return str(schema["type"])
