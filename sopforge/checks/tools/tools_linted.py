"""Tools: the code holds nothing that does not belong into tools, as far as reading it shows."""

from __future__ import annotations

from sopforge.checks.spoiling import edit_text
from sopforge.findings import Finding
from sopforge.sandbox.linter import lint
from sopforge.workspace import TOOLS, Workspace


class ToolsLinted:
    """The source of the tools uses no clock, no random numbers and no outside data."""

    name = "tools-linted"
    stage = "tools"

    def examine(self, workspace: Workspace) -> list[Finding]:
        return list(lint(workspace.files[TOOLS]))

    def spoil(self, workspace: Workspace) -> Workspace:
        return edit_text(workspace, TOOLS, "import csv\n", "import csv\nimport socket\n")


CHECK = ToolsLinted()
