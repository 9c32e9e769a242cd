"""Dataset: no shortcut leads much further than always giving the most frequent answer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations

from sopforge.findings import Finding, Severity, make_error_finding
from sopforge.harness.scoring.shortcut_agents import COPYING
from sopforge.harness.scoring.shortcuts import (
    MEANINGS,
    Shortcuts,
    score_shortcuts,
    score_without_inputs,
)
from sopforge.language.domain.expressions.expressions import collect_read_fields
from sopforge.language.domain.model import DomainModel, collect_deciding_expressions
from sopforge.language.logic.tool_calls import Frame
from sopforge.proof.dataset.records import build_case_rows
from sopforge.proof.dataset.tasks.told_texts import parse_inputs
from sopforge.workspace import SHORTCUTS, TASKS, Workspace

_BY_TOOLS = (
    "let the tool return the facts that decide the answer, under labels that differ"
    " from the answers"
)
_BY_TASKS = "change 'mix' or 'n_samples': on these tasks, no 'role: observed' at an input is enough"
_BY_RULES = "let more inputs, or told facts, decide the answer together; or change 'mix'"
_MOST_TOGETHER = 3
"""How many inputs are tried together."""


class DatasetShortcuts:
    """Agents that guess, copy or skip tools are seldom right, and the stored scores are correct."""

    name = "dataset-shortcuts"
    stage = "dataset"

    def examine(self, workspace: Workspace) -> list[Finding]:
        rows = _build_rows(workspace)
        shortcuts = score_shortcuts(workspace.model, workspace.tasks, rows)
        too_good = [found for found in shortcuts.scores if shortcuts.is_too_good(found)]
        by_inputs = any(found.name != COPYING for found in too_good)
        observed = _BY_RULES
        if by_inputs and workspace.model.called:
            observed = _suggest_observed(workspace, shortcuts, rows)
        findings = [
            make_error_finding(
                "shortcut-leads-far",
                f"an agent that {MEANINGS[found.name]} is right in"
                f" {shortcuts.format_share(found.primary)} of the tasks; at most"
                f" {shortcuts.bar_share} is allowed, {shortcuts.bar_reason}",
                where=TASKS,
                evidence=f"{found.primary} of {shortcuts.tasks} tasks have '{shortcuts.outcome}'"
                f" right, {found.all_outcomes} every outcome",
                hint=_BY_TOOLS if found.name == COPYING else observed,
            )
            for found in too_good
        ]
        if not workspace.model.called:
            # Inputs are all that cases differ by: it is for people to judge.
            findings = [replace(found, severity=Severity.WARNING) for found in findings]
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
        scores = score_shortcuts(workspace.model, spoiled.tasks, _build_rows(spoiled))
        return spoiled.with_files({SHORTCUTS: scores.as_json()})


def _suggest_observed(workspace: Workspace, shortcuts: Shortcuts, rows: Mapping[str, Frame]) -> str:
    """Return which inputs to look up, each tried: one of those that suffice alone, or several."""
    inputs = _list_deciding_inputs(workspace.model)
    score = partial(score_without_inputs, workspace.model, workspace.tasks, rows)
    for size in range(1, _MOST_TOGETHER + 1):
        right = {
            names: score(names, shortcuts.is_above_bar) for names in combinations(inputs, size)
        }
        enough = [names for names, count in right.items() if not shortcuts.is_above_bar(count)]
        if enough and size == 1:
            singles = [name for (name,) in enough]
            most = max(right[names] for names in enough)
            return _suggest("one of the inputs", singles, most, shortcuts)
        if enough:
            best = min(enough, key=lambda names: right[names])
            return _suggest("all of the inputs", best, right[best], shortcuts)
    return _BY_TASKS


def _suggest(which: str, names: Sequence[str], right: int, shortcuts: Shortcuts) -> str:
    """Return the advice to look inputs up, with what shortcuts then score."""
    listed = ", ".join(f"'{name}'" for name in names)
    chosen = f"{which} {listed}" if len(names) > 1 else f"the input {listed}"
    return (
        f"write 'role: observed' at {chosen}, and let a lookup return it: on these tasks, such"
        f" agents are then right in at most {shortcuts.format_share(right)}"
    )


def _list_deciding_inputs(model: DomainModel) -> list[str]:
    """Return the inputs that rules read."""
    read = {
        name for item in collect_deciding_expressions(model) for name in collect_read_fields(item)
    }
    return [item.name for item in model.given if item.name in read]


def _build_rows(workspace: Workspace) -> dict[str, Frame]:
    """Return the record of each task as it is stored."""
    model, tasks = workspace.model, workspace.tasks
    inputs = [parse_inputs(model, task.inputs) for task in tasks]
    found = build_case_rows(model, workspace.records, inputs)
    return {task.id: row or given for task, row, given in zip(tasks, found, inputs, strict=True)}


CHECK = DatasetShortcuts()
