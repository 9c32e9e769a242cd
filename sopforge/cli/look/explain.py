"""Why a task of a package has its answer, which ``sopforge show`` explains."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from rich.text import Text

from sopforge.cli.options import AskedPackage
from sopforge.cli.output import Result
from sopforge.errors import Fault, MaterialError

if TYPE_CHECKING:
    from sopforge.language.domain.model import DomainModel
    from sopforge.language.domain.tasks import Task


def explain(asked: AskedPackage, task: str, *, conditions: bool) -> Result:
    """Return why a task has its answer: its steps, the results of its tools, and what decided.

    Without a ``task`` it is the first; with ``conditions``, what an agent can know of any.
    """
    from sopforge.artifacts.packaging.sop_bench import ASKED
    from sopforge.checks.package.package_solved import explain_task, read_graded_folder

    with asked.locate() as found:
        folder = found.require_package()
        graded = read_graded_folder(folder)
    if conditions:
        return _find_conditions(graded.model, folder.name)
    tasks = {item.id: item for item in graded.tasks}
    chosen = task or next(iter(tasks))
    if chosen not in tasks:
        message = f"the package has no task '{chosen}'"
        hint = f"tasks are {graded.tasks[0].id} to {graded.tasks[-1].id}; see {ASKED}"
        raise MaterialError(Fault("unknown-task", message, asked.package, hint))
    story = explain_task(graded, chosen)
    record = {"package": folder.name, **_build_record(tasks[chosen]), "story": story}
    return Result(record, [Text(chosen, "bold"), *story])


def _find_conditions(model: DomainModel, package: str) -> Result:
    from sopforge.language.logic.condition_sources import (
        derive_condition_sources,
        write_condition_sources,
    )

    found = [asdict(item) for item in derive_condition_sources(model)]
    record = {"package": package, "conditions": found}
    return Result(record, [write_condition_sources(model).rstrip()])


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
