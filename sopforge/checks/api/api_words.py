"""API: its texts are derived from the model, beside summaries that decide nothing."""

from __future__ import annotations

import yaml

from sopforge.artifacts.rendering.api.arguments import iterate_operations, read_api
from sopforge.artifacts.rendering.api.openapi import render_openapi
from sopforge.checks.api.derived_texts import check_texts
from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.findings import Finding
from sopforge.workspace import OPENAPI, Workspace


class ApiWords:
    """All texts follow from the model, except for plain summaries of the API and its operations."""

    name = "api-words"
    stage = "api"

    def examine(self, workspace: Workspace) -> list[Finding]:
        model = workspace.model.offered
        try:
            document = read_api(workspace.files[OPENAPI])
        except yaml.YAMLError:
            return []  # the check of its validity says so
        return [*check_texts(model, document, read_api(render_openapi(model, {})), OPENAPI)]

    def spoil(self, workspace: Workspace) -> Workspace:
        def leak(document: Parsed) -> None:
            operation = next(iterate_operations(document))
            operation["description"] = "Refuses whatever is older than 4711 days."

        return edit_yaml(workspace, OPENAPI, leak)


CHECK = ApiWords()
