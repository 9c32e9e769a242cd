"""``sopforge explain``: why a task has its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.options import DEFAULT_STORE, AsJson, PackageName, StorePlace
from sopforge.cli.output import make_console, print_json, say, warn_yanked
from sopforge.errors import Fault, MaterialError

if TYPE_CHECKING:
    from sopforge.domain.model import DomainModel
    from sopforge.domain.tasks import Task


def explain(
    package: PackageName,
    task: Annotated[str, typer.Argument(help="Id of the task [default: the first task].")] = "",
    conditions: Annotated[
        bool,
        typer.Option(
            "--conditions",
            help="Show how an agent learns whether each condition holds, and what changes it.",
        ),
    ] = False,
    as_json: AsJson = False,
    place: StorePlace = DEFAULT_STORE,
) -> None:
    """Explain a task: its steps, the results of its tools, and which rules decided and why."""
    from sopforge.checks.package.package_solved import explain_task, read_graded_folder
    from sopforge.packaging.sop_bench import ASKED
    from sopforge.releases.locating import locate_release

    with locate_release(package, place) as found:
        warn_yanked(found.yanked)
        folder = found.require_package()
        graded = read_graded_folder(folder)
    if conditions:
        _show_conditions(graded.model, folder.name, as_json=as_json)
        return
    tasks = {item.id: item for item in graded.tasks}
    chosen = task or next(iter(tasks))
    if chosen not in tasks:
        message = f"the package has no task '{chosen}'"
        hint = f"tasks are {graded.tasks[0].id} to {graded.tasks[-1].id}; see {ASKED}"
        raise MaterialError(Fault("unknown-task", message, package, hint))
    story = explain_task(graded, chosen)
    if as_json:
        print_json({"package": folder.name, **_build_record(tasks[chosen]), "story": story})
        return
    screen = make_console()
    say(screen, chosen, "bold")
    for line in story:
        say(screen, line)


def _show_conditions(model: DomainModel, package: str, *, as_json: bool) -> None:
    from dataclasses import asdict

    from sopforge.logic.condition_sources import (
        derive_condition_sources,
        write_condition_sources,
    )

    if as_json:
        found = [asdict(item) for item in derive_condition_sources(model)]
        print_json({"package": package, "conditions": found})
        return
    say(make_console(), write_condition_sources(model).rstrip())


def _build_record(task: Task) -> dict[str, object]:
    return {
        "task": task.id,
        "split": task.split,
        "inputs": dict(task.inputs),
        "outcomes": dict(task.outcomes),
        "path": list(task.path),
        "calls": [
            {
                "tool": call.tool,
                "arguments": dict(call.arguments),
                "result": dict(call.result),
                "refusal": call.refusal,
            }
            for call in task.calls
        ],
    }
