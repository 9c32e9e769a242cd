"""``sopforge explain``: why a task has its answer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sopforge.cli.options import our_package
from sopforge.cli.output import console, say
from sopforge.errors import Fault, MaterialError


def explain(
    package: Annotated[Path, typer.Argument(help="Folder of a published package.")],
    task: Annotated[str, typer.Argument(help="A task's id; the first task if left out.")] = "",
) -> None:
    """Tell a task's story: its steps, what the tools returned, which rules decided and why."""
    from sopforge.checks.package_solved import explained, read_graded_folder

    graded = read_graded_folder(our_package(package))
    known = [item.id for item in graded.tasks]
    chosen = task or known[0]
    if chosen not in known:
        message = f"the package has no task '{chosen}'"
        hint = f"tasks are {known[0]} to {known[-1]}; see test_set_without_outputs.csv"
        raise MaterialError(Fault("unknown-task", message, str(package), hint))
    screen = console()
    say(screen, chosen, "bold")
    for line in explained(graded, chosen):
        say(screen, line)
