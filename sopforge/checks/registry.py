"""All checks of this folder, found by their files."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

import sopforge.checks
from sopforge.checks.check import Check
from sopforge.findings import Finding
from sopforge.workspace import Workspace


@cache
def all_checks() -> tuple[Check, ...]:
    """Return the checks of all modules that offer one, by module name."""
    names = sorted(module.name for module in pkgutil.iter_modules(sopforge.checks.__path__))
    modules = [import_module(f"sopforge.checks.{name}") for name in names]
    return tuple(module.CHECK for module in modules if hasattr(module, "CHECK"))


def examine(stage: str, workspace: Workspace) -> list[Finding]:
    """Return the findings of all checks of a stage."""
    return [
        finding
        for check in all_checks()
        if check.stage == stage
        for finding in check.examine(workspace)
    ]
