"""Deriving: what follows from a package's tasks and records is made again, and compared."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from sopforge.findings import Severity
from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.releases.package_files import build_level_files
from sopforge.pipeline.releases.rebuilding.derivation import check_derivation
from sopforge.pipeline.releases.rebuilding.rebuild import check_rebuilding
from sopforge.pipeline.stages.complexity import collect_variants
from sopforge.pipeline.stages.pipeline import STAGES
from sopforge.store.backends.atomic_files import write_folder
from sopforge.store.digests import digest_files
from tests.worlds.packages import change
from tests.worlds.shared_builds import build_stages
from tests.worlds.small_models import CLAIMS, ORDERS, REBOOKING, STAYS, WARRANTY

FEES = (Path(__file__).parents[3] / "briefs" / "fees.yaml").read_text(encoding="utf-8")


def packages_of(text: str, home: Path) -> dict[str, Path]:
    """Return the folders of a brief's packages by level, made without gates."""
    workspace = build_stages(read_brief(text, "brief.yaml"))
    contents = {
        stage.name: digest_files(workspace.select_stage_files(stage.name)) for stage in STAGES
    }
    approval = {"entry": 1, "by": "approve-clean", "verdict": "policy-approved"}
    provenance = {
        "release": "1.0.0",
        "stages": contents,
        "approvals": {stage.name: [approval] for stage in STAGES},
    }
    for level, variant in collect_variants(workspace).items():
        write_folder(home / level, build_level_files(variant, level, "1.0.0", provenance))
    return {level: home / level for level in collect_variants(workspace)}


@pytest.fixture(scope="module")
def fees(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return packages_of(FEES, tmp_path_factory.mktemp("fees"))["L1"]


@pytest.fixture
def package(fees: Path, tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "package"
    shutil.copytree(fees, folder)
    yield folder
    shutil.rmtree(folder)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(FEES, id="an amount"),
        pytest.param(CLAIMS, id="every feature", marks=pytest.mark.exhaustive),
        pytest.param(ORDERS, id="records that others refer to"),
        pytest.param(STAYS, id="values that fit each other", marks=pytest.mark.exhaustive),
        pytest.param(REBOOKING, id="values known on some paths", marks=pytest.mark.exhaustive),
        pytest.param(WARRANTY, id="malformed keys", marks=pytest.mark.exhaustive),
    ],
)
def test_a_package_follows_from_its_tasks_and_records_at_every_level(
    text: str, tmp_path: Path
) -> None:
    for folder in packages_of(text, tmp_path).values():
        assert check_derivation(folder) == []


def test_a_package_is_what_its_brief_makes(package: Path) -> None:
    assert check_rebuilding(package) == []


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        pytest.param("sop.txt", "10 days", "11 days", id="SOP"),
        pytest.param("tools.py", "Records are read once", "Records are read twice", id="tools"),
        pytest.param("grader/test_tools.py", "assertEqual(", "assertIn(", id="tests of tools"),
        pytest.param("openapi.yaml", "Ask the loan", "Ask the lone", id="API"),
        pytest.param("README.md", "20 tasks", "21 tasks", id="card"),
        pytest.param("LICENSE.md", "4.0", "4.1", id="licence"),
        pytest.param("croissant.json", "1.0.0", "1.0.1", id="croissant"),
        pytest.param("metadata.json", '"num_tools": ', '"num_tools": 1', id="metadata"),
        pytest.param("grader/domain.yaml", "days late for", "days ago for", id="model"),
        pytest.param("grader/profile.json", '"steps": 3', '"steps": 4', id="profile"),
        pytest.param("grader/shortcuts.json", '"0.650"', '"0.651"', id="shortcuts"),
        pytest.param("grader/coverage.json", '"covering": ', '"covering": 1', id="count"),
        pytest.param("grader/coverage.md", " are there", "1 are there", id="count in words"),
        pytest.param("grader/tasks.jsonl", '"key": "goal:', '"key": "goal: ', id="key of a task"),
        pytest.param("grader/explanations.jsonl", "Outcomes", "Results", id="story"),
    ],
)
def test_one_change_is_found_in_its_file(package: Path, name: str, old: str, new: str) -> None:
    change(package, name, old, new)
    found = check_derivation(package)
    assert name in [item.where for item in found]
    assert {item.id for item in found} <= {"file-not-derived", "package-malformed"}


def test_a_goal_that_a_task_does_not_show_is_not_its_own(package: Path) -> None:
    report = json.loads((package / "grader/coverage.json").read_text(encoding="utf-8"))
    shown = report["goals"]["rule lateness.L1"]["tasks"]
    (stranger, *_) = report["goals"]["rule lateness.L3"]["tasks"]
    change(package, "grader/coverage.json", f'"{shown[0]}"', f'"{stranger}"')
    (found,) = check_derivation(package)
    assert found.where == "grader/coverage.json"
    assert stranger in found.evidence


def test_the_difference_is_shown_with_its_line(package: Path) -> None:
    change(package, "grader/domain.yaml", "title: Late", "title: Later")
    found = {item.where: item for item in check_derivation(package)}
    assert found["grader/domain.yaml"].evidence == (
        "line 3 is 'title: Later Fees of a Library', not 'title: Late Fees of a Library'"
    )


def test_a_changed_brief_makes_another_model(package: Path) -> None:
    change(package, "grader/brief.yaml", "value: 1.25", "value: 1.26")
    assert "grader/domain.yaml" in [item.where for item in check_derivation(package)]


def test_a_comment_in_the_brief_is_the_authors_own(package: Path) -> None:
    change(package, "grader/brief.yaml", "# A small domain", "# A tiny domain")
    assert check_derivation(package) == []


def test_a_file_of_no_package_is_named(package: Path) -> None:
    (package / "notes.txt").write_text("Mine.", encoding="utf-8")
    (found,) = check_derivation(package)
    assert (found.id, found.where) == ("file-not-derived", "notes.txt")


def test_a_package_of_another_version_leaves_a_note_alone(package: Path) -> None:
    change(package, "provenance.json", '"SOPForge 0.1.0', '"SOPForge 0.0.9')
    (found,) = check_derivation(package)
    assert (found.id, found.severity) == ("not-rebuilt", Severity.NOTE)


@pytest.mark.parametrize(
    ("name", "old", "new", "code"),
    [
        pytest.param("provenance.json", '"L1"', '"L7"', "package-content", id="no such level"),
        pytest.param("provenance.json", '"level"', '"leven"', "package-malformed", id="no level"),
        pytest.param("provenance.json", "{", "", "package-malformed", id="no JSON"),
        pytest.param("records.csv", "\nL", "\nK", "record-missing", id="no record"),
        pytest.param(
            "grader/brief.yaml", "value: 1.25", "value: a", "value-not-allowed", id="no brief"
        ),
    ],
)
def test_a_package_of_which_nothing_can_be_made_is_an_error(
    package: Path, name: str, old: str, new: str, code: str
) -> None:
    change(package, name, old, new)
    found = check_derivation(package)
    assert code in [item.id for item in found]
    assert all(item.severity is Severity.ERROR for item in found)


def test_the_digest_of_a_stage_is_that_of_its_files_made_anew(package: Path) -> None:
    provenance = json.loads((package / "provenance.json").read_text(encoding="utf-8"))
    digest = provenance["stages"]["dataset"]
    change(package, "provenance.json", digest, "0" * 64)
    assert check_derivation(package) == []
    (found,) = check_rebuilding(package)
    assert (found.id, found.where) == ("file-not-rebuilt", "provenance.json")
    assert digest in found.evidence
