"""Findings of levels are shown once, where they can be fixed; errors block wherever they are."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from sopforge.checks.finding_memo import FindingMemo
from sopforge.checks.registry import examine_quickly
from sopforge.findings import Finding, Severity, has_errors
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.gates.gate import decide
from sopforge.pipeline.releases.publishing import publish
from sopforge.pipeline.stages.building.level_findings import (
    check_levels,
    check_packages,
    merge_findings,
)
from sopforge.pipeline.stages.building.orders import build_workspace
from sopforge.pipeline.stages.building.version import build_and_store_version, examine_stage
from sopforge.pipeline.stages.complexity import ComplexityStage, collect_variants
from sopforge.pipeline.stages.pipeline import Ending, Progress, advance, list_approved_versions
from sopforge.store.entries import DecisionVerdict
from sopforge.store.log.audit_log import Opinion
from sopforge.store.opening import open_store
from sopforge.store.versions import Store
from sopforge.workspace import TOOLS, Workspace
from tests.worlds.packages import package_texts
from tests.worlds.quick_builds import LONGER, REFUND
from tests.worlds.small_models import changed
from tests.worlds.worded import let_worded_wait

DRAFT = "# Aim\n\nRefunds wait for 17 minutes.\n\nThere are 19 desks.\n"
SPARE = ("  policy:\n", "  policy:\n    spare: {value: 7, meaning: nothing}\n")
REPORTED = {"policy-not-used": 1, "sop-draft-left-out": 2}
SHOWN = ("schema", "sop", "dataset", "api", "toolspec", "tools")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Return a store in which a domain with three warnings is approved."""
    opened = open_store(tmp_path_factory.mktemp("store"))
    assert go(opened).ending is Ending.APPROVED
    return opened


def go(store: Store) -> Progress:
    return advance(store, brief(), approve_clean=True)


def brief() -> Brief:
    return read_brief(changed(REFUND, SPARE), "brief.yaml", DRAFT)


@pytest.fixture(scope="module")
def whole(store: Store) -> Workspace:
    return build_workspace(brief(), list_approved_versions(store, brief()))


def test_a_warning_is_shown_once_at_the_stage_where_it_can_be_fixed(store: Store) -> None:
    versions = list_approved_versions(store, brief())
    found = [item for version in versions for item in version.manifest.findings]

    counts = Counter(item.id for item in found if item.severity is Severity.WARNING)
    assert counts == REPORTED
    of_levels = versions[-1].manifest.findings
    assert [(item.id, item.message) for item in of_levels] == [
        ("findings-stand", "1 finding of earlier stages holds here too: 1 of schema")
    ]
    assert "sopforge show refund schema" in of_levels[0].hint


def test_a_package_does_not_report_it_again(store: Store) -> None:
    assert publish(store, brief()).findings == ()


def test_what_is_new_in_a_level_is_reported_with_all_levels_that_have_it(whole: Workspace) -> None:
    levels = collect_variants(whole)
    spoiled = {
        level: variant.with_files(
            {TOOLS: variant.files[TOOLS].replace("import csv\n", "import csv\nprint('read')\n")}
        )
        for level, variant in levels.items()
    }

    found = check_levels(whole, spoiled, SHOWN, FindingMemo(whole.brief))

    (printed,) = [item for item in found if item.id == "tool-prints"]
    assert list(levels) == ["L0", "L1"]
    assert printed.where.startswith("L0, L1, tools.py:")
    assert len(found) == len({(item.id, item.message, item.where) for item in found})


def test_an_error_blocks_wherever_it_is(whole: Workspace) -> None:
    tools = whole.files[TOOLS].replace("import csv\n", "import csv\nimport socket\n")
    own = f"{ComplexityStage.name}/L1/{TOOLS}"
    spoiled = whole.with_files({TOOLS: tools, own: tools})

    found = examine_stage(ComplexityStage(), spoiled)

    assert has_errors(found)
    (imported,) = [item for item in found if item.id == "tool-imports"]
    assert imported.where.startswith("L1, tools.py:")


def test_a_warning_on_tools_is_no_news_of_a_package(store: Store, whole: Workspace) -> None:
    package = package_texts(Path(publish(store, brief()).packages["L0"]))
    tools = whole.files[TOOLS].replace("import csv\n", "import csv\nprint('read')\n")
    level = whole.with_files({TOOLS: tools})
    packaged = whole.with_files(
        {f"package/{name}": text for name, text in {**package, "tools.py": tools}.items()}
    )

    at_stage = [item.id for item in examine_quickly("tools", level)]
    found = [item.id for item in check_packages({"L0": level}, {"L0": packaged}, SHOWN)]
    unknown = [item.id for item in check_packages({"L0": whole}, {"L0": packaged}, SHOWN)]

    assert "tool-prints" in at_stage
    assert "tool-prints" in unknown
    assert "tool-prints" not in found


def test_findings_that_differ_in_their_evidence_are_two() -> None:
    one = Finding("sop-prose", Severity.WARNING, "prose names 3", "sop/sop.txt", "It takes 3.")
    other = replace(one, evidence="Bring 3.")

    assert len(merge_findings([("L1", one), ("L1", other), ("L2", one)])) == 2


def test_words_that_nobody_applies_are_reported_until_the_brief_is_changed(tmp_path: Path) -> None:
    store = open_store(tmp_path)

    def found(text: str) -> list[str]:
        ended = advance(store, read_brief(text, "brief.yaml"), build=build_and_store_version)
        return [item.id for item in ended.version.manifest.findings]

    assert found(REFUND) == []
    let_worded_wait(store, "refund")
    decide(
        store.get_domain("refund"),
        stage="schema",
        digest="",
        verdict=DecisionVerdict.REQUEST_CHANGES,
        by="ada",
        opinion=Opinion(feedback="longer"),
    )

    assert found(REFUND) == ["feedback-not-applied"]
    assert found(changed(REFUND, LONGER)) == []
