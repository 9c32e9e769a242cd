"""``sopforge run-oracle``: prove that rules and tools solve a package, and guesses do not."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sopforge.cli.options import Sandbox, our_package, use_sandbox
from sopforge.cli.output import EXIT_FINDINGS, console, print_findings, say, table
from sopforge.findings import error


def run_oracle(
    package: Annotated[Path, typer.Argument(help="Folder of a published package.")],
    sandbox: Sandbox = None,
) -> None:
    """Let the reference agent and three trivial agents work through every task of a package."""
    from sopforge.checks.package_solved import judge, read_graded_folder, run_agents
    from sopforge.packaging.sop_bench import CHECKSUMS, changed_files
    from sopforge.sandbox.levels import chosen_level

    use_sandbox(sandbox)
    graded = read_graded_folder(our_package(package))
    runs = run_agents(graded)
    scored = ["on the way"] if graded.model.scored else []
    title = f"{package.name}: {len(graded.tasks)} tasks"
    shown = table(title, "agent", "success", "gold calls", *scored)
    for run in runs:
        shares = [run.success, run.gold_trajectories, *([run.intermediates] if scored else [])]
        shown.add_row(run.agent, *(f"{share:.3f}" for share in shares))
    screen = console()
    screen.print(shown)
    say(screen, f"The tools ran in the sandbox, at level '{chosen_level()}'.")
    findings = [finding for run in runs for finding in judge(run)]
    if (package / CHECKSUMS).is_file():
        findings += [
            error("file-changed", f"{name} is not the file that was released", where=name)
            for name in changed_files(package)
        ]
    if findings:
        print_findings(screen, findings)
        raise typer.Exit(EXIT_FINDINGS)
    say(screen, "The reference agent solves every task through the published tools.")
    say(screen, "Wrong, silent and one-letter answers solve none. All files are as released.")
