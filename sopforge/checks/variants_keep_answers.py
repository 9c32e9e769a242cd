"""Complexity: every level has the same tasks with the same answers, paths and gold calls."""

from __future__ import annotations

from sopforge.checks.spoiling import edit_lines
from sopforge.domain.tasks import Task
from sopforge.findings import Finding, error
from sopforge.workspace import Workspace

STAGE = "complexity"


class VariantsKeepAnswers:
    """Ids, inputs of the plain task, outcomes, paths and calls are equal at all levels."""

    name = "variants-keep-answers"
    stage = STAGE

    def examine(self, workspace: Workspace) -> list[Finding]:
        plain = workspace.tasks
        findings = []
        for level in levels(workspace):
            harder = variant(workspace, level).tasks
            if [task.id for task in plain] != [task.id for task in harder]:
                findings.append(error("variant-tasks", f"{level} has other tasks", where=level))
                continue
            findings += [
                error("variant-answers", f"{task.id} is not the same task at {level}", where=level)
                for task, other in zip(plain, harder, strict=True)
                if not _same(task, other)
            ]
        return findings

    def spoil(self, workspace: Workspace) -> Workspace:
        level = levels(workspace)[-1]
        primary = workspace.model.primary.name

        def answer_otherwise(task: dict[str, dict[str, str]]) -> None:
            task["outcomes"][primary] += "?"

        return edit_lines(workspace, f"{STAGE}/{level}/dataset/tasks.jsonl", answer_otherwise)


def levels(workspace: Workspace) -> list[str]:
    """Return the levels that the stage made, in order."""
    names = [name.split("/") for name in workspace.files]
    return sorted({parts[1] for parts in names if parts[0] == STAGE})


def variant(workspace: Workspace, level: str) -> Workspace:
    """Return the workspace of a level."""
    prefix = f"{STAGE}/{level}/"
    return Workspace(
        workspace.brief,
        {
            name.removeprefix(prefix): text
            for name, text in workspace.files.items()
            if name.startswith(prefix)
        },
    )


def _same(task: Task, other: Task) -> bool:
    kept = {name: other.inputs.get(name) for name in task.inputs}
    return (kept, other.outcomes, other.path, other.rules, other.calls) == (
        task.inputs,
        task.outcomes,
        task.path,
        task.rules,
        task.calls,
    )


CHECK = VariantsKeepAnswers()
