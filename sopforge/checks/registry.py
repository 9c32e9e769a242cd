"""All checks: found by their files in this folder and those in it, and those of others."""

from __future__ import annotations

import pkgutil
from collections.abc import Collection
from functools import cache
from importlib import import_module
from typing import TypeGuard

import sopforge.checks
from sopforge.checks.check import BriefCheck, Check, ComparingCheck, LogicCheck, ToolCheck
from sopforge.checks.echoes import sort_causes_first
from sopforge.checks.finding_memo import FindingMemo
from sopforge.extensions import load_extensions
from sopforge.findings import Finding
from sopforge.progress.tracking import track
from sopforge.proof.solving.logic_read import derive_logic
from sopforge.workspace import Workspace


@cache
def load_checks() -> tuple[Check, ...]:
    """Return the checks of all modules that offer one, and those of others, by their names."""
    found = pkgutil.walk_packages(sopforge.checks.__path__, "sopforge.checks.")
    modules = [import_module(module.name) for module in found]
    own = [module.CHECK for module in modules if hasattr(module, "CHECK")]
    checks = [*own, *load_extensions("checks", _is_check)]
    return tuple(sorted(checks, key=lambda check: check.name))


def _is_check(offered: object) -> TypeGuard[Check]:
    return isinstance(offered, Check)


def get_check_name(check: Check) -> str:
    """Return the name of a check, by which work on several says at which it is."""
    return check.name


def needs_tools(stages: Collection[str]) -> bool:
    """Return whether any check of these stages runs tools."""
    return any(check.stage in stages and is_tool_check(check) for check in load_checks())


def is_tool_check(check: Check) -> bool:
    """Return whether a check says that it runs tools."""
    return isinstance(check, ToolCheck) and check.runs_tools


def takes_long(check: Check) -> bool:
    """Return whether a check solves logic, compares readings or runs tools, which may take time."""
    return isinstance(check, LogicCheck | ComparingCheck) or is_tool_check(check)


def _run_check(check: Check, workspace: Workspace) -> list[Finding]:
    return check.examine(workspace)


def examine_quickly(stage: str, workspace: Workspace) -> list[Finding]:
    """Return the findings of those checks of a stage that read what is written, and no more."""
    checks = [check for check in load_checks() if check.stage == stage and not takes_long(check)]
    return [finding for check in checks for finding in check.examine(workspace)]


def select_checks(stage: str, workspace: Workspace, plain: Workspace | None = None) -> list[Check]:
    """Return the checks of a stage that have something to say of a workspace.

    ``plain`` is a workspace that was examined before: what is only about the logic of the model
    is not asked again where both have the same, nor is what compares a model with its brief.
    """
    checks = [check for check in load_checks() if check.stage == stage]
    if plain is not None:
        checks = [check for check in checks if not isinstance(check, BriefCheck)]
    logical = [check for check in checks if isinstance(check, LogicCheck)]
    # The solver takes most of the time of all checks, and equal logic has equal answers.
    if plain is not None and logical and derive_logic(workspace.model) == derive_logic(plain.model):
        checks = [check for check in checks if check not in logical]
    return checks


def examine(
    stage: str, workspace: Workspace, memo: FindingMemo | None = None, *, is_of_level: bool = False
) -> list[Finding]:
    """Return the findings of all checks of a stage; of a model, those that others follow from.

    With a ``memo`` of the workspace's brief, what was examined before is not examined again. What
    ``is_of_level`` is not compared with the brief, from which the plain model was made.
    """
    checks = select_checks(stage, workspace)
    if is_of_level:
        checks = [check for check in checks if not isinstance(check, BriefCheck)]
    run = memo.examine if memo else _run_check
    named = track(checks, "checks", name=get_check_name)
    findings = [finding for check in named for finding in run(check, workspace)]
    return sort_causes_first(workspace, findings) if stage == "schema" and findings else findings
