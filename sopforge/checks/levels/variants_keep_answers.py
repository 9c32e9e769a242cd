"""Complexity: every level has the same tasks with the same answers, paths and gold calls."""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.checks.spoiling import edit_first_entry
from sopforge.findings import Finding, make_error_finding
from sopforge.language.domain.tasks import GoldCall, Task
from sopforge.proof.solving.logic_read import derive_logic
from sopforge.workspace import Workspace

STAGE = "complexity"


class VariantsKeepAnswers:
    """Task ids, plain inputs, outcomes, paths and calls are the same at every level.

    So is all that the solver reads of the model: what was added decides nothing, for any case.
    """

    name = "variants-keep-answers"
    stage = STAGE

    def examine(self, workspace: Workspace) -> list[Finding]:
        found = (
            (level, build_variant_workspace(workspace, level)) for level in list_levels(workspace)
        )
        return [
            finding
            for level, harder in found
            for finding in _compare_level(workspace, level, harder)
        ]

    def spoil(self, workspace: Workspace) -> Workspace:
        level = list_levels(workspace)[-1]
        primary = workspace.model.primary.name

        def answer_otherwise(task: dict[str, dict[str, str]]) -> None:
            task["outcomes"][primary] += "?"

        return edit_first_entry(workspace, f"{STAGE}/{level}/dataset/tasks.jsonl", answer_otherwise)


def list_levels(workspace: Workspace) -> list[str]:
    """Return the levels that the stage made, in order."""
    names = [name.split("/") for name in workspace.files if name.startswith(f"{STAGE}/")]
    return sorted({level for _, level, *file in names if file})


def build_variant_workspace(workspace: Workspace, level: str) -> Workspace:
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


def _compare_level(plain: Workspace, level: str, harder: Workspace) -> list[Finding]:
    tasks, others = plain.tasks, harder.tasks
    if [task.id for task in tasks] != [task.id for task in others]:
        return [
            make_error_finding(
                "variant-tasks",
                f"the tasks of {level} differ from the tasks of the plain level",
                where=level,
            )
        ]
    findings = [
        make_error_finding(
            "variant-answers",
            f"{task.id} at {level} differs from the same task of the plain level",
            where=level,
        )
        for task, other in zip(tasks, others, strict=True)
        if not _is_same(task, other)
    ]
    if derive_logic(plain.model) != derive_logic(harder.model):
        message = f"a passage that {level} adds can decide a case"
        findings.append(make_error_finding("variant-logic", message, where=level))
    return findings


def _is_same(task: Task, other: Task) -> bool:
    # A harder task may state more, such as distractors, but nothing else.
    kept = {name: other.inputs.get(name) for name in task.inputs}
    return (kept, other.outcomes, other.intermediates, other.path, other.rules) == (
        task.inputs,
        task.outcomes,
        task.intermediates,
        task.path,
        task.rules,
    ) and _are_same_calls(task.calls, other.calls)


def _are_same_calls(calls: tuple[GoldCall, ...], others: tuple[GoldCall, ...]) -> bool:
    """Return whether calls agree; a harder tool may return more, but no other values."""
    return len(calls) == len(others) and all(
        (call.tool, call.arguments, call.refusal) == (other.tool, other.arguments, other.refusal)
        and _holds(other.result, call.result)
        for call, other in zip(calls, others, strict=True)
    )


def _holds(larger: Mapping[str, object], smaller: Mapping[str, object]) -> bool:
    return {name: larger.get(name) for name in smaller} == dict(smaller)


CHECK = VariantsKeepAnswers()
