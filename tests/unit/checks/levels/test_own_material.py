"""Levels made with what a language model wrote: sound, with the same answers, and made again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from sopforge.authors.writers.model_author import ModelAuthor
from sopforge.findings import Severity
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.language.domain.tasks import read_tasks
from sopforge.pipeline.releases.publishing import publish
from sopforge.pipeline.releases.rebuilding.derivation import check_derivation
from sopforge.pipeline.releases.rebuilding.rebuild import check_rebuilding
from sopforge.pipeline.stages.complexity import collect_variants
from sopforge.pipeline.stages.pipeline import Ending, advance, build_workspace
from sopforge.store.opening import open_store
from sopforge.workspace import (
    MATERIAL,
    OPENAPI,
    STAGE_NAMES,
    TASKS,
    TOOLSPECS,
    TRAJECTORIES,
    Workspace,
)
from tests.unit.authors.test_model_author import PLAYERS, Played
from tests.worlds.own_material import FEES_L3, PAPERS, ROLES, SYSTEMS, WRITTEN, always

LIE = "desk that must approve all"
PLAIN = yaml.safe_load(FEES_L3)


def brief_of(**author: object) -> Brief:
    """Return the brief of late fees at all levels, of which a model writes the last stage."""
    writer = {"name": "anthropic", "model": "played", "rounds": 1, "stages": ["complexity"]}
    return read_brief(yaml.safe_dump({**PLAIN, "author": {**writer, **author}}), "fees.yaml")


def answering(answers: Mapping[str, Any]) -> Played:
    return Played({**PLAYERS, **{name: always(a) for name, a in answers.items()}})


def made(store: Path, answers: Mapping[str, Any], brief: Brief | None = None) -> Workspace:
    """Return the files of all stages, with the last written by a played model."""
    brief = brief or brief_of()
    asking = answering(answers)
    author = ModelAuthor(brief.parts.writer, asking)
    progress = advance(open_store(store), brief, approve_clean=True, author=author)
    assert progress.ending is Ending.APPROVED, progress.version.manifest.findings
    versions = [
        open_store(store).get_domain("fees").list_versions(name)[-1] for name in STAGE_NAMES
    ]
    return build_workspace(brief, versions)


def published(store: Path, brief: Brief) -> Mapping[str, Path]:
    """Return the packages of what a played model wrote."""
    author = ModelAuthor(brief.parts.writer, answering({}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sopforge.pipeline.stages.pipeline.choose_author", lambda *_: author)
        packages = publish(open_store(store), brief).packages
    return {level: Path(place) for level, place in packages.items()}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("store")


@pytest.fixture(scope="module")
def own(store: Path) -> Workspace:
    return made(store, WRITTEN)


def test_levels_name_the_trade_in_what_was_written(own: Workspace) -> None:
    profile = json.loads(own.files["complexity/L3/profile.json"])
    shown = " ".join(profile["added"])

    assert all(any(name in shown for name in names) for names in (ROLES, SYSTEMS, PAPERS))
    assert "loan register" not in shown
    assert "loan file" not in shown


def test_answers_and_gold_calls_stay(own: Workspace) -> None:
    plain = read_tasks(own.files[TASKS], own.files[TRAJECTORIES])

    for level in collect_variants(own).values():
        for task, other in zip(plain, level.tasks, strict=True):
            assert (task.id, task.outcomes, task.path) == (other.id, other.outcomes, other.path)
            assert [call.tool for call in task.calls] == [call.tool for call in other.calls]


def test_the_checks_have_nothing_to_say(own: Workspace, store: Path) -> None:
    version = open_store(store).get_domain("fees").list_versions("complexity")[-1]

    assert version.manifest.findings == ()
    assert own.files[MATERIAL] == version.files["material.json"]


def test_a_package_is_made_again_from_the_material_in_it(own: Workspace, store: Path) -> None:
    folder = published(store, own.brief)["L3"]

    assert json.loads((folder / "grader" / "material.json").read_text(encoding="utf-8"))
    assert check_derivation(folder) == []
    assert check_rebuilding(folder) == []


def test_a_package_without_its_material_is_not_made_again(own: Workspace, store: Path) -> None:
    folder = published(store, own.brief)["L1"]
    path = folder / "grader" / "material.json"
    text = path.read_text(encoding="utf-8")
    path.unlink()

    found = check_derivation(folder)
    path.write_text(text, encoding="utf-8")

    assert "sop.txt" in {item.where for item in found}
    assert check_derivation(folder) == []


def test_material_of_a_package_that_holds_lies_is_refused(own: Workspace, store: Path) -> None:
    folder = published(store, own.brief)["L1"]
    path = folder / "grader" / "material.json"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(ROLES[0], LIE), encoding="utf-8")

    found = [*check_derivation(folder), *check_rebuilding(folder)]
    path.write_text(text, encoding="utf-8")

    assert [(item.id, item.where) for item in found] == [
        ("material-unsound", "grader/material.json")
    ] * 2
    assert all(LIE in item.message for item in found)


def test_lies_are_left_out_and_reported(tmp_path: Path) -> None:
    names = {**WRITTEN["trade_names"], "papers": [LIE, "tolerated returns slip", *PAPERS]}

    workspace = made(tmp_path, {"trade_names": names})

    shown = " ".join(json.loads(workspace.files["complexity/L3/profile.json"])["added"])
    assert any(name in shown for name in PAPERS)
    assert LIE not in shown
    assert "tolerated returns" not in shown
    version = open_store(tmp_path).get_domain("fees").list_versions("complexity")[-1]
    notes = version.manifest.findings
    assert {(item.id, item.severity) for item in notes} == {("material-rejected", Severity.NOTE)}
    (note,) = [item for item in notes if "'papers'" in item.message]
    assert note.message.endswith(" are unused; 2 are in use")
    assert f"{LIE}: speaks as a rule does\n" in note.evidence


def test_the_plain_summaries_stay_at_levels_for_tools_that_are_the_same(tmp_path: Path) -> None:
    whole = {"tool": "", "summary": "What the library offers."}
    said = {"tool": "lookUpLoan", "summary": "It shows a loan."}
    words = {
        "api_texts": {"summaries": [whole, said]},
        "toolspec_texts": {"summaries": [{**said, "summary": "Shows how a loan went."}]},
    }

    workspace = made(tmp_path, {**WRITTEN, **words}, brief_of(stages=["api", "toolspec"]))

    levels = collect_variants(workspace)
    second, third = (yaml.safe_load(levels[name].files[OPENAPI]) for name in ("L2", "L3"))
    assert second["info"]["summary"] == third["info"]["summary"] == "What the library offers."
    operations = {
        item["operationId"]: item for part in second["paths"].values() for item in part.values()
    }
    assert operations["lookUpLoan"]["description"] == "It shows a loan."
    assert "It shows a loan." not in levels["L3"].files[OPENAPI]
    assert "Shows how a loan went. Ask the loan" in levels["L2"].files[TOOLSPECS]
    assert "Shows how a loan went." not in levels["L3"].files[TOOLSPECS]
