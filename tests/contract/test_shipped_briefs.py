"""Each brief in briefs/ becomes a sound package, and docs/domains.md says how rich it is."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from sopforge.checks.package.package_solved import read_graded, run_agents
from sopforge.language.domain.values.types import EnumType
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.pipeline.releases.publishing import publish
from sopforge.pipeline.stages.pipeline import advance, build_workspace, list_approved_versions
from sopforge.proof.dataset.coverage.coverage import read_coverage
from sopforge.store.opening import open_store
from sopforge.workspace import COVERAGE, Workspace
from tests.conftest import Golden
from tests.worlds.domain_table import COLUMNS, Counts, counts_of
from tests.worlds.packages import package_texts

ROOT = Path(__file__).parents[2]
BRIEFS = sorted((ROOT / "briefs").glob("*.yaml"))
PAGE = ROOT / "docs" / "domains.md"
# The largest, and the same with fewer rules: what their models are made of is also in the others
# and in the models of tests, which go through all stages in any run; but for `all` and `min` over
# lists, of which the readings are compared on generated models.
SLOW = ("dangerous_goods", "referral_abuse", "referral_abuse_simple")

PUBLISHED = {
    "patient_intake": Counts(
        6, "6 lookup", 14, 21, None, None, 6, 2, "67%", None, 6, None, 66, 496
    ),
    "dangerous_goods": Counts(4, "4 lookup", 5, 4, 1, None, 1, 5, "33%", None, 7, None, 274, 575),
    "referral_abuse": Counts(6, "6 lookup", 1, 27, None, None, 1, 7, "67%", 54, 7, None, 200, 1503),
}
"""The packages of the same subjects in SOP-Bench, as released (commit 2fdce4c), counted by hand."""


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=[pytest.mark.exhaustive] * (path.stem in SLOW))
        for path in BRIEFS
    ],
)
def test_a_shipped_brief_becomes_a_sound_package(
    path: Path, tmp_path: Path, golden: Golden
) -> None:
    store, brief = open_store(tmp_path), load_brief(path)
    advance(store, brief, approve_clean=True)
    versions = list_approved_versions(store, brief)
    packages = publish(store, brief).packages
    runs = {run.agent: run for run in run_agents(read_graded(package_texts(Path(packages["L0"]))))}
    workspace = build_workspace(brief, versions)

    assert [finding for version in versions for finding in version.manifest.findings] == []
    assert runs.pop("reference").success == 1.0
    assert {run.success for run in runs.values()} == {0.0}
    assert read_coverage(workspace.files[COVERAGE]).list_undecided() == []
    assert values_never_given(workspace) == {}
    golden(PAGE, page_with(link(path), counts_of(workspace).line(link(path))))


@pytest.mark.parametrize("name", SLOW)
def test_the_model_of_a_slow_brief_has_no_finding(name: str, tmp_path: Path) -> None:
    waiting = advance(open_store(tmp_path), load_brief(ROOT / "briefs" / f"{name}.yaml"))

    assert (waiting.version.manifest.stage, waiting.version.manifest.findings) == ("schema", ())


def values_never_given(workspace: Workspace) -> dict[str, set[str]]:
    """Return the values of outcomes that no task has."""
    given: dict[str, Counter[str]] = {}
    for task in workspace.tasks:
        for name, value in task.outcomes.items():
            given.setdefault(name, Counter())[value] += 1
    kinds = {name: workspace.model.fields[name].type for name in given}
    never = {
        name: set(kind.values) - set(given[name])
        for name, kind in kinds.items()
        if isinstance(kind, EnumType)
    }
    return {name: values for name, values in never.items() if values}


def page_with(name: str, line: str) -> str:
    """Return the page with a line in the place of the one that begins with the name."""
    lines = PAGE.read_text(encoding="utf-8").split("\n")
    return "\n".join(line if own.startswith(f"| {name} |") else own for own in lines)


def link(path: Path) -> str:
    return f"[{path.stem}](../briefs/{path.name})"


def lines_of_page() -> list[list[str]]:
    lines = PAGE.read_text(encoding="utf-8").split("\n")
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line[:1] == "|"]


def test_the_page_has_the_columns_and_a_line_for_each_brief_and_each_published_package() -> None:
    columns, _, *lines = lines_of_page()

    assert columns == list(COLUMNS)
    assert {line[0] for line in lines} == {
        *map(link, BRIEFS),
        *(f"{name} in SOP-Bench" for name in PUBLISHED),
    }


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_brief_is_at_least_as_rich_as_the_published_package(name: str) -> None:
    published = PUBLISHED[name].line(f"{name} in SOP-Bench")
    assert published in PAGE.read_text(encoding="utf-8").split("\n")

    ours, theirs = (
        dict(zip(COLUMNS, line, strict=True))
        for beginning in (link(ROOT / "briefs" / f"{name}.yaml"), f"{name} in SOP-Bench")
        for line in lines_of_page()
        if line[0] == beginning
    )
    for column in ("Tools", "Outcomes", "Labels of the primary", "Steps"):
        assert int(ours[column]) >= int(theirs[column]), column
    kinds = ("Inputs", "Observed", "Derived", "Distractors")
    fields = [
        sum(int(line[kind]) for kind in kinds if line[kind] != "-") for line in (ours, theirs)
    ]
    assert fields[0] >= fields[1]
