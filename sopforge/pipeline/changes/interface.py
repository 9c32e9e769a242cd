"""What changed in what an agent may call, and whether callers break."""

from __future__ import annotations

import json
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import yaml

from sopforge.artifacts.rendering.api.arguments import read_api
from sopforge.pipeline.changes.schemas import Impact, SchemaChange, compare_schemas
from sopforge.workspace import OPENAPI, TOOLSPECS

Json: TypeAlias = Any
"""Parsed JSON or YAML, of whatever author."""

_UNREADABLE = (AttributeError, KeyError, RecursionError, TypeError, ValueError, yaml.YAMLError)
_METHODS = ("get", "put", "post", "delete", "patch")


@dataclass(frozen=True, slots=True)
class InterfaceChange:
    """A change of a tool; ``level`` is the complexity level that has it, empty for all."""

    tool: str
    impact: Impact
    what: str
    level: str = ""


@dataclass(frozen=True, slots=True)
class _Operation:
    """A tool as a description has it; what the description does not say is None."""

    takes: Mapping[str, Json]
    words: str
    place: str = ""
    returns: Mapping[str, Json] | None = None
    refusals: frozenset[str] = frozenset()


def compare_interfaces(
    old: Mapping[str, str], new: Mapping[str, str], needed: Container[str] | None = None
) -> tuple[InterfaceChange, ...]:
    """Return what changed between two descriptions of the tools; nothing where a side has none.

    Who calls a tool that is gone breaks; where it is known which tools the procedure ``needed``,
    the others were distractors, and are not missed.
    """
    found: list[InterfaceChange] = []
    for name, read in ((TOOLSPECS, _parse_toolspecs), (OPENAPI, _parse_openapi)):
        if name in old and name in new and old[name] != new[name]:
            try:
                found += _compare_tools(read(old[name]), read(new[name]), needed)
            except _UNREADABLE:
                # The stage's own checks say why; what cannot be read cannot be called either.
                found.append(InterfaceChange(name, Impact.BREAKING, "one side cannot be read"))
    # Toolspecs follow from the API, so that both mostly report the same change.
    return tuple(dict.fromkeys(found))


def _compare_tools(
    old: Mapping[str, _Operation], new: Mapping[str, _Operation], needed: Container[str] | None
) -> Iterator[InterfaceChange]:
    for tool in {**new, **old}:
        if tool not in old:
            yield InterfaceChange(tool, Impact.COMPATIBLE, "the tool is new")
        elif tool not in new:
            is_missed = needed is None or tool in needed
            impact = Impact.BREAKING if is_missed else Impact.COMPATIBLE
            note = "" if is_missed else "; no step called it"
            yield InterfaceChange(tool, impact, f"the tool is gone{note}")
        else:
            for impact, what in _compare_operation(old[tool], new[tool]):
                yield InterfaceChange(tool, impact, what)


def _compare_operation(old: _Operation, new: _Operation) -> Iterator[SchemaChange]:
    yield from compare_schemas("it takes", old.takes, new.takes)
    if old.returns is not None and new.returns is not None:
        yield from compare_schemas("it returns", old.returns, new.returns, is_result=True)
    if old.place != new.place:
        yield Impact.BREAKING, f"it is called by {new.place}, no longer by {old.place}"
    for code in sorted(new.refusals - old.refusals):
        yield Impact.COMPATIBLE, f"it may refuse with {code}"
    for code in sorted(old.refusals - new.refusals):
        yield Impact.COMPATIBLE, f"it no longer refuses with {code}"
    if old.words != new.words:
        yield Impact.WORDING, "its description is reworded"


def _parse_toolspecs(text: str) -> dict[str, _Operation]:
    found = {}
    for entry in json.loads(text):
        spec = entry["toolSpec"]
        found[spec["name"]] = _Operation(spec["inputSchema"]["json"], spec.get("description", ""))
    return found


def _parse_openapi(text: str) -> dict[str, _Operation]:
    whole = read_api(text)
    found = {}
    for path, item in whole.get("paths", {}).items():
        for method in [name for name in _METHODS if name in item]:
            operation = item[method]
            name = operation.get("operationId", f"{method} {path}")
            found[name] = _parse_operation(whole, operation, f"{method.upper()} {path}")
    return found


def _parse_operation(whole: Json, operation: Json, place: str) -> _Operation:
    parameters = [_resolve_references(whole, item) for item in operation.get("parameters", ())]
    body = _find_content_schema(whole, operation.get("requestBody", {}))
    properties = {
        item["name"]: {**item.get("schema", {}), "description": item.get("description", "")}
        for item in parameters
    }
    required = [item["name"] for item in parameters if item.get("required")]
    takes = {
        "type": "object",
        "properties": {**properties, **body.get("properties", {})},
        "required": [*required, *body.get("required", ())],
    }
    replies = {str(code): reply for code, reply in operation.get("responses", {}).items()}
    good: Json = next((reply for code, reply in replies.items() if code.startswith("2")), {})
    words = f"{operation.get('summary', '')}\n{operation.get('description', '')}"
    refusals = {
        code
        for status, reply in replies.items()
        if not status.startswith("2")
        for code in _collect_refusal_codes(_find_content_schema(whole, reply))
    }
    return _Operation(takes, words, place, _find_content_schema(whole, good), frozenset(refusals))


def _find_content_schema(whole: Json, part: Json) -> Json:
    """Return the schema of what is sent, empty where nothing is."""
    kinds = _resolve_references(whole, part).get("content", {})
    media: Json = next(iter(kinds.values()), {})
    found: Json = _resolve_references(whole, media.get("schema", {}))
    return found


def _collect_refusal_codes(schema: Json) -> Iterator[str]:
    """Return the codes that a refusal's schema lists, wherever it does."""
    code = schema.get("properties", {}).get("code", {})
    yield from (str(item) for item in code.get("enum", ()))
    for part in schema.get("allOf", ()):
        yield from _collect_refusal_codes(part)


def _resolve_references(whole: Json, value: Json, inside: tuple[str, ...] = ()) -> Json:
    """Return a part of the document with what it refers to in its place, but not within itself."""
    if isinstance(value, list):
        return [_resolve_references(whole, item, inside) for item in value]
    if not isinstance(value, dict):
        return value
    reference = value.get("$ref")
    if reference in inside:
        return value
    if isinstance(reference, str) and reference.startswith("#/"):
        found = whole
        for part in reference[2:].split("/"):
            found = found[part]
        others = {name: item for name, item in value.items() if name != "$ref"}
        return {
            **_resolve_references(whole, found, (*inside, reference)),
            **_resolve_references(whole, others, inside),
        }
    return {name: _resolve_references(whole, item, inside) for name, item in value.items()}
