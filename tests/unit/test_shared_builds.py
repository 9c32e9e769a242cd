"""What tests share is what each would make by itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.findings import Finding, make_note_finding
from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.stages.building.repair import build_and_repair
from sopforge.pipeline.stages.building.version import examine_stage
from sopforge.pipeline.stages.pipeline import STAGES
from sopforge.pipeline.stages.stage import Stage
from sopforge.workspace import Workspace
from tests.worlds.changed_briefs import FEES
from tests.worlds.shared_builds import Packages, Shared

BRIEF = read_brief(FEES, "fees.yaml")
AUTHOR = OfflineAuthor()


def test_a_stage_is_built_once_and_is_what_its_own_build_makes(tmp_path: Path) -> None:
    examined: list[str] = []
    build = Shared(tmp_path).share_builds(lambda: False)

    def examine(stage: Stage, workspace: Workspace) -> list[Finding]:
        examined.append(stage.name)
        return examine_stage(stage, workspace)

    first, again = (
        build(STAGES[0], Workspace(BRIEF, {}), AUTHOR, examine) for _ in ("once", "again")
    )

    own = build_and_repair(STAGES[0], Workspace(BRIEF, {}), AUTHOR, examine_stage)
    assert (first, again) == (own, own)
    assert examined == ["schema"]


def test_another_layout_of_equal_facts_is_built_by_itself(tmp_path: Path) -> None:
    build = Shared(tmp_path).share_builds(lambda: False)
    commented = read_brief(FEES.replace("model:\n", "model:\n  # As agreed.\n"), "fees.yaml")

    plain, other = (
        build(STAGES[0], Workspace(brief, {}), AUTHOR, examine_stage)
        for brief in (BRIEF, commented)
    )

    assert "# As agreed." not in plain.files["domain.yaml"]
    assert "# As agreed." in other.files["domain.yaml"]


def test_who_builds_by_itself_keeps_nothing(tmp_path: Path) -> None:
    build = Shared(tmp_path).share_builds(lambda: True)
    build(STAGES[0], Workspace(BRIEF, {}), AUTHOR, examine_stage)
    assert list(tmp_path.iterdir()) == []


def test_equal_packages_are_examined_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    examined: list[str] = []

    def examine(_levels: Packages, packages: Packages, _stages: Sequence[str]) -> list[Finding]:
        examined.extend(item.files["package/sop.txt"] for item in packages.values())
        return [make_note_finding("seen", str(len(examined)))]

    monkeypatch.setattr("tests.worlds.shared_builds.check_packages", examine)
    share = Shared(tmp_path).share_examinations(lambda: False)
    wholes = [
        {"L0": Workspace(BRIEF, {"package/sop.txt": text})} for text in ("one", "other", "one")
    ]

    found = [share({}, packages, ()) for packages in wholes]

    assert examined == ["one", "other"]
    assert found[0] == found[2] != found[1]


def test_what_could_not_be_made_is_made_by_the_next(tmp_path: Path) -> None:
    shared = Shared(tmp_path)

    def fail(folder: Path) -> str:
        (folder / "half").touch()
        raise OSError

    def make(folder: Path) -> str:
        return ",".join(path.name for path in folder.iterdir())

    with pytest.raises(OSError):  # noqa: PT011 - whatever it is that goes wrong
        shared.get_folder("store", fail)
    assert shared.get_folder("store", make) == (tmp_path / "store", "")
    assert shared.get_folder("store", fail) == (tmp_path / "store", "")
