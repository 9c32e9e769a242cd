"""Fresh draws of a package: tasks with proved answers that nobody has seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sopforge.authors.writers.replay import ReplayAuthor
from sopforge.checks.package.package_solved import GradedPackage
from sopforge.evaluation.packages.proved import ProvedPackage
from sopforge.harness.environment.shown import Shown, ShownTask
from sopforge.harness.layers.plain import PlainCases
from sopforge.language.domain.tasks import Task, write_tasks, write_trajectories
from sopforge.pipeline.stages.dataset import DatasetStage
from sopforge.progress.tracking import enter_step
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.records import Row, write_records
from sopforge.proof.dataset.sampling.candidates import FILL, MOST_IDS, Candidate, make_task_id
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.dataset.tasks.writing import as_task
from sopforge.seeds import LARGEST, draw_below
from sopforge.store.digests import digest_files
from sopforge.workspace import Workspace


def iterate_draws(
    package: ProvedPackage, plain: Workspace, count: int, seed: int
) -> Iterator[ProvedPackage]:
    """Yield so many packages with the model, the SOP and the tools of one, and tasks drawn anew.

    ``plain`` is what its stages made. Tasks cover what those of the package cover, and are labelled
    by the model.
    """
    for number in range(count):
        brief = replace(plain.brief, draw_seed=draw_below(LARGEST, seed, "fresh", number))
        workspace = replace(plain, brief=brief)
        with enter_step(f"fresh tasks {number + 1}"):
            files = dict(DatasetStage().build(workspace, ReplayAuthor()))
        drawn = workspace.with_stage(DatasetStage.name, files)
        yield _make_package(package, drawn.tasks, drawn.records)


def make_cases(
    package: ProvedPackage, plain: Workspace, rows: Sequence[Row], seed: int
) -> ProvedPackage:
    """Return a package with the model, the SOP and the tools of one, and some cases as its tasks.

    What distinguishes records, as their keys, is drawn by ``seed``.
    """
    model, dev_share = package.model, plain.brief.drawing.dev_share
    last = MOST_IDS - 1 - draw_below(MOST_IDS // 4, seed, "case")
    numbers = [last - place for place in range(len(rows))]
    unique = [item.name for item in model.fields.values() if item.sampling.unique]
    candidates = []
    for number, row, drawn in zip(numbers, rows, sample_rows(model, seed, numbers), strict=True):
        whole = {**row, **{name: drawn[name] for name in unique if name in row}}
        walk = label_row(model, whole)
        name = make_task_id(model, seed, number, whole)
        candidates.append(Candidate(name, f"{FILL}{number}", number, whole, walk))
    tasks = [as_task(model, candidate, dev_share) for candidate in candidates]
    return _make_package(package, tasks, write_records(model, [item.row for item in candidates]))


def _make_package(
    package: ProvedPackage, tasks: Sequence[Task], records: Mapping[str, str]
) -> ProvedPackage:
    shown = _make_shown(package.shown, tasks, records)
    decisive = {
        "shown": package.digest,
        "tasks": write_tasks(tasks),
        "calls": write_trajectories(tasks),
        **{f"records/{name}": text for name, text in records.items()},
    }
    graded = GradedPackage(package.model, tuple(tasks), shown.files)
    cases = PlainCases(shown, package.model, {task.id: task for task in tasks}, records)
    return ProvedPackage(cases, graded, digest_files(decisive), cases)


def _make_shown(shown: Shown, tasks: Sequence[Task], records: Mapping[str, str]) -> Shown:
    asked = {task.id: ShownTask(task.id, task.text, task.inputs, task.split) for task in tasks}
    files = {**shown.files, **{name: text.encode() for name, text in records.items()}}
    return replace(shown, tasks=asked, files=files, digest=digest_files(files))
