"""Feedback that the words of a stage cannot meet is not sent: it is said where it can be met."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from sopforge.briefs.brief_files import load_latest_brief
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.opening import open_store
from tests.running.commands import Ran, run
from tests.unit.authors.test_model_author import brief_of
from tests.unit.authors.test_model_author import run as run_with_model

BRIEF = Path(__file__).parents[3] / "briefs" / "fees.yaml"
RULE, WORDS = "Raise the limit to ten days.", "Please use a friendlier tone."


@pytest.fixture(scope="module")
def of_facts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store in which the SOP of a brief with facts waits."""
    folder = tmp_path_factory.mktemp("facts") / "store"
    run("generate", str(BRIEF), "--store", str(folder))
    assert run("approve", "fees", "schema", "--store", str(folder)).code == 0
    assert run("generate", str(BRIEF), "--store", str(folder)).code == 3
    return folder


@pytest.fixture(scope="module")
def of_prose(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store in which the SOP of a brief in prose waits."""
    folder = tmp_path_factory.mktemp("prose") / "store"
    paragraph = {"after": 0, "text": "Go on at once: whoever waits must call the desk."}

    def spoil(values: Mapping[str, Any]) -> dict[str, object]:
        spoiled = {"insertions": [paragraph]}
        return {
            "sections": [{"section": part["section"], **spoiled} for part in values["sections"]]
        }

    brief = brief_of(gates={"approvers": {"sop": 2}})
    progress, _ = run_with_model(folder, {"sop_section": spoil}, brief)
    assert progress.version.manifest.stage == "sop"
    return folder


def ask(store: Path, folder: Path, *words: str) -> tuple[Ran, Path]:
    """Return what comes of asking for changes in a copy of a store."""
    copy = shutil.copytree(store, folder / "store")
    return run("request-changes", "fees", "sop", "--store", str(copy), *words), copy


def list_verdicts(store: Path) -> list[str]:
    log = AuditLog(open_store(store), "fees")
    return [item.verdict.value for item in log.list_entries() if item.stage == "sop"]


def test_words_go_to_the_author(of_facts: Path, tmp_path: Path) -> None:
    ran, store = ask(of_facts, tmp_path, "--feedback", WORDS)

    assert ran.code == 0
    assert list_verdicts(store) == ["request_changes"]


def test_a_rule_of_facts_is_changed_in_the_brief(of_facts: Path, tmp_path: Path) -> None:
    ran, store = ask(of_facts, tmp_path, "--feedback", RULE)

    assert (ran.code, list_verdicts(store)) == (2, [])
    assert "feedback-elsewhere" in ran.err
    assert "sopforge regenerate fees --model-patch FILE" in ran.err
    assert "--at sop" in ran.err
    assert "--at schema" not in ran.err


def test_no_words_change_facts(of_facts: Path, tmp_path: Path) -> None:
    ran, _ = ask(of_facts, tmp_path, "--feedback", RULE, "--at", "schema")

    assert ran.code == 2
    assert "feedback-needs-facts" in ran.err


def test_a_person_may_insist(of_facts: Path, tmp_path: Path) -> None:
    ran, store = ask(of_facts, tmp_path, "--feedback", RULE, "--at", "sop")

    assert (ran.code, list_verdicts(store)) == (0, ["request_changes"])


def test_no_other_stage_heeds_it(of_facts: Path, tmp_path: Path) -> None:
    ran, store = ask(of_facts, tmp_path, "--feedback", RULE, "--at", "tools")

    assert (ran.code, list_verdicts(store)) == (2, [])
    assert "unknown-stage" in ran.err


def test_a_rule_of_prose_is_added_to_the_brief(of_prose: Path, tmp_path: Path) -> None:
    refused, store = ask(of_prose, tmp_path, "--feedback", RULE)
    assert refused.code == 2
    assert f"--feedback '{RULE}' --at schema" in refused.err

    again = ("request-changes", "fees", "sop", "--feedback", RULE, "--store", str(store))
    ran = run(*again, "--at", "schema")

    assert ran.code == 0
    assert "sopforge regenerate fees" in ran.out
    brief = yaml.safe_load(load_latest_brief(open_store(store), "fees").text)
    assert brief["context"] == [RULE]
    assert list_verdicts(store) == []


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([True], ([RULE], [])),
        ([False, True], ([], ["request_changes"])),
        ([False, False], ([], [])),
    ],
)
def test_a_person_at_a_terminal_is_asked(
    of_prose: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    answers: list[bool],
    expected: tuple[list[str], list[str]],
) -> None:
    left = iter(answers)
    monkeypatch.setattr("typer.confirm", lambda _: next(left))
    monkeypatch.setattr("sopforge.cli.decide.elsewhere.is_at_terminal", lambda: True)

    ran, store = ask(of_prose, tmp_path, "--feedback", RULE)

    assert ran.code == 0
    context = list(load_latest_brief(open_store(store), "fees").parts.context)
    assert (context, list_verdicts(store)) == expected
