"""The API of a model as an OpenAPI 3.1 document: one operation per tool."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from sopforge.domain.documents import write_document
from sopforge.domain.guards import guard_checks
from sopforge.domain.model import INVALID_PARAMETER, UNKNOWN_RECORD, DomainModel, Tool, ToolKind
from sopforge.domain.rules import decision_inputs
from sopforge.logic.tool_calls import RECORD_MISMATCH
from sopforge.rendering.json_schema import parameters_schema, result_schema


def render_openapi(model: DomainModel, examples: Mapping[str, Any]) -> str:
    """Return the API as YAML; ``examples`` maps a tool to arguments and a result of one task."""
    document = {
        "openapi": "3.1.0",
        "info": {
            "title": f"{model.title}: services",
            "version": "1.0.0",
            "description": model.business_task,
        },
        "paths": {
            f"/{path_of(tool.name)}": {"post": _operation(model, tool, examples.get(tool.name, {}))}
            for tool in model.tools.values()
        },
        "components": {"schemas": {"Refusal": _refusal_schema()}},
    }
    return write_document(document)


def path_of(tool: str) -> str:
    """Return a tool's name in the words of a path: ``validateCover`` becomes ``validate-cover``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", tool).lower()


def refusal_codes(tool: Tool) -> tuple[str, ...]:
    """Return the codes with which a tool can refuse, each once."""
    mismatch = [RECORD_MISMATCH] if tool.kind is ToolKind.LOOKUP else []
    guards = [check.refusal for check in guard_checks(tool.guard)]
    return tuple(dict.fromkeys([INVALID_PARAMETER, UNKNOWN_RECORD, *mismatch, *guards]))


def _operation(model: DomainModel, tool: Tool, example: Mapping[str, Any]) -> dict[str, Any]:
    body: dict[str, Any] = {"schema": parameters_schema(model, tool)}
    reply: dict[str, Any] = {"schema": result_schema(model, tool)}
    if example:
        body["example"], reply["example"] = example["arguments"], example["result"]
    return {
        "operationId": tool.name,
        "summary": tool.description,
        "tags": [tool.kind.value],
        "requestBody": {"required": True, "content": {"application/json": body}},
        "responses": {
            "200": {"description": "The service answers", "content": {"application/json": reply}},
            "422": _refusal_response(tool),
        },
        "x-depends-on": list(_dependencies(model, tool)),
    }


def _dependencies(model: DomainModel, tool: Tool) -> list[str]:
    """Return the tools whose results this tool takes, or that decide what it takes."""
    return [
        other.name
        for other in model.tools.values()
        if other is not tool and set(other.returns) & _sources(model, tool)
    ]


def _sources(model: DomainModel, tool: Tool) -> set[str]:
    decided = [model.decisions[name] for name in tool.takes if name in model.decisions]
    return set(tool.takes).union(*(decision_inputs(decision) for decision in decided))


def _refusal_response(tool: Tool) -> dict[str, Any]:
    codes = refusal_codes(tool)
    schema = {
        "allOf": [
            {"$ref": "#/components/schemas/Refusal"},
            {"properties": {"code": {"enum": list(codes)}}},
        ]
    }
    description = f"The service refuses: {', '.join(codes)}"
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _refusal_schema() -> dict[str, Any]:
    text = {"type": "string"}
    return {
        "type": "object",
        "properties": {"code": text, "message": text},
        "required": ["code", "message"],
    }
