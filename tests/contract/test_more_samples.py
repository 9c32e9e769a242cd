"""More samples of the same brief only add lines, and move no task across the split."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sopforge.artifacts.packaging.release import Release
from sopforge.artifacts.packaging.sop_bench import build_package_files
from sopforge.language.domain.reading import read_brief
from tests.worlds.shared_builds import build_stages
from tests.worlds.small_models import CLAIMS, ORDERS, changed

PATIENTS = Path(__file__).parents[2] / "briefs" / "patient_intake.yaml"
DRAFT = (PATIENTS.parent / "drafts" / "patient_intake.md").read_text(encoding="utf-8")
SLOW = pytest.mark.exhaustive
LISTING = (
    *("dataset/tasks.jsonl", "dataset/trajectories.jsonl", "dataset/explanations.jsonl"),
    *("tasks.jsonl", "test_set_with_outputs.csv", "test_set_without_outputs.csv"),
)


def files_of(text: str) -> dict[str, str]:
    """Return the dataset's files and those of the package that list tasks."""
    workspace = build_stages(read_brief(text, PATIENTS.name, DRAFT), "dataset")
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
    return {**workspace.files, **{name: str(package[name]) for name in LISTING[3:]}}


@pytest.mark.parametrize(
    ("text", "asked", "many"),
    [
        pytest.param(ORDERS, 60, 65, id="orders-65"),
        pytest.param(ORDERS, 60, 210, id="orders-210"),
        pytest.param(CLAIMS, 80, 85, id="everything-85", marks=SLOW),
        pytest.param(CLAIMS, 80, 110, id="everything-110"),
        pytest.param(CLAIMS, 80, 210, id="everything-210", marks=SLOW),
        pytest.param(PATIENTS.read_text("utf-8"), 120, 125, id="patient intake-125", marks=SLOW),
        pytest.param(PATIENTS.read_text("utf-8"), 120, 210, id="patient intake-210", marks=SLOW),
    ],
)
def test_more_samples_add_lines_and_change_none(text: str, asked: int, many: int) -> None:
    few = files_of(text)
    more = files_of(changed(text, (f"n_samples: {asked}", f"n_samples: {many}")))

    for name in LISTING:
        # Each line is looked for after the one before it.
        rest = iter(more[name].splitlines())
        assert all(line in rest for line in few[name].splitlines()), name
        assert more[name].count("\n") - few[name].count("\n") == many - asked, name


def test_records_are_ordered_by_their_key_however_many_there_are() -> None:
    files = files_of(changed(ORDERS, ("n_samples: 60", "n_samples: 210")))

    keys = [line.split(",")[0] for line in files["dataset/records.csv"].splitlines()[1:]]
    assert keys == sorted(keys)
    assert len(keys) == 210
