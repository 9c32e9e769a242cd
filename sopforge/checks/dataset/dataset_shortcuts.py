"""Dataset: no shortcut leads much further than always giving the most frequent answer."""

from __future__ import annotations

import json

from sopforge.dataset.records import build_case_rows
from sopforge.domain.language.expressions import collect_read_fields
from sopforge.domain.model import DomainModel, collect_deciding_expressions
from sopforge.domain.tasks import Task
from sopforge.domain.values.types import Value
from sopforge.findings import Finding, make_error_finding
from sopforge.scoring.shortcuts import MEANINGS, Shortcuts, score_shortcuts
from sopforge.workspace import SHORTCUTS, TASKS, Workspace

_HINTS = {
    "decision tree": "{inputs} 'role: observed', so that the stated inputs decide fewer tasks",
    "copying": "let the tool return the facts that decide the answer, under labels that differ"
    " from the answers",
    "no tool": "{inputs} 'role: observed', so that fewer tasks are decided without a tool",
}


class DatasetShortcuts:
    """Agents that guess, copy or skip tools are seldom right, and the stored scores are correct."""

    name = "dataset-shortcuts"
    stage = "dataset"

    def examine(self, workspace: Workspace) -> list[Finding]:
        shortcuts = _score_stored_tasks(workspace)
        findings = [
            make_error_finding(
                "shortcut-leads-far",
                f"an agent that {MEANINGS[found.name]} is right in"
                f" {shortcuts.format_share(found.primary)} of the tasks; at most"
                f" {shortcuts.bar_share} is allowed",
                where=TASKS,
                evidence=f"{found.primary} of {shortcuts.tasks} tasks have '{shortcuts.outcome}'"
                f" right, {found.all_outcomes} every outcome",
                hint=_HINTS[found.name].format(inputs=_name_inputs(workspace.model)),
            )
            for found in shortcuts.scores
            if shortcuts.is_too_good(found)
        ]
        if workspace.files[SHORTCUTS] != shortcuts.as_json():
            message = "the stored shortcut scores do not match these tasks"
            findings.append(make_error_finding("wrong-shortcut-scores", message, where=SHORTCUTS))
        return findings

    def spoil(self, workspace: Workspace) -> Workspace:
        """Let the order of the identifiers give the answer away, and store what that scores."""
        labels = list(getattr(workspace.model.primary.type, "values", ()))[:2]
        entries = [json.loads(line) for line in workspace.files[TASKS].split("\n")[:-1]]
        key, outcome = workspace.model.key, workspace.model.primary.name
        entries.sort(key=lambda entry: str(entry["inputs"][key]))
        for place, entry in enumerate(entries):
            entry["outcomes"][outcome] = labels[2 * place // len(entries)]
        entries.sort(key=lambda entry: str(entry["task_id"]))
        text = "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)
        spoiled = workspace.with_files({TASKS: text})
        return spoiled.with_files({SHORTCUTS: _score_stored_tasks(spoiled).as_json()})


def _name_inputs(model: DomainModel) -> str:
    """Return the inputs of which one would have to be looked up: those that decide."""
    read = {
        name for item in collect_deciding_expressions(model) for name in collect_read_fields(item)
    }
    names = [f"'{item.name}'" for item in model.inputs if item.name in read]
    if len(names) == 1:
        return f"make the input {names[0]}"
    return f"make one of the inputs {', '.join(names)}" if names else "make an input"


def _score_stored_tasks(workspace: Workspace) -> Shortcuts:
    """Return what shortcuts score on the tasks as they are stored."""
    model, tasks = workspace.model, workspace.tasks
    inputs = [_parse_inputs(model, task) for task in tasks]
    found = build_case_rows(model, workspace.records, inputs)
    rows = {task.id: row or given for task, row, given in zip(tasks, found, inputs, strict=True)}
    return score_shortcuts(model, tasks, rows)


def _parse_inputs(model: DomainModel, task: Task) -> dict[str, Value | None]:
    return {item.name: item.parse(task.inputs[item.name]) for item in model.inputs}


CHECK = DatasetShortcuts()
