"""``sopforge show`` shows what there is to decide: rules, texts, tasks, examples, findings."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.briefs.brief_files import keep_changed, load_latest_brief
from sopforge.pipeline.briefs.regeneration import PatchText, change_brief
from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.opening import open_store
from tests.running.commands import Ran, run
from tests.worlds.changed_briefs import REFUND


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with all stages, and a second schema that waits."""
    folder = tmp_path_factory.mktemp("store")
    store = open_store(folder)
    advance(store, read_brief(REFUND, "brief.yaml"), approve_clean=True)
    patch = PatchText("policy: {refund_days: {value: 14}}", "patch")
    changed = keep_changed(
        store.get_domain("refund"),
        lambda: change_brief(load_latest_brief(store.get_domain("refund")), "", patch),
    )
    advance(store, changed)
    return folder


def show(place: Path, *arguments: str) -> Ran:
    return run("show", "refund", *arguments, "--store", str(place))


def test_a_schema_is_shown_as_rules_steps_tools_and_cases(place: Path) -> None:
    ran = show(place, "schema")

    assert ran.code == 0
    lines = [line.strip() for line in ran.out.splitlines()]
    rule = 'E1: "excluded" if the days since delivery are more than 14 and the reason for the'
    assert any(line.startswith(rule) for line in lines)
    assert 'E2: "eligible" otherwise' in lines
    assert 'if the eligibility of the order is "excluded", go to: Refuse the refund' in lines
    assert "then go to: Close as paid" in lines
    assert 'only if the eligibility of the order is "eligible"' in lines
    assert "answers: eligibility of the order: excluded; refund status: refused" in lines
    assert "no findings" in lines


def test_no_case_says_a_fact_twice(place: Path) -> None:
    case = show(place, "schema").out.partition("case 1\n")[2].partition("\ncase 2")[0]
    assert "eligibility of the order is excluded by rule E1: the days since delivery" in case
    assert "it goes on to Refuse the refund: " in case
    assert case.count("days since delivery: ") == 1


def test_each_version_can_be_shown(place: Path) -> None:
    before = show(place, "schema", "--version", "1")
    assert "days since delivery are more than 30" in before.out
    assert "--version 1 --file domain.yaml" in before.out.splitlines()[-1]
    file = show(place, "schema", "--version", "1", "--file", "domain.yaml").out
    assert "value: 30" in file
    assert "value: 14" in show(place, "schema", "--file", "domain.yaml").out


def test_a_version_that_is_not_there_is_reported_with_those_that_are(place: Path) -> None:
    ran = show(place, "schema", "--version", "7")
    assert ran.code == 2
    assert "'refund' has no version 7 of schema" in ran.err
    assert "hint: the versions of schema are 1, 2" in ran.err


@pytest.mark.parametrize(
    ("stage", "words"),
    [
        pytest.param("sop", "6.1 Look the order up\n", id="sop"),
        pytest.param("dataset", "    answers: eligibility: excluded; refund_status:", id="dataset"),
        pytest.param("api", "GET /requests/{request_id}/order (lookUpOrder): Ask", id="api"),
        pytest.param("toolspec", "(one of: eligible, excluded): Whether", id="toolspec"),
        pytest.param("tools", "def payRefund(self, request_id: str, eligibility: str)", id="tools"),
        pytest.param("complexity", "  Rules moved into an annex: section 12.1: If", id="levels"),
    ],
)
def test_each_stage_is_shown_in_its_own_words(place: Path, stage: str, words: str) -> None:
    assert words in show(place, stage, "--version", "1").out


def test_what_cannot_be_read_is_named_and_its_file_can_be_printed(place: Path) -> None:
    [version] = open_store(place).get_domain("refund").list_versions("toolspec")
    with pytest.MonkeyPatch.context() as patched:
        files = {"toolspecs.json": "[{}]"}
        patched.setattr(type(version), "files", property(lambda _: files))
        ran = show(place, "toolspec", "--version", "1")
    assert ran.code == 0
    assert "toolspec-malformed" in ran.err
    assert "Print a file with: " in ran.out
