"""Summaries: the sentences that an author or a reviewer may add to an API and to its tools.

All else in API documents and toolspecs is derived from the model. A summary of the whole is the
document's ``info.summary`` and one of an operation its ``description``, which derived documents
do not have; in toolspecs it stands before the derived description.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from sopforge.artifacts.rendering.api.arguments import iterate_operations, read_api
from sopforge.artifacts.rendering.api.toolspecs import render_toolspecs
from sopforge.language.domain.documents.yaml_documents import write_document

WHOLE = ""
"""Stands for the whole API where summaries are listed by their tools."""
OF_WHOLE, OF_TOOL = "summary", "description"
"""The keys of summaries in an API document: below ``info``, and in an operation."""
Summaries: TypeAlias = Mapping[str, str]


def read_summaries(openapi: str) -> dict[str, str]:
    """Return the summaries of an API document by the tools that they are of."""
    document = read_api(openapi)
    found = {WHOLE: document["info"].get(OF_WHOLE, "")}
    found |= {part["operationId"]: part.get(OF_TOOL, "") for part in iterate_operations(document)}
    return {name: text for name, text in found.items() if text}


def add_summaries(derived: str, summaries: Summaries) -> str:
    """Return a derived API document with the summaries of the tools that it has."""
    document = read_api(derived)
    places = {WHOLE: (document["info"], "title", OF_WHOLE)}
    for operation in iterate_operations(document):
        places[operation["operationId"]] = (operation, "summary", OF_TOOL)
    found = {name: text for name, text in summaries.items() if name in places}
    for name, text in found.items():
        _insert_after(*places[name], text)
    return write_document(document) if found else derived


def drop_summaries(openapi: str) -> str:
    """Return an API document without its summaries."""
    document = read_api(openapi)
    document["info"].pop(OF_WHOLE, None)
    for operation in iterate_operations(document):
        operation.pop(OF_TOOL, None)
    return write_document(document)


def derive_toolspecs(openapi: str) -> str:
    """Return the toolspecs of an API document without summaries."""
    return render_toolspecs(drop_summaries(openapi))


def read_tool_summaries(toolspecs: str, derived: str) -> dict[str, str]:
    """Return the summaries of toolspecs by their tools; ``derived`` has none of them."""
    plain = {spec["name"]: spec["description"] for spec in _iterate_specs(json.loads(derived))}
    found = {
        spec["name"]: spec["description"].removesuffix(plain[spec["name"]]).strip()
        for spec in _iterate_specs(json.loads(toolspecs))
        if spec["description"].endswith(plain.get(spec["name"], "\n"))
    }
    return {name: text for name, text in found.items() if text}


def add_tool_summaries(derived: str, summaries: Summaries) -> str:
    """Return derived toolspecs with the summaries of the tools that they have."""
    specs = json.loads(derived)
    for spec in _iterate_specs(specs):
        if spec["name"] in summaries:
            spec["description"] = f"{summaries[spec['name']]} {spec['description']}"
    return json.dumps(specs, indent=2, ensure_ascii=False) + "\n"


def _insert_after(part: dict[str, Any], place: str, name: str, text: str) -> None:
    """Insert an entry into a mapping, after another one."""
    items = list(part.items())
    at = [key for key, _ in items].index(place) + 1
    part.clear()
    part.update([*items[:at], (name, text), *items[at:]])


def _iterate_specs(specs: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401 - parsed JSON
    return (entry["toolSpec"] for entry in specs)
