"""Deriving: all that follows from a package's brief and the rows behind its tasks, made again.

Unlike rebuilding, nothing is drawn or proved, so that it takes seconds: the choice of the tasks,
their records and the proofs of what no task can show are taken as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from sopforge.authors.offline import OfflineAuthor
from sopforge.dataset.drawing import redraw
from sopforge.dataset.recounting import recounted, rows_again
from sopforge.dataset.rows import write_rows
from sopforge.domain.reading import read_brief
from sopforge.domain.schema import Level
from sopforge.domain.tasks import read_tasks
from sopforge.findings import Finding
from sopforge.material.material import Material
from sopforge.packaging.sop_bench import GRADER, GRADER_TASKS, GRADER_TRAJECTORIES
from sopforge.stages.comparing import (
    Files,
    compare,
    level_of,
    made_again,
    package_brief,
    package_material,
    package_rows,
    refuse_unsound,
    with_material,
)
from sopforge.stages.complexity import make_level
from sopforge.stages.schema import SchemaStage
from sopforge.stages.sop import SopStage
from sopforge.store.files import read_text
from sopforge.workspace import COVERAGE, COVERAGE_TEXT, ROWS, ROWS_ASKED, Workspace


def derived_findings(folder: Path) -> list[Finding]:
    """Return the files of a package that do not follow from its brief, tasks and records."""
    return compare(folder, _derived, "file-not-derived", "the brief, with the tasks and records,")


def _derived(folder: Path, provenance: Mapping[str, Any]) -> Files:
    brief = package_brief(folder)
    stored = {path.name: read_text(path) for path in folder.glob("records*.csv")}
    names = (GRADER_TASKS, GRADER_TRAJECTORIES, f"{GRADER}coverage.json")
    tasks, calls, coverage = (read_text(folder / name) for name in names)
    records = tuple(sorted(stored.items()))
    dataset = Dataset(tasks, calls, coverage, records, package_rows(folder))
    level, material = level_of(provenance, brief), package_material(folder)
    refuse_unsound(material, _described(brief.text, brief.draft))
    variant = _level(brief.text, brief.draft, dataset, level, material)
    return made_again(with_material(variant, material), provenance)


@dataclass(frozen=True, slots=True)
class Dataset:
    """What is taken from a package as it is: texts of its files, of the records by their names."""

    tasks: str
    trajectories: str
    coverage: str
    records: tuple[tuple[str, str], ...]
    rows_asked: str = ""


@lru_cache(maxsize=2)
def _level(text: str, draft: str, dataset: Dataset, level: Level, material: Material) -> Workspace:
    """Return what follows from a brief and a dataset for a level."""
    plain = _with_dataset(_described(text, draft), dataset)
    return Workspace(plain.brief, make_level(plain, level, material))


@lru_cache(maxsize=2)
def _described(text: str, draft: str) -> Workspace:
    """Return what follows from a brief alone: the model and the SOP."""
    workspace, author = Workspace(read_brief(text, "brief.yaml", draft), {}), OfflineAuthor()
    for stage in (SchemaStage(), SopStage()):
        made = stage.build(workspace, author)
        workspace = workspace.with_files({f"{stage.name}/{name}": made[name] for name in made})
    return workspace


def _with_dataset(workspace: Workspace, given: Dataset) -> Workspace:
    """Return the workspace with the rows behind tasks, and the coverage that they bear out."""
    model, seed = workspace.model, workspace.brief.parts.dataset.seed
    rows = rows_again(model, dict(given.records), read_tasks(given.tasks, given.trajectories))
    tasks = redraw(model, seed, rows)
    coverage, text = recounted(model, given.coverage, tasks)
    asked = {ROWS_ASKED: given.rows_asked} if given.rows_asked else {}
    return workspace.with_files(
        {ROWS: write_rows(model, tasks), COVERAGE: coverage, COVERAGE_TEXT: text, **asked}
    )
