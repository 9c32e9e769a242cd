"""Toolspec: its texts follow from the API, beside summaries that decide nothing."""

from __future__ import annotations

import json

from sopforge.artifacts.rendering.api.summaries import derive_toolspecs
from sopforge.checks.api.derived_texts import check_texts
from sopforge.checks.spoiling import Parsed, edit_json
from sopforge.findings import Finding
from sopforge.workspace import OPENAPI, TOOLSPECS, Workspace


class ToolspecWords:
    """All texts follow from the API, except for plain summaries that may precede descriptions."""

    name = "toolspec-words"
    stage = "toolspec"

    def examine(self, workspace: Workspace) -> list[Finding]:
        written = json.loads(workspace.files[TOOLSPECS])
        derived = json.loads(derive_toolspecs(workspace.files[OPENAPI]))
        return [*check_texts(workspace.model.offered, written, derived, TOOLSPECS)]

    def spoil(self, workspace: Workspace) -> Workspace:
        def shorten(specs: Parsed) -> None:
            spec = specs[0]["toolSpec"]
            spec["description"] = spec["description"].partition(".")[0]

        return edit_json(workspace, TOOLSPECS, shorten)


CHECK = ToolspecWords()
