"""API: its summaries and descriptions say no more than those derived from the model."""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from sopforge.checks.api.described_words import (
    LONGEST,
    Description,
    Path,
    at,
    description_findings,
    facts_of,
    texts_in,
)
from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.domain.model import DomainModel
from sopforge.findings import Finding
from sopforge.rendering.api.arguments import operations, read_api, resolved
from sopforge.rendering.api.openapi import render_openapi
from sopforge.workspace import OPENAPI, Workspace


class ApiWords:
    """No text has a number, name, answer or order that the derived document does not have."""

    name = "api-words"
    stage = "api"

    def examine(self, workspace: Workspace) -> list[Finding]:
        model = workspace.model
        try:
            document = read_api(workspace.files[OPENAPI])
        except yaml.YAMLError:
            return []  # the check of its validity says so
        derived = read_api(render_openapi(model, {}))
        public = facts_of(derived)
        return [
            found
            for said in _changed(model, document, derived)
            for found in description_findings(model, said, public, OPENAPI)
        ]

    def spoil(self, workspace: Workspace) -> Workspace:
        def leak(document: Parsed) -> None:
            next(operations(document))["summary"] = "Refuses whatever is older than 4711 days"

        return edit_yaml(workspace, OPENAPI, leak)


def _changed(model: DomainModel, document: Parsed, derived: Parsed) -> Iterator[Description]:
    """Return the texts that are not the derived ones."""
    written, plain = dict(texts_in(document)), dict(texts_in(derived))
    for path in dict.fromkeys([*written, *plain]):
        text = written.get(path, "")
        if text != plain.get(path):
            yield _described(model, derived, path, text)


def _described(model: DomainModel, derived: Parsed, path: Path, text: str) -> Description:
    before = at(derived, path) or ""
    kind, longest = str(path[-1]), LONGEST[str(path[-1])]
    match path:
        case ("paths", url, method, *_):
            operation = resolved(derived, at(derived, ("paths", url, method)) or {})
            place = f"{operation.get('operationId', url)}, {kind}"
            return Description(place, text, before, facts_of([url, operation]), longest)
        case ("components", "schemas", name, *inner):
            field = str(name).removesuffix(".or_missing")
            facts = facts_of([field, at(derived, ("components", "schemas", name))])
            item = model.fields.get(field) if inner == ["description"] else None
            return Description(f"field {field}, {kind}", text, before, facts, longest, item)
        case _:
            facts = facts_of([derived["info"], before])
            return Description(", ".join(map(str, path)), text, before, facts, longest)


CHECK = ApiWords()
