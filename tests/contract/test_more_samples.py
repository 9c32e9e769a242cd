"""More samples of the same brief only append lines, and move no task across the split."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sopforge.authors.offline import OfflineAuthor
from sopforge.domain.reading import Brief, read_brief
from sopforge.packaging.release import Release
from sopforge.packaging.sop_bench import build_package_files
from sopforge.stages.pipeline import STAGES
from sopforge.workspace import Workspace
from tests.worlds.small_models import CLAIMS, ORDERS, changed

PATIENTS = (Path(__file__).parents[2] / "briefs" / "patient_intake.yaml").read_text("utf-8")
APPENDED = (
    *("dataset/tasks.jsonl", "dataset/trajectories.jsonl", "dataset/explanations.jsonl"),
    *("tasks.jsonl", "test_set_with_outputs.csv", "test_set_without_outputs.csv"),
)


def files_of(text: str) -> dict[str, str]:
    """Return the dataset's files and those of the package that list tasks."""
    brief: Brief = read_brief(text, "brief.yaml")
    workspace = Workspace(brief, {})
    for stage in STAGES:
        if stage.name in {"schema", "dataset"}:
            made = stage.build(workspace, OfflineAuthor())
            workspace = workspace.with_files({f"{stage.name}/{name}": made[name] for name in made})
    empty: dict[str, Any] = dict.fromkeys(
        (
            *("name", "version", "level", "domain_yaml", "sop", "tools", "toolspecs", "openapi"),
            *("explanations", "coverage", "coverage_text", "profile"),
        ),
        "",
    )
    release = Release(
        **empty,
        model=workspace.model,
        tasks=workspace.tasks,
        records=workspace.records,
        provenance={},
    )
    package = build_package_files(release)
    return {**workspace.files, **{name: str(package[name]) for name in APPENDED[3:]}}


@pytest.mark.parametrize(
    ("text", "asked"),
    [(CLAIMS, "n_samples: 80"), (ORDERS, "n_samples: 60"), (PATIENTS, "n_samples: 120")],
    ids=["everything", "orders", "patient intake"],
)
@pytest.mark.parametrize("many", [105, 210])
def test_more_samples_append_lines_and_change_none_before(text: str, asked: str, many: int) -> None:
    few, more = (files_of(changed(text, (asked, f"n_samples: {n}"))) for n in (100, many))

    for name in APPENDED:
        assert more[name].startswith(few[name]), name
        assert more[name].count("\n") - few[name].count("\n") == many - 100, name


def test_records_are_ordered_by_their_key_however_many_there_are() -> None:
    files = files_of(changed(ORDERS, ("n_samples: 60", "n_samples: 210")))

    keys = [line.split(",")[0] for line in files["dataset/records.csv"].splitlines()[1:]]
    assert keys == sorted(keys)
    assert len(keys) == 210
