"""The shipped briefs whose records change: their models are read, and rows are labelled alike."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sopforge.briefs.brief_files import load_brief
from sopforge.checks.package.package_solved import read_graded, run_agents
from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.complexity.levels import TEXT_LEVELS, apply_level
from sopforge.complexity.variant import Variant
from sopforge.dataset.oracle import label_row
from sopforge.dataset.sampling.bulk import as_columns, label_columns
from sopforge.dataset.sampling.sampling import sample_rows
from sopforge.logic.walking import collect_outcomes
from sopforge.releases.publishing import publish
from sopforge.releases.rebuilding.derivation import check_derivation
from sopforge.releases.rebuilding.rebuild import check_rebuilding
from sopforge.rendering.sop.sop import render_sop
from sopforge.stages.pipeline import advance
from sopforge.store.opening import open_store
from tests.worlds.packages import package_texts

BRIEFS = sorted((Path(__file__).parents[2] / "briefs" / "tables").glob("*.yaml"))
SMALL = Path(__file__).parents[2] / "docs" / "examples" / "small_counter.yaml"


@pytest.mark.parametrize("path", [*BRIEFS, SMALL], ids=lambda path: path.stem)
def test_rows_of_a_brief_with_tables_are_labelled_alike(path: Path) -> None:
    model = load_brief(path).model
    rows = sample_rows(model, 5, range(300))
    walks = [label_row(model, row) for row in rows]
    kept = [place for place, walk in enumerate(walks) if not walk.refusal and not walk.undecided]
    labels = label_columns(model, as_columns(model, [rows[place] for place in kept]))

    assert len(kept) == len(rows)
    for name, found in labels.items():
        expected = [collect_outcomes(model, walks[place])[name] for place in kept]
        actual = [
            value if is_there else None
            for value, is_there in zip(found.values, found.present, strict=True)
        ]
        assert actual == expected


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, id=path.stem) for path in (*BRIEFS[:1], SMALL)]
    + [pytest.param(path, id=path.stem, marks=pytest.mark.exhaustive) for path in BRIEFS[1:]],
)
def test_the_sop_of_a_brief_with_tables_is_read_back_at_each_level(path: Path) -> None:
    brief = load_brief(path)
    plain = Variant(brief.model, render_sop(brief.model, brief.draft))

    for level in sorted(TEXT_LEVELS):
        variant = apply_level(plain, level, 7)
        assert list(read_back_findings(variant.model, variant.sop.lines)) == []


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, id=path.stem, marks=pytest.mark.exhaustive) for path in BRIEFS]
    + [pytest.param(SMALL, id="small_counter")],
)
def test_a_brief_with_tables_becomes_a_sound_package(path: Path, tmp_path: Path) -> None:
    store, brief = open_store(tmp_path), load_brief(path)
    advance(store, brief, approve_clean=True)
    folder = Path(publish(store, brief).packages["L0"])
    package = read_graded(package_texts(folder))
    runs = {run.agent: run for run in run_agents(package)}
    pairs = [task.pair for task in package.tasks if task.pair]

    assert runs.pop("reference").success == 1.0
    assert {run.success for run in runs.values()} == {0.0}
    assert any(task.end_state for task in package.tasks)
    assert pairs
    assert {pairs.count(name) for name in pairs} == {2}
    assert check_derivation(folder) == []
    assert check_rebuilding(folder) == []


def test_pairs_that_are_not_those_of_the_tasks_are_noticed(tmp_path: Path) -> None:
    store, brief = open_store(tmp_path), load_brief(SMALL)
    advance(store, brief, approve_clean=True)
    folder = Path(publish(store, brief).packages["L0"])
    coverage = folder / "grader" / "coverage.json"
    report = json.loads(coverage.read_text("utf-8"))
    first = min(report["pairs"]["paired"])
    report["pairs"]["paired"][first].reverse()
    coverage.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", "utf-8")

    assert [item.where for item in check_derivation(folder)] == ["grader/coverage.json"]
