"""Tool code: the module that answers the tool calls, and its tests."""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.authors.writers.author import Author
from sopforge.language.domain.reading import Brief
from sopforge.workspace import Workspace


class ToolsStage:
    """Writes ``tools.py`` and ``test_tools.py``."""

    name = "tools"
    revision = 5
    needs = ("schema", "dataset")

    def select_brief_part(self, brief: Brief) -> object:  # noqa: ARG002 - all comes from earlier stages
        return None

    def build(self, workspace: Workspace, author: Author) -> Mapping[str, str]:
        from sopforge.pipeline.stages.making.tool_files import build_tool_files

        return build_tool_files(workspace, author)
