"""Tool code: the module that answers the tool calls, and its tests."""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.authors.author import Author
from sopforge.dataset.tool_cases import tool_cases
from sopforge.dataset.tool_trials import case_inputs, tool_trials
from sopforge.domain.reading import Brief
from sopforge.workspace import Workspace


class ToolsStage:
    """Writes ``tools.py`` and ``test_tools.py``."""

    name = "tools"
    revision = 4
    needs = ("schema", "dataset")

    def brief_part(self, brief: Brief) -> object:  # noqa: ARG002 - all comes from earlier stages
        return None

    def build(self, workspace: Workspace, author: Author) -> Mapping[str, str]:
        return tool_files(workspace, author)


def tool_files(workspace: Workspace, author: Author) -> dict[str, str]:
    """Return the module of the tools, and the tests that stand beside it."""
    model = workspace.model
    inputs = case_inputs(model, [task.inputs for task in workspace.tasks])
    cases = tool_cases(tool_trials(model, workspace.records, inputs))
    return {
        "tools.py": author.write_tools(model),
        "test_tools.py": author.write_tool_tests(model, cases),
    }
