"""The services as reference pages: what each operation takes, returns and refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import yaml

from review.artifact import Artifact
from review.pages.page import Page, Query
from review.pages.parts.schema_words import Schema, describe_schema, resolve_reference
from sopforge.errors import Fault, MaterialError
from sopforge.workspace import OPENAPI

METHODS = ("get", "put", "post", "patch", "delete", "head", "options", "trace")
# RecursionError: a reference may lead back to itself.
UNREADABLE = (
    *(yaml.YAMLError, AttributeError, LookupError, RecursionError),
    *(TypeError, ValueError),
)
"""What reading raises on a document that lacks a part; its findings say which."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A value that an operation takes or returns: where it stands, and what it may be."""

    name: str
    values: str
    meaning: str
    example: str = ""
    place: str = ""
    is_required: bool = True


@dataclass(frozen=True, slots=True)
class Failure:
    """An answer other than success: its codes, and an example of the message of each."""

    status: str
    meaning: str
    codes: tuple[str, ...]
    examples: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of a service, with an example of a call and of its answer."""

    name: str
    method: str
    path: str
    summary: str
    description: str
    takes: tuple[Parameter, ...]
    returns: tuple[Parameter, ...]
    request: str
    answer: str
    failures: tuple[Failure, ...]
    links: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """An OpenAPI description as people read it."""

    title: str
    description: str
    servers: tuple[tuple[str, str], ...]
    operations: tuple[Operation, ...]
    schemas: tuple[Parameter, ...]


def build_page(artifact: Artifact, query: Query) -> Page:  # noqa: ARG001 - there is one page of it
    """Return the page of a description; raises ``MaterialError`` where it is none."""
    text = artifact.workspace.files[OPENAPI]
    return Page(
        "pages/api.html.j2",
        {
            "api": parse_reference(text),
            "text": text,
            "tools": artifact.workspace.model.offered.tools,
        },
    )


@lru_cache(maxsize=16)
def parse_reference(text: str) -> Reference:
    """Return a description as people read it.

    Raises:
        MaterialError: it is not a description of operations.
    """
    try:
        document = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506
        return _build_reference(document)
    except UNREADABLE as cause:
        message = f"it cannot be read as an OpenAPI description: {cause}"
        hint = "see the OpenAPI specification 3.1, or ask for changes"
        raise MaterialError(Fault("openapi-invalid", message[:500], OPENAPI, hint)) from cause


def _build_reference(document: Mapping[str, Any]) -> Reference:
    info = document["info"]
    schemas = document.get("components", {}).get("schemas", {})
    return Reference(
        str(info["title"]),
        " ".join(str(info[name]) for name in ("summary", "description") if name in info),
        tuple(
            (str(item["url"]), str(item.get("description", "")))
            for item in document.get("servers", ())
        ),
        tuple(_iterate_operations(document)),
        tuple(_build_parameter(str(name), part, document) for name, part in schemas.items()),
    )


def _iterate_operations(document: Mapping[str, Any]) -> Iterator[Operation]:
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                shared = item.get("parameters", ())
                yield _build_operation(path, method, shared, item[method], document)


def _build_operation(
    path: str,
    method: str,
    shared: Sequence[Schema],
    found: Schema,
    document: Schema,
) -> Operation:
    given = [resolve_reference(part, document) for part in (*shared, *found.get("parameters", ()))]
    body = _get_json_content(resolve_reference(found.get("requestBody", {}), document))
    answers = {
        str(code): resolve_reference(part, document) for code, part in found["responses"].items()
    }
    right = next((part for code, part in answers.items() if code.startswith("2")), {})
    result = _get_json_content(right)
    return Operation(
        str(found.get("operationId", f"{method} {path}")),
        method.upper(),
        str(path),
        str(found.get("summary", "")),
        str(found.get("description", "")),
        (
            *(_build_operation_parameter(part, document) for part in given),
            *_iterate_properties(body.get("schema", {}), "body", document),
        ),
        tuple(_iterate_properties(result.get("schema", {}), "", document)),
        _format_example(body),
        _format_example(result),
        tuple(
            _build_failure(code, part, document)
            for code, part in answers.items()
            if not code.startswith("2")
        ),
        tuple(
            (str(name), str(link.get("description", "")))
            for name, link in right.get("links", {}).items()
        ),
    )


def _build_operation_parameter(part: Schema, document: Schema) -> Parameter:
    about = {key: part[key] for key in ("description", "example") if key in part}
    found = _build_parameter(str(part["name"]), {**part.get("schema", {}), **about}, document)
    return replace(found, place=str(part["in"]), is_required=bool(part.get("required")))


def _iterate_properties(schema: Schema, place: str, document: Schema) -> Iterator[Parameter]:
    schema = resolve_reference(schema, document)
    required = schema.get("required", ())
    for name, part in schema.get("properties", {}).items():
        found = _build_parameter(str(name), part, document)
        yield replace(found, place=place, is_required=name in required)


def _build_parameter(name: str, schema: Schema, document: Schema) -> Parameter:
    """Return what a schema says of a value; what stands beside a reference prevails."""
    beside = {key: value for key, value in schema.items() if key != "$ref"}
    whole = {**resolve_reference(schema, document), **beside}
    example = _format_value(whole["example"]) if "example" in whole else ""
    return Parameter(
        name, describe_schema(whole, document), str(whole.get("description", "")), example
    )


def _get_json_content(part: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = part.get("content", {}).get("application/json", {})
    return found


def _format_example(part: Mapping[str, Any]) -> str:
    return _format_value(part["example"]) if "example" in part else ""


def _build_failure(code: str, part: Mapping[str, Any], document: Schema) -> Failure:
    content = _get_json_content(part)
    schema = content.get("schema", {})
    parts = [resolve_reference(item, document) for item in (schema, *schema.get("allOf", ()))]
    codes = [
        str(value)
        for item in parts
        for value in item.get("properties", {}).get("code", {}).get("enum", ())
    ]
    examples = [
        (str(item["value"].get("code", "")), str(item["value"].get("message", "")))
        for item in content.get("examples", {}).values()
    ]
    return Failure(code, str(part.get("description", "")), tuple(codes), tuple(examples))


def _format_value(value: object) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, indent=1, default=str)
