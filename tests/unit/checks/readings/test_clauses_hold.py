"""What passages alone say of cases is asked about until it is answered, and then followed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sopforge.checks.readings.clauses_hold import CHECK
from sopforge.checks.readings.questions import find_clause_questions
from sopforge.checks.registry import examine
from sopforge.findings import Severity
from sopforge.pipeline.briefs.answering import choose_words, keep_answers, load_questions
from sopforge.pipeline.stages.building.orders import build_workspace
from sopforge.store.opening import open_store
from sopforge.workspace import CLAUSES, Workspace
from tests.unit.authors.test_model_author import MODEL_TEXT, Answer
from tests.worlds.questioned import CLEAR, Questioned, ask_readers

RIGHT, WRONG = "days_late <= grace_days", "days_late < grace_days"


def read_rightly(values: Mapping[str, Any]) -> Answer:
    """Return what the prose on late fees gives each case, as a person reads it."""
    shown = [(item["passage"], case) for item in values["passages"] for case in item["cases"]]
    return {"cases": [judge_case(passage, case) for passage, case in shown]}


def judge_case(passage: str, case: Mapping[str, str]) -> Answer:
    found = re.search(r"delay is (\d+) day", case["case"])
    assert found
    days, is_film = int(found[1]), "Film" in case["case"]
    result = ""
    if "Up to 3 days late" in passage and days:
        result = "charged" if is_film or days > 3 else "tolerated"
    elif "no delay" in passage:
        result = "" if days else "in time"
    elif "1.25 EUR" in passage:
        result = "12.50" if days > 10 else str(days * 1.25)
    return {"case": case["id"], "why": "It says so.", "result": result, "excluded": []}


def ask(folder: Path, change: tuple[str, str] = (WRONG, RIGHT)) -> Questioned:
    """Return a schema that both readers have misread alike, so that only the judge differs."""
    model, reading = (
        MODEL_TEXT.replace(RIGHT, WRONG),
        CLEAR.replace("delay <= free", "delay < free"),
    )
    found = Questioned(open_store(folder), change, model=model, reading=reading, judge=read_rightly)
    return ask_readers(found)


def test_what_the_second_reader_asks_about_is_not_asked_about_again(tmp_path: Path) -> None:
    model = MODEL_TEXT.replace(RIGHT, WRONG)
    found = Questioned(
        open_store(tmp_path), (WRONG, RIGHT), model=model, reading=CLEAR, judge=read_rightly
    )

    ask_readers(found)

    assert findings(found) == ["readers-differ"]
    assert "tolerated" in found.newest.files["clauses.yaml"]


def findings(found: Questioned) -> list[str]:
    return [item.id for item in found.newest.manifest.findings]


def test_a_right_model_raises_no_question(tmp_path: Path) -> None:
    found = Questioned(open_store(tmp_path), model=MODEL_TEXT, judge=read_rightly)

    ask_readers(found)

    assert findings(found) == []
    assert found.newest.files["clauses.yaml"].count("- about:") > 5
    assert found.second.times("clause_judge") == 1


def test_what_both_readers_misread_is_asked_about_and_an_answer_changes_it(tmp_path: Path) -> None:
    found = ask(tmp_path)

    (finding,) = found.newest.manifest.findings
    assert (finding.id, finding.severity) == ("clause-differs", Severity.WARNING)
    assert finding.message == (
        'What is right in this case? The kind of the item is "Reference" and the delay is 3 days.'
    )
    assert [line for line in finding.evidence.splitlines() if line[:2] in {"A:", "B:"}] == [
        "A: lateness: charged",
        "B: lateness: tolerated",
    ]
    assert 'the brief: "Up to 3 days late it is tolerated, unless' in finding.evidence
    (question,) = load_questions(found.store.get_domain("fees"), found.brief).open
    assert f"sopforge answer fees {question.id} A" in finding.hint

    keep_answers(found.store.get_domain("fees"), [(question, choose_words(question, "B"))])
    found.advance()

    # The second reading is kept as it was, and by now is alone with its mistake.
    assert findings(found) == ["readers-differ"]
    assert found.edits == [[question.offered[1]]]
    assert found.newest.files["domain.yaml"].count(RIGHT) == 1
    # The judged case is kept, so that a later model is compared with it, too.
    assert question.plain_case in found.newest.files["clauses.yaml"].replace("\n    ", " ")
    assert found.advance().built == ()


@pytest.mark.parametrize(("side", "expected"), [("A", []), ("B", ["answer-not-followed"])])
def test_an_answer_that_is_not_followed_is_reported(
    tmp_path: Path, side: str, expected: list[str]
) -> None:
    found = ask(tmp_path, ("", ""))
    (question,) = load_questions(found.store.get_domain("fees"), found.brief).open

    keep_answers(found.store.get_domain("fees"), [(question, choose_words(question, side))])
    found.advance()

    assert findings(found) == expected
    assert load_questions(found.store.get_domain("fees"), found.brief).open == ()


def test_what_cannot_be_read_is_a_warning_and_no_question(tmp_path: Path) -> None:
    found = ask(tmp_path)
    workspace = build_workspace(found.brief, [found.newest])
    damaged = workspace.with_files({CLAUSES: f"{workspace.files[CLAUSES]}surplus: 1\n"})

    (finding,) = CHECK.examine(damaged)

    assert (finding.id, finding.severity) == ("clauses-unread", Severity.WARNING)
    assert find_clause_questions(damaged) == ()


def test_without_a_judge_nothing_is_asked(tmp_path: Path) -> None:
    found = ask(tmp_path)
    workspace = build_workspace(found.brief, [found.newest])
    files = {name: text for name, text in workspace.files.items() if name != CLAUSES}

    assert examine("schema", Workspace(found.brief, files)) == []
