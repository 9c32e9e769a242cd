"""Questions are shown with both answers, and answered by a command."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from sopforge.cli.app import app
from sopforge.pipeline.briefs.brief_files import list_kept_versions
from tests.running import commands
from tests.unit.cli import test_json as json_page
from tests.unit.cli.test_json import assert_shaped
from tests.worlds.questioned import Questioned, ask_two_readers


@pytest.fixture
def found(tmp_path: Path) -> Questioned:
    return ask_two_readers(tmp_path)


def run(found: Questioned, *arguments: str) -> Result:
    return CliRunner().invoke(app, [*arguments, "--store", found.store.place])


def shown(result: Result) -> str:
    return " ".join(result.output.split())


def test_a_question_is_shown_with_its_case_and_both_answers(found: Questioned) -> None:
    result = run(found, "answer", "fees")

    assert result.exit_code == 0, result.output
    text = shown(result)
    assert "1. What is right in this case?" in text
    assert "kind of the item Reference" in text
    assert "delay 2 days" in text
    assert "A lateness: charged; fee: 2.50" in text
    assert "B lateness: tolerated; fee: no fee due" in text
    assert 'the kind of the item is not "Reference", the lateness is "tolerated"' in text
    assert 'the brief: "Up to 3 days late it is tolerated, unless a film was lent"' in text
    # One kind of three, and three delays of 41, are drawn alike.
    (share,) = re.findall(r"it affects ([0-9.]+)% of sampled cases", text)
    assert float(share) == pytest.approx(100 / 3 * 3 / 41, abs=0.5)
    assert f"sopforge answer fees 1 A --store {found.store.place}" in text


def test_questions_are_there_for_programs_too(found: Questioned) -> None:
    value = json.loads(run(found, "answer", "fees", "--json").stdout)

    (question,) = value["questions"]
    assert (value["domain"], value["version"], value["answers"]) == ("fees", 1, [])
    assert (question["number"], question["answer"]) == (1, None)
    assert question["case"] == [
        {"label": "kind of the item", "value": "Reference", "is_key": True},
        {"label": "delay", "value": "2 days", "is_key": True},
    ]

    answered = json.loads(run(found, "answer", "fees", question["id"], "B", "--json").stdout)
    again = json.loads(run(found, "answer", "fees", "--json").stdout)

    assert_shaped(answered, json_page.SHOWN["answer"])
    assert_shaped(again, json_page.SHOWN["questions"])
    assert answered["says"] == question["offered"][1]
    assert answered["open"] == []
    assert again["questions"][0]["answer"] == question["offered"][1]
    assert [item["question"] for item in again["answers"]] == [question["id"]]


def test_an_answer_is_kept_once_and_the_next_command_is_shown(found: Questioned) -> None:
    results = [run(found, "answer", "fees", "1", "B") for _ in range(2)]

    for result in results:
        assert result.exit_code == 0, result.output
        assert f"Continue with: sopforge continue fees --store {found.store.place}" in shown(result)
    assert len(list_kept_versions(found.store.get_domain("fees"))) == 2
    text = shown(run(found, "answer", "fees"))
    assert "No questions about 'fees' are open." in text
    assert 'answered: The kind of the item is "Reference" and the delay is 2 days.' in text
    assert "1. What is right" not in text
    assert "1. What is right" in shown(run(found, "answer", "fees", "--all"))


@pytest.mark.parametrize(
    ("arguments", "code", "hint"),
    [
        (("answer", "fees", "2", "B"), "unknown-question", "its questions are 1 (q-"),
        (("answer", "fees", "q-000000000000", "B"), "unknown-question", "its questions are 1 (q-"),
        (
            ("answer", "fees", "1", " "),
            "answer-not-usable",
            "answer with A, with B, or with one sentence",
        ),
        (("answer", "fee", "1", "B"), "unknown-domain", "fees"),
        (("answer", "fee"), "unknown-domain", "fees"),
    ],
)
def test_what_is_not_there_is_refused_and_nothing_is_kept(
    found: Questioned, arguments: tuple[str, ...], code: str, hint: str
) -> None:
    result = commands.run(*arguments, "--store", found.store.place)

    assert result.code == 2
    assert f"{code}: " in result.err
    assert hint in " ".join(result.err.split())
    assert list_kept_versions(found.store.get_domain("fees")) == ["0001"]


def test_an_approval_says_how_many_questions_are_open(found: Questioned) -> None:
    result = run(found, "approve", "fees", "schema", "--despite-errors")

    assert result.exit_code == 0, result.output
    assert "1 question is open." in shown(result)
