"""Dataset: where a task lacks an entry, two completions of it prove that nobody can know."""

from __future__ import annotations

import json

from sopforge.checks.dataset.dataset_labels import read_back
from sopforge.findings import Finding, make_error_finding
from sopforge.language.domain.values.types import ValueNotAllowedError
from sopforge.proof.dataset.records import build_case_rows, render_csv
from sopforge.proof.dataset.sampling.completions import Completions, prove_completions
from sopforge.proof.dataset.tasks.told_texts import with_facts
from sopforge.workspace import COMPLETIONS, Workspace


class DatasetCompletions:
    """For each task with a missing entry, two stored values of the entry give different answers."""

    name = "dataset-completions"
    stage = "dataset"

    def examine(self, workspace: Workspace) -> list[Finding]:
        model, tasks = workspace.model, workspace.tasks
        if not model.lacking:
            return _find_strange(workspace)
        shown = render_csv([item.name for item in model.inputs], [task.inputs for task in tasks])
        try:
            inputs = with_facts(model, read_back(model.inputs, shown))
            rows = build_case_rows(model, workspace.records, inputs)
        except ValueNotAllowedError:
            return []  # a finding of its own
        asking, stored = Completions(model), json.loads(workspace.files.get(COMPLETIONS, "{}"))
        findings = []
        for task, row in zip(tasks, rows, strict=True):
            if row is None or (not asking.list_lacking(row) and task.id not in stored):
                continue
            if stored.get(task.id) != prove_completions(asking, row):
                message = f"{task.id} lacks an entry, and the record does not confirm that"
                hint = (
                    "generate the dataset again; if the finding remains, report it as an error"
                    " of SOPForge"
                )
                findings.append(
                    make_error_finding(
                        "completions-not-proved", message, where=COMPLETIONS, hint=hint
                    )
                )
        return findings

    def spoil(self, workspace: Workspace) -> Workspace:
        return workspace.with_files({COMPLETIONS: json.dumps({"task-0": []})})


def _find_strange(workspace: Workspace) -> list[Finding]:
    """Report completions of tasks none of which lacks anything."""
    if COMPLETIONS not in workspace.files:
        return []
    message = "the brief allows no missing entries, but the dataset records completions"
    return [make_error_finding("completions-not-proved", message, where=COMPLETIONS)]


CHECK = DatasetCompletions()
