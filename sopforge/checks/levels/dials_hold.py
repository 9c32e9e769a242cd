"""Complexity: at levels with dials the reference is right at every task, and each dial bites."""

from __future__ import annotations

import json
from collections.abc import Iterator

from sopforge.checks.levels.variants_keep_answers import (
    STAGE,
    build_variant_workspace,
    list_levels,
)
from sopforge.errors import PackageUnreadableError
from sopforge.findings import Finding, convert_faults, make_error_finding
from sopforge.harness.layers.files import read_layers, write_judges, write_layers
from sopforge.harness.layers.layered import Cases
from sopforge.harness.layers.layering import put_layers
from sopforge.harness.layers.measuring.measuring import grade_agent
from sopforge.harness.layers.measuring.report import find_faults
from sopforge.harness.layers.measuring.workspaces import make_plain_cases
from sopforge.harness.layers.plain import PlainCases
from sopforge.harness.layers.working import LayeredAgent
from sopforge.workspace import JUDGES, LAYERS, PROFILE, Workspace

_SHOWN = 5


class DialsHold:
    """The reference agent solves each task with dials. Each ablated agent fails on its own dial.

    A dial on which no agent fails is not published as one.
    """

    name = "dials-hold"
    stage = STAGE

    def examine(self, workspace: Workspace) -> list[Finding]:
        levels = {name: build_variant_workspace(workspace, name) for name in list_levels(workspace)}
        return [
            finding
            for name, level in levels.items()
            if LAYERS in level.files
            for finding in _examine_level(name, level)
        ]

    def spoil(self, workspace: Workspace) -> Workspace:
        """Put requests around a level, one of which is said to be handled as another is."""
        level = list_levels(workspace)[0]
        core = make_plain_cases(build_variant_workspace(workspace, level))
        cases = put_layers(core, {"refusals": 1}, 0)
        judges = write_judges(cases).replace("escalate ", "escalate another ", 1)
        return workspace.with_files(
            {f"{STAGE}/{level}/{LAYERS}": write_layers(cases), f"{STAGE}/{level}/{JUDGES}": judges}
        )


def _examine_level(name: str, level: Workspace) -> Iterator[Finding]:
    core = make_plain_cases(level)
    try:
        cases = read_layers(core, level.files[LAYERS], level.files.get(JUDGES, ""), LAYERS)
    except PackageUnreadableError as refused:
        yield from convert_faults(refused.faults)
        return
    yield from _find_unsolved(name, core, cases)
    for fault in find_faults(json.loads(level.files[PROFILE]).get("difficulty", {})):
        yield make_error_finding(
            "dial-does-not-bite",
            fault,
            where=f"{name}/{PROFILE}",
            hint="increase the dial's dose in the brief, or remove the dial from this domain's"
            " levels",
        )


def _find_unsolved(name: str, core: PlainCases, cases: Cases) -> Iterator[Finding]:
    """Report the first tasks that the reference does not solve."""
    grades = grade_agent(cases, LayeredAgent(core.model))
    graded = zip(cases.shown.tasks, grades, strict=True)
    wrong = [(task, grade) for task, grade in graded if not grade.is_right]
    for task, grade in wrong[:_SHOWN]:
        parts = [part for part, is_right in (grade.session or {}).items() if not is_right]
        yield make_error_finding(
            "dial-not-solved",
            f"the reference agent fails {len(wrong)} of {len(grades)} tasks",
            where=f"{name}, {task}",
            evidence=f"wrong: {', '.join(parts) or 'outcomes'}",
            hint="generate the levels again; if the finding remains, report it as an error of"
            " SOPForge",
        )


CHECK = DialsHold()
