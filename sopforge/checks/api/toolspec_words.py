"""Toolspec: its descriptions say no more than those derived from the model, and name parameters."""

from __future__ import annotations

import json
from collections.abc import Iterator

from sopforge.checks.api.described_words import (
    LONGEST,
    Description,
    Path,
    description_findings,
    facts_of,
    texts_in,
)
from sopforge.checks.spoiling import Parsed, edit_json
from sopforge.domain.fields import Field
from sopforge.domain.model import DomainModel
from sopforge.findings import Finding, error
from sopforge.rendering.api.arguments import operations, read_api, resolved
from sopforge.rendering.api.openapi import render_openapi
from sopforge.rendering.api.toolspecs import PARAMETERS, render_toolspecs
from sopforge.workspace import OPENAPI, TOOLSPECS, Workspace


class ToolspecWords:
    """No text has a number, name, answer or order that the derived one does not have.

    What parameters are of which kind is said once, in the derived words. What is taken over from
    the API was examined there.
    """

    name = "toolspec-words"
    stage = "toolspec"

    def examine(self, workspace: Workspace) -> list[Finding]:
        model = workspace.model
        written = _specs(workspace.files[TOOLSPECS])
        api = render_openapi(model, {})
        derived, services = _specs(render_toolspecs(api)), _services(api)
        taken_over = _specs(render_toolspecs(workspace.files[OPENAPI]))
        public = facts_of(derived)
        findings: list[Finding] = []
        for name in (name for name in written if name in derived):
            findings += _misnamed(name, written[name], derived[name])
            known = set(dict(texts_in(taken_over.get(name, {}))).values())
            facts = facts_of([derived[name], services[name]])
            for said in _changed(model, written[name], derived[name], facts):
                if said.whole not in known:
                    findings += description_findings(model, said, public, TOOLSPECS)
        return findings

    def spoil(self, workspace: Workspace) -> Workspace:
        def say_twice(specs: Parsed) -> None:
            spec = specs[0]["toolSpec"]
            spec["description"] = f"{PARAMETERS} none. {spec['description']}"

        return edit_json(workspace, TOOLSPECS, say_twice)


def _specs(text: str) -> dict[str, Parsed]:
    return {item["toolSpec"]["name"]: item["toolSpec"] for item in json.loads(text)}


def _misnamed(name: str, spec: Parsed, derived: Parsed) -> Iterator[Finding]:
    """Report a description that says otherwise, or twice, which parameters there are."""
    text, plain = spec["description"], derived["description"]
    is_once = text.lower().count(PARAMETERS.lower()) == 1
    if not is_once or text.partition(PARAMETERS)[2] != plain.partition(PARAMETERS)[2]:
        yield error(
            "described-parameters",
            f"{name}: its description does not say once, in the derived words, what it takes",
            where=TOOLSPECS,
            evidence=text,
            hint=f"leave out '{PARAMETERS}', which is put behind your words",
        )


def _services(api: str) -> dict[str, Parsed]:
    """Return the operations of an API document by the names of their tools."""
    document = read_api(api)
    found = resolved(document, list(operations(document)))
    return {operation["operationId"]: operation for operation in found}


def _changed(
    model: DomainModel, spec: Parsed, derived: Parsed, facts: str
) -> Iterator[Description]:
    """Return the texts that are not the derived ones, without the words on parameters."""
    written, plain = dict(texts_in(spec)), dict(texts_in(derived))
    for path in dict.fromkeys([*written, *plain]):
        text, before = written.get(path, ""), plain.get(path, "")
        if text != before:
            item = _parameter(model, path)
            place = f"{derived['name']}, {item.name if item else 'description'}"
            own, known = (part.partition(PARAMETERS)[0].strip() for part in (text, before))
            yield Description(place, own, known, facts, LONGEST["description"], item, text)


def _parameter(model: DomainModel, path: Path) -> Field | None:
    match path:
        case ("inputSchema", "json", "properties", str(name), "description"):
            return model.fields.get(name)
        case _:
            return None


CHECK = ToolspecWords()
