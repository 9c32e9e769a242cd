"""Deriving: all that follows from a package's brief and the rows of its tasks, made again.

Unlike rebuilding, nothing is drawn or proved, so that it takes seconds: the choice of the tasks,
their records and the proofs of what no task can show are taken as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from sopforge.artifacts.packaging.sop_bench import GRADER, GRADER_TASKS, GRADER_TRAJECTORIES
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.findings import Finding
from sopforge.language.domain.documents.schema import Level
from sopforge.language.domain.tasks import read_tasks
from sopforge.pipeline.releases.rebuilding.comparison import (
    Files,
    compare,
    rebuild_package,
    refuse_unsound,
    require_level,
    with_material,
)
from sopforge.pipeline.releases.rebuilding.release_inputs import ReleaseInputs, read_release_inputs
from sopforge.pipeline.stages.api import ApiStage
from sopforge.pipeline.stages.making.level_files import make_level
from sopforge.pipeline.stages.schema import SchemaStage
from sopforge.pipeline.stages.sop import SopStage
from sopforge.pipeline.stages.stage import Stage
from sopforge.pipeline.stages.tools import ToolsStage
from sopforge.pipeline.stages.toolspec import ToolspecStage
from sopforge.proof.dataset.coverage.drawing import redraw
from sopforge.proof.dataset.records import write_records
from sopforge.proof.dataset.sampling.candidates import Candidate
from sopforge.proof.dataset.sampling.rows import write_rows
from sopforge.proof.dataset.tasks.recounting import rebuild_rows, recount_coverage
from sopforge.proof.dataset.tasks.writing import as_task, render_task_files
from sopforge.store.backends.atomic_files import read_text
from sopforge.workspace import COVERAGE, COVERAGE_TEXT, ROWS, ROWS_ASKED, Workspace


def check_derivation(folder: Path) -> list[Finding]:
    """Return the files of a package that do not follow from its brief, tasks and records."""
    return compare(
        folder, _derive_files, "file-not-derived", "the brief, with the tasks and records,"
    )


def _derive_files(folder: Path, provenance: Mapping[str, Any]) -> Files:
    given = read_release_inputs(folder)
    stored = {path.name: read_text(path) for path in folder.glob("records*.csv")}
    names = (GRADER_TASKS, GRADER_TRAJECTORIES, f"{GRADER}coverage.json")
    tasks, calls, coverage = (read_text(folder / name) for name in names)
    dataset = Dataset(tasks, calls, coverage, tuple(sorted(stored.items())))
    described = derive_model_and_sop(given)
    refuse_unsound(given.material, described)
    variant = _derive_level(given, dataset, require_level(provenance, described.brief))
    return rebuild_package(folder, with_material(variant, given.material), provenance)


@dataclass(frozen=True, slots=True)
class Dataset:
    """What is taken from a package as it is: texts of its files, of the records by their names."""

    tasks: str
    trajectories: str
    coverage: str
    records: tuple[tuple[str, str], ...]


@lru_cache(maxsize=2)
def _derive_level(given: ReleaseInputs, dataset: Dataset, level: Level) -> Workspace:
    """Return what follows from a brief and a dataset for a level."""
    plain = derive_plain(given, dataset)
    return Workspace(plain.brief, make_level(plain, level, given.material))


def derive_plain(given: ReleaseInputs, dataset: Dataset) -> Workspace:
    """Return what follows from a brief and a dataset: the files of all stages but the levels."""
    plain = _with_dataset(derive_model_and_sop(given), dataset, given)
    for stage in (ApiStage(), ToolspecStage(), ToolsStage()):
        plain = _with_stage(plain, stage, given)
    return plain


@lru_cache(maxsize=2)
def derive_model_and_sop(given: ReleaseInputs) -> Workspace:
    """Return what follows from a brief and its edits alone: the model and the SOP."""
    workspace = Workspace(given.brief, {})
    for stage in (SchemaStage(), SopStage()):
        workspace = _with_stage(workspace, stage, given)
    return workspace


def _with_stage(workspace: Workspace, stage: Stage, given: ReleaseInputs) -> Workspace:
    made = given.apply_edits(stage.name, dict(stage.build(workspace, OfflineAuthor())))
    return workspace.with_stage(stage.name, made)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """The tasks of a package, which are equal where their rows are."""

    rows: str
    tasks: Sequence[Candidate] = field(compare=False, repr=False)


@lru_cache(maxsize=2)
def _recount_coverage(described: ReleaseInputs, drawn: _Drawn, coverage: str) -> tuple[str, str]:
    """Return the coverage that tasks bear out; the levels of a domain have the same tasks."""
    return recount_coverage(derive_model_and_sop(described).model, coverage, drawn.tasks)


def _with_dataset(workspace: Workspace, given: Dataset, described: ReleaseInputs) -> Workspace:
    """Return the workspace with the tasks of a package, and the coverage that they bear out."""
    model, asked = workspace.model, workspace.brief.drawing
    stored = read_tasks(given.tasks, given.trajectories)
    rows = rebuild_rows(model, asked.seed, dict(given.records), stored)
    drawn = redraw(model, asked.seed, rows)
    coverage, text = _recount_coverage(
        described, _Drawn(write_rows(model, drawn), drawn), given.coverage
    )
    tasks = [as_task(model, candidate, asked.dev_share) for candidate in drawn]
    files = {
        **render_task_files(model, drawn, tasks),
        **write_records(model, [candidate.row for candidate in drawn]),
    }
    return workspace.with_files(
        {
            **{f"dataset/{name}": content for name, content in files.items()},
            ROWS: write_rows(model, drawn),
            COVERAGE: coverage,
            COVERAGE_TEXT: text,
            **({ROWS_ASKED: described.rows} if described.rows else {}),
        }
    )
