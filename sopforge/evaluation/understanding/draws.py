"""Fresh draws of a package: tasks with proved answers that nobody has seen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from sopforge.authors.replay import ReplayAuthor
from sopforge.checks.package.package_solved import GradedPackage
from sopforge.dials.plain import PlainCases
from sopforge.domain.tasks import write_tasks, write_trajectories
from sopforge.environment.shown import Shown, ShownTask
from sopforge.evaluation.experiments.sources import read_source
from sopforge.evaluation.packages.proved import ProvedPackage
from sopforge.progress.tracking import enter_step
from sopforge.seeds import LARGEST, draw_below
from sopforge.stages.dataset import DatasetStage
from sopforge.store.digests import digest_files
from sopforge.workspace import Workspace


def iterate_draws(
    package: ProvedPackage, folder: Path, count: int, seed: int
) -> Iterator[ProvedPackage]:
    """Yield so many packages with the model, the SOP and the tools of one, and tasks drawn anew.

    Tasks cover what those of the package cover, and are labelled by the model.

    Raises:
        MaterialError: the package is of another level than L0, or its brief has faults.
        PackageUnreadableError: it lacks files of its grader's side.
    """
    plain = read_source(folder).plain
    for number in range(count):
        brief = replace(plain.brief, draw_seed=draw_below(LARGEST, seed, "fresh", number))
        workspace = replace(plain, brief=brief)
        with enter_step(f"fresh tasks {number + 1}"):
            files = dict(DatasetStage().build(workspace, ReplayAuthor()))
        yield _make_package(package, workspace.with_stage(DatasetStage.name, files))


def _make_package(package: ProvedPackage, drawn: Workspace) -> ProvedPackage:
    tasks, records = drawn.tasks, drawn.records
    shown = _make_shown(package.shown, drawn)
    decisive = {
        "shown": package.digest,
        "tasks": write_tasks(tasks),
        "calls": write_trajectories(tasks),
        **{f"records/{name}": text for name, text in records.items()},
    }
    graded = GradedPackage(package.model, tuple(tasks), shown.files)
    cases = PlainCases(shown, package.model, {task.id: task for task in tasks}, records)
    return ProvedPackage(cases, graded, digest_files(decisive), cases)


def _make_shown(shown: Shown, drawn: Workspace) -> Shown:
    tasks = {
        task.id: ShownTask(task.id, task.text, task.inputs, task.split) for task in drawn.tasks
    }
    records = {name: text.encode() for name, text in drawn.records.items()}
    files = {**shown.files, **records}
    return replace(shown, tasks=tasks, files=files, digest=digest_files(files))
