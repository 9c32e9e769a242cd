"""``sopforge doctor``: what this machine enforces on tools, found out by trying."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from sopforge.cli.options import AsJson, Sandbox, use_sandbox
from sopforge.cli.output import EXIT_FINDINGS, make_console, make_table, print_json, say

if TYPE_CHECKING:
    from sopforge.sandbox.machine import LevelReport, Machine


def doctor(
    sandbox: Sandbox = None,
    as_json: AsJson = False,
) -> None:
    """Attack the sandbox on this machine, and show which attacks each level blocks."""
    from sopforge.sandbox.machine import examine

    use_sandbox(sandbox)
    machine = examine()
    if as_json:
        print_json(as_record(machine))
    else:
        _print(machine)
    if not machine.is_ready:
        raise typer.Exit(EXIT_FINDINGS)


def as_record(machine: Machine) -> dict[str, object]:
    """Return what was found, ready for JSON."""
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


def _print(machine: Machine) -> None:
    screen = make_console()
    facts = make_table("This machine", "what", "found")
    for what, found in (
        ("system", f"{machine.system}, {machine.processor}"),
        ("Python", machine.python),
        ("user", machine.user),
        ("Landlock", f"version {machine.landlock}" if machine.landlock else "none"),
        ("bubblewrap", machine.wrapper or "around every process"),
    ):
        facts.add_row(what, found)
    screen.print(facts)
    levels = make_table("Sandbox levels", "level", "holds", "reason")
    for report in machine.levels:
        levels.add_row(report.level, "yes" if report.holds else "no", _describe_reason(report))
    screen.print(levels)
    if machine.is_ready:
        say(screen, f"Tools run at level '{machine.chosen}'.")
    else:
        say(
            screen,
            f"Level '{machine.chosen}' is requested but cannot be enforced, so no tool runs.",
        )


def _describe_reason(report: LevelReport) -> str:
    if report.unavailable:
        return report.unavailable
    reached = [item.words for item in report.attempts if item.succeeded]
    if reached:
        return f"a tool could {', '.join(reached)}"
    if not report.level.is_boundary:
        return "memory, time and files are limited; this is not a security boundary"
    return f"all {len(report.attempts)} attacks were refused"
