"""Dataset: ids are unique and decide the split, tasks differ, and goals are met or listed."""

from __future__ import annotations

import json
from collections import Counter

from sopforge.findings import Finding, make_error_finding, make_note_finding, make_warning_finding
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tasks import Task
from sopforge.language.domain.values.malformed_inputs import collect_malformed_shapes, is_malformed
from sopforge.proof.dataset.coverage.coverage import Coverage, read_coverage
from sopforge.proof.dataset.coverage.goal_rows import NOT_MATTERING
from sopforge.proof.dataset.sampling.screening import NO_RULE, REFUSED
from sopforge.proof.dataset.tasks.splitting import choose_split
from sopforge.workspace import COVERAGE, TASKS, Workspace


class DatasetTasks:
    """No two tasks differ only in identifiers. Every coverage goal is met or reported as open."""

    name = "dataset-tasks"
    stage = "dataset"

    def examine(self, workspace: Workspace) -> list[Finding]:
        model, tasks = workspace.model, workspace.tasks
        findings = []
        for field in [None, *(item.name for item in model.inputs if item.sampling.unique)]:
            values = Counter(_list_identifiers(model, tasks, field))
            twice = [value for value, times in values.items() if times > 1]
            name = field or "task_id"
            findings += [
                make_error_finding("not-unique", f"the {name} '{v}' occurs twice", where=TASKS)
                for v in twice
            ]
        alike = [ids for ids in _group_alike_tasks(model, tasks).values() if len(ids) > 1]
        findings += [
            make_error_finding(
                "tasks-alike",
                f"tasks {', '.join(ids)} differ only in identifiers",
                where=TASKS,
                hint="widen the ranges, labels or free texts of what inputs and results show"
                " (a field with unique: true counts as an identifier), or ask for fewer tasks",
            )
            for ids in alike
        ]
        asked = workspace.brief.parts.dataset.n_samples
        if len(tasks) > asked:
            message = (
                f"covering every goal needs {len(tasks)} tasks, but the brief asks for {asked}"
            )
            findings.append(make_note_finding("n-samples-raised", message, where=TASKS))
        share = workspace.brief.parts.dataset.dev_share
        findings += [
            make_error_finding(
                "wrong-split", f"{task.id} is in the {task.split} split", where=TASKS
            )
            for task in tasks
            if task.split != choose_split(task.id, share)
        ]
        coverage = json.loads(workspace.files[COVERAGE])
        findings += [
            make_error_finding(
                "refused-on-path",
                f"{reason} in {count} of {coverage['attempts']} cases, although they follow the"
                " SOP",
                where=COVERAGE,
                hint="add an edge or a rule for these cases, or relax the tool's guard",
            )
            for reason, count in coverage["rejected"].items()
            if reason.startswith((REFUSED, NO_RULE))
        ]
        if not coverage["goals"]:
            message = "the procedure is too long to compute what its tasks must cover"
            hint = (
                "lower 'at_most' of the edges that lead back, so that the procedure unrolls"
                " into fewer steps"
            )
            findings.append(
                make_warning_finding("coverage-undecided", message, where=COVERAGE, hint=hint)
            )
        return findings + _find_undecided_goals(read_coverage(workspace.files[COVERAGE]))

    def spoil(self, workspace: Workspace) -> Workspace:
        first, _, rest = workspace.files[TASKS].split("\n", 2)
        return workspace.with_files({TASKS: f"{first}\n{first}\n{rest}"})


def _find_undecided_goals(coverage: Coverage) -> list[Finding]:
    """Warn of each goal of which nothing is known, with what was tried."""
    hint = "reduce the decimal places of the numbers in it, or approve it as undecided"
    hints = {NOT_MATTERING: "approve it as undecided, because nothing in the brief can change it"}
    asked = "it is undecided whether any case can show this goal"
    return [
        make_warning_finding(
            "goal-not-met",
            f"{asked}: {goal.words}; {goal.reason}",
            where=COVERAGE,
            hint=hints.get(goal.reason, hint),
        )
        for goal in coverage.list_undecided()
    ]


def _list_identifiers(model: DomainModel, tasks: tuple[Task, ...], field: str | None) -> list[str]:
    """Return ids, or the texts of a unique field; malformed ones stand for others and may agree."""
    if field is None:
        return [task.id for task in tasks]
    kind, cells = model.fields[field].type, [task.inputs[field] for task in tasks]
    return [cell for cell in cells if not is_malformed(kind, cell)]


def _group_alike_tasks(model: DomainModel, tasks: tuple[Task, ...]) -> dict[str, list[str]]:
    """Group tasks by all that is shown of them but identifiers, unless these are malformed."""
    kinds = {item.name: item.type for item in model.inputs}
    identifiers = {item.name for item in model.fields.values() if item.sampling.unique}
    groups: dict[str, list[str]] = {}
    for task in tasks:
        shown = [task.inputs, *(dict(call.result) for call in task.calls)]
        kept = [{k: v for k, v in part.items() if k not in identifiers} for part in shown]
        # Two tasks may differ in how an identifier is malformed alone: that is what they test.
        malformed = collect_malformed_shapes(kinds, task.inputs, identifiers & set(kinds))
        groups.setdefault(json.dumps([kept, malformed]), []).append(task.id)
    return groups


CHECK = DatasetTasks()
