"""The shipped briefs whose records change: their models are read, and rows are labelled alike."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from sopforge.artifacts.complexity.document import render_variant_document
from sopforge.artifacts.complexity.levels import TEXT_LEVELS, apply_level
from sopforge.artifacts.complexity.variant import Variant
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.checks.levels.variant_passages import CHECK as VARIANT_PASSAGES
from sopforge.checks.package.package_solved import read_graded, run_agents
from sopforge.checks.sop.sop_says_model import CHECK as SOP_SAYS_MODEL
from sopforge.language.domain.documents.schema import Level
from sopforge.language.domain.reading import Brief
from sopforge.language.logic.walking import collect_outcomes
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.pipeline.releases.publishing import publish
from sopforge.pipeline.releases.rebuilding.derivation import check_derivation
from sopforge.pipeline.releases.rebuilding.rebuild import check_rebuilding
from sopforge.pipeline.stages.pipeline import advance
from sopforge.pipeline.stages.sop import build_sop_files
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.bulk import as_columns, label_columns
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.store.opening import open_store
from sopforge.workspace import DOMAIN, Workspace, name_stage_files
from tests.worlds.packages import package_texts

BRIEFS = sorted((Path(__file__).parents[2] / "briefs" / "tables").glob("*.yaml"))
LEVELS: Sequence[Level] = sorted(TEXT_LEVELS)
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
    ("path", "levels"),
    [
        pytest.param(SMALL, LEVELS, id=SMALL.stem),
        pytest.param(BRIEFS[0], LEVELS[-1:], id=f"{BRIEFS[0].stem} at {LEVELS[-1]}"),
        *(pytest.param(x, LEVELS, id=x.stem, marks=pytest.mark.exhaustive) for x in BRIEFS),
    ],
)
def test_the_sop_of_a_brief_with_tables_is_read_back_at_each_level(
    path: Path, levels: Sequence[Level]
) -> None:
    workspace = build_levels(load_brief(path), levels)

    assert SOP_SAYS_MODEL.examine(workspace) == []
    assert VARIANT_PASSAGES.examine(workspace) == []


def test_agents_are_offered_what_the_tools_of_a_level_return() -> None:
    plain = make_plain(load_brief(SMALL))

    model = apply_level(plain, "L3", 7).model

    added = [tool for tool in model.tools.values() if tool.name not in plain.model.tools]
    assert added
    assert {name for tool in added for name in tool.returns} <= model.offered.fields.keys()


def make_plain(brief: Brief) -> Variant:
    author = OfflineAuthor()
    return Variant(
        brief.model,
        author.write_sop(brief.model, brief),
        derive=lambda model: author.write_sop(model, brief),
        document=author.write_domain(brief),
    )


def build_levels(brief: Brief, levels: Sequence[Level]) -> Workspace:
    """Return the plain SOP of a brief and the texts of levels, as the stages write them."""
    plain = make_plain(brief)
    domain = plain.document
    files = {DOMAIN: domain, **name_stage_files("sop", build_sop_files(plain.sop))}
    for level in levels:
        variant = apply_level(plain, level, 7)
        own = {DOMAIN: render_variant_document(domain, variant.model)}
        own |= name_stage_files("sop", build_sop_files(variant.sop))
        files |= name_stage_files(f"complexity/{level}", own)
    return Workspace(brief, files)


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
