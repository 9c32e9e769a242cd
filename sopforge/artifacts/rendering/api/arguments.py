"""API documents, and what an operation takes and answers, with all references resolved."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from functools import lru_cache
from typing import Any

import yaml

MOST_CHARACTERS = 1_000_000
DEEPEST = 100
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The quick one, which is part of most builds of the library but not of all."""
_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


def read_api(text: str) -> Any:  # noqa: ANN401 - parsed YAML
    """Return an API document as a value of the caller's own.

    Checks and stages read the same few documents again and again, which takes long. Aliases are
    not read: a few lines of them stand for more than fits into memory, or for themselves.

    Raises:
        YAMLError: it is no YAML, has aliases, or is longer or deeper than what is read.
    """
    # A copy, for callers change what they get, and the parsed one is kept for the next.
    return deepcopy(_parse_yaml(text))


@lru_cache(maxsize=8)
def _parse_yaml(text: str) -> Any:  # noqa: ANN401 - parsed YAML
    if len(text) > MOST_CHARACTERS:
        raise yaml.YAMLError(f"{len(text):,} characters; at most {MOST_CHARACTERS:,} are read")
    _refuse_unbounded(text)
    return yaml.load(text, _LOADER)  # noqa: S506 - both are safe


def _refuse_unbounded(text: str) -> None:
    """Raise ``YAMLError`` for what would be read without end, before any of it is read."""
    depth = 0
    for event in yaml.parse(text, Loader=_LOADER):
        # Ten lists, each of ten aliases to the one before, stand for ten billion values.
        if isinstance(event, yaml.AliasEvent):
            raise yaml.YAMLError("aliases, which begin with *, are not read")
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise yaml.YAMLError(f"values lie within each other more than {DEEPEST} deep")


def iterate_operations(document: Any) -> Iterator[Any]:  # noqa: ANN401 - parsed YAML
    """Return the operations of a document, in its order."""
    for item in document["paths"].values():
        yield from (item[method] for method in _METHODS if method in item)


def build_arguments_schema(document: Any, operation: Any) -> Any:  # noqa: ANN401 - parsed YAML
    """Return the schema of all that an operation takes, wherever it is given."""
    given = resolve_references(document, operation.get("parameters", []))
    properties = {item["name"]: item["schema"] for item in given}
    required = [item["name"] for item in given if item.get("required")]
    if "requestBody" in operation:
        body = _get_json_schema(resolve_references(document, operation["requestBody"]))
        properties |= body.get("properties", {})
        required += body.get("required", [])
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def get_answer_schema(document: Any, operation: Any) -> Any:  # noqa: ANN401 - parsed YAML
    """Return the schema of an operation's answer."""
    return _get_json_schema(resolve_references(document, operation["responses"]["200"]))


def _get_json_schema(part: Any) -> Any:  # noqa: ANN401 - parsed YAML
    return part["content"]["application/json"]["schema"]


def resolve_references(document: Any, part: Any) -> Any:  # noqa: ANN401 - parsed YAML
    """Return a part of a document with what it refers to in the place of each reference."""
    match part:
        case {"$dynamicRef": _}:
            raise LookupError("$dynamicRef is not followed")
        case {"$ref": str(reference), **beside}:
            found = document
            for step in reference.removeprefix("#/").split("/"):
                found = found[step.replace("~1", "/").replace("~0", "~")]
            # A reference to itself ends in RecursionError, by which checks know a broken document.
            return {**resolve_references(document, found), **resolve_references(document, beside)}
        case dict():
            return {name: resolve_references(document, inner) for name, inner in part.items()}
        case list():
            return [resolve_references(document, inner) for inner in part]
        case _:
            return part
