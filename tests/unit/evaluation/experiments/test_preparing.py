"""Conditions as packages: what they hold, that their own briefs make them, and what is refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from sopforge.artifacts.packaging.checksums import read_folder_files
from sopforge.errors import MaterialError, SopForgeError
from sopforge.evaluation.experiments.building import build_branched_base
from sopforge.evaluation.experiments.designs import LEVELS, read_design
from sopforge.evaluation.experiments.preparing import PACKAGES, Prepared, prepare_conditions
from sopforge.evaluation.experiments.results import find_equal_conditions
from sopforge.evaluation.experiments.sources import read_source
from sopforge.language.domain.fields import Role
from sopforge.language.domain.values.malformed_inputs import is_malformed
from sopforge.pipeline.releases.rebuilding.derivation import check_derivation
from sopforge.proof.dataset.sampling.rows import read_rows
from sopforge.store.opening import open_store
from sopforge.workspace import COVERAGE, DOMAIN, ROWS, Workspace
from tests.conftest import Released
from tests.worlds.conditions import with_packages
from tests.worlds.packages import change
from tests.worlds.releases import refund_release, reviewed
from tests.worlds.shared_builds import Shared

ORIGIN = {"README.md", "SHA256SUMS", "croissant.json", "provenance.json", "grader/brief.yaml"}
"""Files in which a condition says that it is one, and what follows from these."""


@pytest.fixture(scope="session")
def release(shared: Shared) -> Path:
    """Return the folder of a release of the refunds."""
    return refund_release(shared)


def prepare(package: Path, out: Path, *asked: str, within: Path | None = None) -> list[Prepared]:
    """Return the conditions of a design, made from a package."""
    design = read_design(*asked)
    if design.name == LEVELS:
        # Those that the brief of the refunds asks for.
        design = replace(design, conditions=design.conditions[:2])
    return prepare_conditions(read_source(package), design, out, within)


def refuse(act: Callable[[], object]) -> str:
    """Return the code of what an act is refused with."""
    with pytest.raises(SopForgeError) as caught:
        act()
    return caught.value.faults[0].code


def times(out: Path) -> dict[str, int]:
    """Return when each file of the packages was written."""
    files = [path for path in (out / PACKAGES).rglob("*") if path.is_file()]
    return {str(path): path.stat().st_mtime_ns for path in files}


def test_what_a_package_carries_is_what_its_stages_wrote(
    released: Released, sound: Workspace
) -> None:
    plain = read_source(Path(released.published.packages["L0"])).plain
    # The model is laid out anew in packages; which rows were drawn stands in none.
    apart = {DOMAIN, ROWS}

    assert {name: plain.files[name] for name in plain.files if name not in apart} == {
        name: sound.files[name] for name in plain.files if name not in apart
    }
    assert COVERAGE in plain.files
    assert plain.model == sound.model
    pairs = zip(
        *(read_rows(plain.model, space.files[ROWS]) for space in (plain, sound)), strict=True
    )
    for found, drawn in pairs:
        assert (found.key, found.number) == (drawn.key, drawn.number)
        # Of a malformed input nobody knows what was meant, and distractors are in no record yet.
        kept = {
            item.name: found.row[item.name]
            for item in plain.model.with_role(Role.INPUT, Role.OBSERVED)
            if not is_malformed(item.type, found.row[item.name])
        }
        assert kept == {name: drawn.row[name] for name in kept}


def test_levels_made_from_a_lone_package_are_those_of_its_release(
    release: Path, tmp_path: Path
) -> None:
    alone = tmp_path / "refund"
    shutil.copytree(release / "refund", alone)
    found = prepare(alone, tmp_path / "out", "levels")
    made, published = (
        read_folder_files(folder)
        for folder in (tmp_path / "out" / PACKAGES / "L1", release / "refund_l1")
    )

    assert published.keys() - made.keys() == {"grader/stages.json"}
    assert {name for name in made if made[name] != published[name]} == ORIGIN
    assert [item.condition.level for item in found] == ["L0", "L1"]


def test_levels_published_with_a_package_are_taken_as_they_are(
    release: Path, tmp_path: Path
) -> None:
    prepare(release / "refund", tmp_path, "levels", within=release)

    for name, level in (("refund", "L0"), ("refund_l1", "L1")):
        assert read_folder_files(tmp_path / PACKAGES / level) == read_folder_files(release / name)


def test_a_condition_is_what_its_own_brief_makes(release: Path, tmp_path: Path) -> None:
    plain, dosed = prepare(release / "refund", tmp_path, "tools", "0,6")
    folder = tmp_path / PACKAGES / "general_tools-6"

    assert check_derivation(folder) == []
    # Six more tools, and otherwise what agents saw before.
    names = [[tool.name for tool in item.package.shown.tools] for item in (plain, dosed)]
    assert len(names[1]) == len(names[0]) + 6
    assert set(names[0]) < set(names[1])
    assert plain.package.shown.sop == dosed.package.shown.sop
    assert plain.package.shown.tasks == dosed.package.shown.tasks
    said = json.loads((folder / "provenance.json").read_text())
    assert said["experiment"]["doses"] == {"general_tools": 6}
    assert said["approvals"]["complexity"] == []
    assert "nobody has approved" in (folder / "README.md").read_text()


def test_a_package_that_is_there_is_not_built_again(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = prepare(release / "refund", tmp_path, "tools", "0,6")
    before = times(tmp_path)
    monkeypatch.delattr("sopforge.evaluation.experiments.preparing.build_package")
    again = prepare(release / "refund", tmp_path, "tools", "0,6")

    assert times(tmp_path) == before
    assert [item.digest for item in again] == [item.digest for item in first]


def test_a_package_of_other_inputs_is_neither_taken_nor_replaced(
    release: Path, tmp_path: Path
) -> None:
    def again() -> object:
        return prepare(release / "refund", tmp_path, "tools", "0,6")

    again()
    before = times(tmp_path)
    sop = tmp_path / PACKAGES / "general_tools-6" / "sop.txt"
    text = sop.read_text()
    sop.write_text("Pay whoever asks.\n")
    assert refuse(again) == "condition-taken"
    sop.write_text(text)
    plain = tmp_path / PACKAGES / "general_tools-0" / "sop.txt"
    plain.write_text("Pay whoever asks.\n")
    assert refuse(again) == "condition-taken"

    assert times(tmp_path).keys() == before.keys()


def test_an_operator_without_room_is_shown_by_what_it_put_in(release: Path, tmp_path: Path) -> None:
    found = prepare(release / "refund", tmp_path, "doses:partial_tools", "0,32,64")
    put_in = [item.put_in.get("partial_tools", 0) for item in found]

    assert 0 == put_in[0] < put_in[1] == put_in[2] < 32
    assert list(find_equal_conditions(found)) == [("partial_tools-32", "partial_tools-64")]


def test_a_level_of_another_domain_is_found_out(
    release: Path, released: Released, tmp_path: Path
) -> None:
    mixed = tmp_path / "mixed"
    shutil.copytree(release / "refund", mixed / "refund")
    shutil.copytree(released.published.packages["L1"], mixed / "refund_l1")
    code = refuse(lambda: prepare(mixed / "refund", tmp_path / "out", "levels", within=mixed))

    assert code == "condition-differs"


def test_what_people_wrote_stays_and_has_no_branches(tmp_path: Path) -> None:
    published = reviewed(open_store(tmp_path / "store"))
    source = read_source(Path(published.packages["L0"]))
    _, dosed = prepare(Path(published.packages["L0"]), tmp_path, "doses:tangents", "0,1")

    assert "Follow the steps in order" in dosed.package.shown.sop
    assert refuse(lambda: build_branched_base(source, "more_branches", 1)) == "source-not-derived"


def test_a_release_whose_text_was_changed_makes_no_condition(release: Path, tmp_path: Path) -> None:
    package = tmp_path / "refund"
    shutil.copytree(release / "refund", package)
    change(package, "sop.txt", "30 days", "40 days")

    with pytest.raises(MaterialError) as caught:
        prepare(package, tmp_path / "out", "doses:tangents", "0,1")
    assert {fault.where.partition(":")[0] for fault in caught.value.faults} == {"the source"}


def test_only_a_whole_plain_package_is_a_source(release: Path, tmp_path: Path) -> None:
    package = tmp_path / "refund"
    shutil.copytree(release / "refund", package)
    shutil.rmtree(package / "grader")

    assert refuse(lambda: read_source(package)) == "source-incomplete"
    assert refuse(lambda: read_source(release / "refund_l1")) == "source-not-plain"


def test_branches_make_another_model_with_tasks_of_its_own(
    release: Path, shared: Shared, tmp_path: Path
) -> None:
    asked = ("factorial", "0,4", "0,1")
    with_packages(shared, release / "refund", tmp_path, *asked)
    found = prepare(release / "refund", tmp_path, *asked)
    short, long, branched, both = (item.figures for item in found)

    assert [item["rules"] for item in (short, long, branched, both)] == [2, 2, 3, 3]
    assert short["sop_words"] < long["sop_words"]
    assert branched["sop_words"] < both["sop_words"]
    added = {"tangents": 4, "redundant_detail": 4}
    assert [item.put_in for item in found] == [{}, added, {}, added]
    folder = tmp_path / PACKAGES / "length-4-branches-1"
    assert check_derivation(folder) == []
    said = json.loads((folder / "provenance.json").read_text())
    assert set(map(len, said["approvals"].values())) == {0}
