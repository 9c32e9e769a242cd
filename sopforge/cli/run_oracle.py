"""``sopforge run-oracle``: prove that rules and tools solve a package, and guesses do not."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sopforge.cli.output import EXIT_FINDINGS, console, print_findings, table
from sopforge.errors import Fault, MaterialError


def run_oracle(
    package: Annotated[Path, typer.Argument(help="Folder of a published package.")],
) -> None:
    """Let the reference agent and three trivial agents work through every task of a package."""
    from sopforge.checks.package_solved import GRADED_FILES, judge, read_graded, run_agents
    from sopforge.store.files import read_text

    if not package.is_dir():
        message = f"there is no folder {package}"
        hint = "give the folder of a package, as 'sopforge publish' names it"
        raise MaterialError(Fault("package-not-found", message, "", hint))
    found = [name for name in GRADED_FILES if (package / name).is_file()]
    graded = read_graded({name: read_text(package / name) for name in found})
    runs = run_agents(graded)
    shown = table(f"{package.name}: {len(graded.tasks)} tasks", "agent", "success", "gold calls")
    for run in runs:
        shown.add_row(run.agent, f"{run.success:.3f}", f"{run.gold_trajectories:.3f}")
    screen = console()
    screen.print(shown)
    findings = [finding for run in runs for finding in judge(run)]
    if findings:
        print_findings(screen, findings)
        raise typer.Exit(EXIT_FINDINGS)
    screen.print("The reference agent solves every task; guessing and copying solve none.")
