"""API: its summaries and descriptions say no more than those derived from the model."""

from __future__ import annotations

import yaml

from sopforge.checks.api.described_words import (
    LONGEST,
    Description,
    Path,
    check_description,
    find_at_path,
    iterate_changes,
    render_facts,
)
from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.domain.model import DomainModel
from sopforge.findings import Finding
from sopforge.rendering.api.arguments import iterate_operations, read_api, resolve_references
from sopforge.rendering.api.openapi import render_openapi
from sopforge.workspace import OPENAPI, Workspace

_OPERATION_DEPTH = len(("paths", "url", "method", "description"))


class ApiWords:
    """Compared with the generated text, descriptions add no number, name, answer or call order."""

    name = "api-words"
    stage = "api"

    def examine(self, workspace: Workspace) -> list[Finding]:
        model = workspace.model.offered
        try:
            document = read_api(workspace.files[OPENAPI])
        except yaml.YAMLError:
            return []  # the check of its validity says so
        derived = read_api(render_openapi(model, {}))
        public = render_facts(derived)
        return [
            found
            for path, text, _ in iterate_changes(document, derived)
            for found in check_description(
                model, _build_description(model, derived, path, text), public, OPENAPI
            )
        ]

    def spoil(self, workspace: Workspace) -> Workspace:
        def leak(document: Parsed) -> None:
            next(iterate_operations(document))["summary"] = (
                "Refuses whatever is older than 4711 days"
            )

        return edit_yaml(workspace, OPENAPI, leak)


def _build_description(model: DomainModel, derived: Parsed, path: Path, text: str) -> Description:
    before = find_at_path(derived, path) or ""
    kind, longest = str(path[-1]), LONGEST[str(path[-1])]
    match path:
        case ("paths", url, method, *_):
            operation = resolve_references(
                derived, find_at_path(derived, ("paths", url, method)) or {}
            )
            name = str(operation.get("operationId", url))
            facts = render_facts([url, operation])
            # Of what belongs to an operation, its own words alone speak of the whole tool.
            tool = model.tools.get(name) if len(path) == _OPERATION_DEPTH else None
            return Description(f"{name}, {kind}", text, before, facts, longest, tool=tool)
        case ("components", "schemas", name, *inner):
            field = str(name).removesuffix(".or_missing")
            facts = render_facts([field, find_at_path(derived, ("components", "schemas", name))])
            item = model.fields.get(field) if inner == ["description"] else None
            return Description(f"field {field}, {kind}", text, before, facts, longest, item)
        case _:
            facts = render_facts([derived["info"], before])
            return Description(", ".join(map(str, path)), text, before, facts, longest)


CHECK = ApiWords()
