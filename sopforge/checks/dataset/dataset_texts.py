"""Dataset: the text of every task states each input, so that it can be read back."""

from __future__ import annotations

from sopforge.checks.spoiling import Parsed, edit_first_entry
from sopforge.findings import Finding, make_error_finding
from sopforge.proof.dataset.tasks.task_texts import parse_task_text
from sopforge.workspace import TASKS, Workspace


class DatasetTexts:
    """The text of each task states its inputs correctly."""

    name = "dataset-texts"
    stage = "dataset"

    def examine(self, workspace: Workspace) -> list[Finding]:
        model = workspace.model
        findings = []
        for task in workspace.tasks:
            stated = parse_task_text(model, task.id, task.text)
            wrong = [name for name in task.inputs if (stated or {}).get(name) != task.inputs[name]]
            if wrong:
                message = (
                    f"the text of {task.id} and its inputs state different values for"
                    f" {', '.join(wrong)}"
                )
                findings.append(
                    make_error_finding("wrong-text", message, where=TASKS, evidence=task.text)
                )
        return findings

    def spoil(self, workspace: Workspace) -> Workspace:
        key = workspace.model.key

        def leave_out_the_key(task: Parsed) -> None:
            task["text"] = task["text"].replace(task["inputs"][key], "")

        return edit_first_entry(workspace, TASKS, leave_out_the_key)


CHECK = DatasetTexts()
