"""The API of a model as an OpenAPI 3.1 document: one operation per tool."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from sopforge.artifacts.rendering.api.json_schema import (
    Schema,
    build_field_schemas,
    build_object_schema,
    name_schema,
)
from sopforge.artifacts.rendering.api.links import build_links
from sopforge.artifacts.rendering.api.paths import CALCULATIONS, ApiPlace, assign_places
from sopforge.artifacts.rendering.api.refusal_examples import build_refusal_messages
from sopforge.artifacts.rendering.refusal_codes import list_refusal_codes
from sopforge.artifacts.rendering.tools.kinds import takes_missing
from sopforge.language.domain.documents.yaml_documents import write_document
from sopforge.language.domain.model import DomainModel, Tool
from sopforge.language.domain.tool_checks import INVALID_PARAMETER, UNKNOWN_RECORD
from sopforge.language.english.prose.purpose import describe_purpose

_STATUSES = {INVALID_PARAMETER: "422", UNKNOWN_RECORD: "404"}
_CONFLICT = "409"
_SAID = {
    "404": "There is no such record",
    "409": "The records or the rules do not allow the call",
    "422": "A parameter is missing, not allowed or not known",
}


def render_openapi(model: DomainModel, examples: Mapping[str, Any]) -> str:
    """Return the API as YAML; ``examples`` maps a tool to arguments and a result of one task."""
    model = model.offered
    found = assign_places(model)
    paths: dict[str, dict[str, Any]] = {}
    for tool in model.tools.values():
        place = found[tool.name]
        operation = _build_operation(model, tool, found, examples.get(tool.name, {}))
        paths.setdefault(place.path, {})[place.method] = operation
    document = {
        "openapi": "3.1.0",
        "info": {
            "title": f"{model.title}: services",
            "version": "1.0.0",
            "description": describe_purpose(model),
        },
        "servers": [_build_server(model)],
        "tags": _build_tags(model, found.values()),
        "paths": paths,
        "components": {"schemas": _build_schemas(model, found)},
    }
    return write_document(document)


def _build_server(model: DomainModel) -> dict[str, str]:
    url = f"https://{model.name.replace('_', '-')}.example.com/v1"
    return {"url": url, "description": "An example: the package's tools.py answers the same calls"}


def _build_tags(model: DomainModel, found: Iterable[ApiPlace]) -> list[dict[str, str]]:
    said = {CALCULATIONS: "What is worked out from the parameters alone"}
    for entity in model.entities.values():
        said[entity.name] = f"What is known of a record, found by its {entity.key}"
    return [{"name": tag, "description": said[tag]} for tag in dict.fromkeys(p.tag for p in found)]


def _build_operation(
    model: DomainModel, tool: Tool, found: Mapping[str, ApiPlace], example: Mapping[str, Any]
) -> dict[str, Any]:
    place = found[tool.name]
    given = example.get("arguments", {})
    parameters = [
        _build_parameter(model, tool, name, where, given)
        for where, names in (("path", place.in_path), ("query", place.in_query))
        for name in names
    ]
    body = {"requestBody": _build_request_body(tool, place, given)} if place.in_body else {}
    return {
        "operationId": tool.name,
        "summary": tool.description,
        "tags": [place.tag],
        **({"parameters": parameters} if parameters else {}),
        **body,
        "responses": {
            "200": _build_answer(tool, example, build_links(model, tool, found)),
            **_build_refusals(model, tool),
        },
    }


def _build_parameter(
    model: DomainModel, tool: Tool, name: str, where: str, given: Mapping[str, Any]
) -> dict[str, Any]:
    item = model.fields[name]
    return {
        "name": name,
        "in": where,
        "required": True,
        "description": item.description,
        "schema": _make_reference(name_schema(item, with_missing=takes_missing(item, tool))),
        **({"example": given[name]} if name in given else {}),
    }


def _build_request_body(tool: Tool, place: ApiPlace, given: Mapping[str, Any]) -> dict[str, Any]:
    example = {name: given[name] for name in place.in_body if name in given}
    content = {
        "schema": _make_reference(name_request_schema(tool)),
        **({"example": example} if example else {}),
    }
    return {"required": True, "content": {"application/json": content}}


def _build_answer(
    tool: Tool, example: Mapping[str, Any], links: Mapping[str, Any]
) -> dict[str, Any]:
    content = {
        "schema": _make_reference(name_result_schema(tool)),
        **({"example": example["result"]} if example else {}),
    }
    return {
        "description": "The service answers",
        "content": {"application/json": content},
        **({"links": links} if links else {}),
    }


def _build_refusals(model: DomainModel, tool: Tool) -> dict[str, Any]:
    """Return the responses with which a tool refuses, by status."""
    codes = list_refusal_codes(model, tool)
    messages = build_refusal_messages(model, tool)
    # Sorting keeps the order within a status, so that codes stay in the order of the tool's checks.
    by_status = groupby(sorted(codes, key=_get_status), key=_get_status)
    return {status: _build_refusal(status, list(group), messages) for status, group in by_status}


def _get_status(code: str) -> str:
    return _STATUSES.get(code, _CONFLICT)


def _build_refusal(
    status: str, codes: list[str], messages: Mapping[str, Mapping[str, str]]
) -> dict[str, Any]:
    schema = {
        "allOf": [_make_reference("Refusal"), {"properties": {"code": {"enum": codes}}}],
    }
    examples = {
        name: {"value": {"code": code, "message": text}}
        for code in codes
        for name, text in messages.get(code, {}).items()
    }
    content = {"schema": schema, "examples": examples}
    return {"description": _SAID[status], "content": {"application/json": content}}


def _build_schemas(model: DomainModel, found: Mapping[str, ApiPlace]) -> dict[str, Schema]:
    """Return the schemas of fields, of request bodies and answers, and of refusals."""
    schemas: dict[str, Schema] = dict(build_field_schemas(model))
    for tool in model.tools.values():
        body, place = {}, found[tool.name]
        for item in model.list_tool_parameters(tool):
            if item.name in place.in_body:
                with_missing = takes_missing(item, tool)
                body[item.name] = _make_reference(name_schema(item, with_missing=with_missing))
        if body:
            schemas[name_request_schema(tool)] = {
                **build_object_schema(body),
                "additionalProperties": False,
            }
        answered = {
            item.name: _make_reference(name_schema(item, with_missing=bool(item.missing)))
            for item in model.list_tool_results(tool)
        }
        schemas[name_result_schema(tool)] = build_object_schema(answered)
    return {**schemas, "Refusal": _build_refusal_schema()}


def name_request_schema(tool: Tool) -> str:
    """Return the name of the schema of a tool's request body."""
    return f"{tool.name[0].upper()}{tool.name[1:]}Request"


def name_result_schema(tool: Tool) -> str:
    """Return the name of the schema of a tool's answer."""
    return f"{tool.name[0].upper()}{tool.name[1:]}Result"


def _make_reference(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _build_refusal_schema() -> Schema:
    return {
        **build_object_schema(
            {
                "code": {"type": "string", "description": "Why the call is refused, for programs"},
                "message": {"type": "string", "description": "What is wrong, and what is allowed"},
            }
        ),
        "description": "The answer to a call that cannot be answered",
    }
