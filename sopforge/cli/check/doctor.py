"""``sopforge doctor``: what this machine enforces on tools, found out by trying."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopforge.cli.options import Sandbox, use_sandbox
from sopforge.cli.output import Parts, Result, make_table

if TYPE_CHECKING:
    from sopforge.sandbox.machine import LevelReport, Machine


def doctor(sandbox: Sandbox = None) -> Result:
    """Attack the sandbox on this machine, and show which attacks each level blocks."""
    from sopforge.sandbox.machine import examine

    use_sandbox(sandbox)
    machine = examine()
    return Result(_build_record(machine), _lay_out(machine), has_findings=not machine.is_ready)


def _build_record(machine: Machine) -> dict[str, object]:
    return {
        "system": machine.system,
        "processor": machine.processor,
        "python": machine.python,
        "user": machine.user,
        "landlock": machine.landlock,
        "bubblewrap": machine.wrapper or "used",
        "asked_for": machine.chosen,
        "best": machine.best,
        "is_ready": machine.is_ready,
        "levels": {
            report.level: {
                "holds": report.holds,
                "unavailable": report.unavailable,
                "attempts": {
                    item.words: {"succeeded": item.succeeded, "said": item.said}
                    for item in report.attempts
                },
            }
            for report in machine.levels
        },
    }


def _lay_out(machine: Machine) -> Parts:
    facts = {
        "system": f"{machine.system}, {machine.processor}",
        "Python": machine.python,
        "user": machine.user,
        "Landlock": f"version {machine.landlock}" if machine.landlock else "none",
        "bubblewrap": machine.wrapper or "around every process",
    }
    yield make_table("This machine", ["what", "found"], facts.items())
    levels = [
        (report.level, "yes" if report.holds else "no", _describe_reason(report))
        for report in machine.levels
    ]
    yield make_table("Sandbox levels", ["level", "holds", "reason"], levels)
    if machine.is_ready:
        yield f"Tools run at level '{machine.chosen}'."
    else:
        yield f"Level '{machine.chosen}' is requested but cannot be enforced, so no tool runs."


def _describe_reason(report: LevelReport) -> str:
    if report.unavailable:
        return report.unavailable
    reached = [item.words for item in report.attempts if item.succeeded]
    if reached:
        return f"a tool could {', '.join(reached)}"
    if not report.level.is_boundary:
        return "memory, time and files are limited; this is not a security boundary"
    return f"all {len(report.attempts)} attacks were refused"
