"""The files of the tools: the module that answers calls, and its tests."""

from __future__ import annotations

from sopforge.artifacts.rendering.refusal_codes import list_refusal_codes
from sopforge.authors.writers.author import Author
from sopforge.proof.dataset.trials.tool_cases import select_tool_cases
from sopforge.proof.dataset.trials.tool_trials import iterate_tool_trials, parse_case_inputs
from sopforge.workspace import Workspace


def build_tool_files(workspace: Workspace, author: Author) -> dict[str, str]:
    """Return the module of the tools, and the tests that stand beside it."""
    model = workspace.model
    inputs = parse_case_inputs(model, [task.inputs for task in workspace.tasks])
    tools = model.offered.tools.values()
    codes = {tool.name: list_refusal_codes(model.offered, tool) for tool in tools}
    cases = select_tool_cases(iterate_tool_trials(model, workspace.records, inputs), codes)
    return {
        "tools.py": author.write_tools(model),
        "test_tools.py": author.write_tool_tests(model, cases),
    }
