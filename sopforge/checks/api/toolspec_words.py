"""Toolspec: its descriptions say no more than those derived from the model, and name parameters."""

from __future__ import annotations

import json
from collections.abc import Iterator

from sopforge.checks.api.described_words import (
    LONGEST,
    Description,
    Path,
    check_description,
    iterate_changes,
    iterate_texts,
    render_facts,
)
from sopforge.checks.spoiling import Parsed, edit_json
from sopforge.domain.fields import Field
from sopforge.domain.model import DomainModel
from sopforge.findings import Finding, make_error_finding
from sopforge.rendering.api.arguments import iterate_operations, read_api, resolve_references
from sopforge.rendering.api.openapi import render_openapi
from sopforge.rendering.api.toolspecs import PARAMETERS, render_toolspecs
from sopforge.workspace import OPENAPI, TOOLSPECS, Workspace


class ToolspecWords:
    """Compared with generated ones, descriptions add no number, name, answer or call order.

    What parameters are of which kind is said once, in the derived words. What is taken over from
    the API was examined there.
    """

    name = "toolspec-words"
    stage = "toolspec"

    def examine(self, workspace: Workspace) -> list[Finding]:
        model = workspace.model.offered
        written = _parse_specs(workspace.files[TOOLSPECS])
        api = render_openapi(model, {})
        derived, services = _parse_specs(render_toolspecs(api)), _parse_operations(api)
        taken_over = _parse_specs(render_toolspecs(workspace.files[OPENAPI]))
        public = render_facts(derived)
        findings: list[Finding] = []
        for name in (name for name in written if name in derived):
            findings += _check_parameter_words(name, written[name], derived[name])
            known = set(dict(iterate_texts(taken_over.get(name, {}))).values())
            facts = render_facts([derived[name], services[name]])
            for said in _find_changed_texts(model, written[name], derived[name], facts):
                if said.whole not in known:
                    findings += check_description(model, said, public, TOOLSPECS)
        return findings

    def spoil(self, workspace: Workspace) -> Workspace:
        def say_twice(specs: Parsed) -> None:
            spec = specs[0]["toolSpec"]
            spec["description"] = f"{PARAMETERS} none. {spec['description']}"

        return edit_json(workspace, TOOLSPECS, say_twice)


def _parse_specs(text: str) -> dict[str, Parsed]:
    return {item["toolSpec"]["name"]: item["toolSpec"] for item in json.loads(text)}


def _check_parameter_words(name: str, spec: Parsed, derived: Parsed) -> Iterator[Finding]:
    """Report a description that says otherwise, or twice, which parameters there are."""
    text, plain = spec["description"], derived["description"]
    is_once = text.lower().count(PARAMETERS.lower()) == 1
    if not is_once or text.partition(PARAMETERS)[2] != plain.partition(PARAMETERS)[2]:
        yield make_error_finding(
            "described-parameters",
            f"{name}: its description does not contain the derived parameter sentence exactly once",
            where=TOOLSPECS,
            evidence=text,
            hint=f"delete '{PARAMETERS}' from your text; the program adds it at the end",
        )


def _parse_operations(api: str) -> dict[str, Parsed]:
    """Return the operations of an API document by the names of their tools."""
    document = read_api(api)
    found = resolve_references(document, list(iterate_operations(document)))
    return {operation["operationId"]: operation for operation in found}


def _find_changed_texts(
    model: DomainModel, spec: Parsed, derived: Parsed, facts: str
) -> Iterator[Description]:
    """Return the texts that are not the derived ones, without the words on parameters."""
    for path, text, before in iterate_changes(spec, derived):
        item = _find_parameter(model, path)
        place = f"{derived['name']}, {item.name if item else 'description'}"
        own, known = (part.partition(PARAMETERS)[0].strip() for part in (text, before))
        tool = None if item else model.tools.get(derived["name"])
        yield Description(place, own, known, facts, LONGEST["description"], item, text, tool)


def _find_parameter(model: DomainModel, path: Path) -> Field | None:
    match path:
        case ("inputSchema", "json", "properties", str(name), "description"):
            return model.fields.get(name)
        case _:
            return None


CHECK = ToolspecWords()
