"""The judge is shown passages and cases alone, as few requests as can be, and none twice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from sopforge.authors.judging.judged import read_judged
from sopforge.authors.writers.writing import clause_judging
from sopforge.authors.writers.writing.clause_judging import ClauseJudging
from sopforge.authors.writers.writing.domain import add_head
from tests.unit.authors.test_model_author import ACCOUNT, MODEL_TEXT, brief_of
from tests.unit.checks.readings.test_clauses_hold import read_rightly
from tests.unit.checks.sources.test_brief_and_model import BRIEF, build_workspace
from tests.worlds.clauses import Judge, judge

WRONG = BRIEF.replace("age > member_days", "age >= member_days")


def test_a_request_has_passages_results_and_cases_and_nothing_of_the_model() -> None:
    asked, _ = judge(BRIEF)

    (values,) = asked.requests
    first = values["passages"][0]
    assert (first["asked"], first["results"]) == (
        "the verdict",
        ["approved", "declined", "referred"],
    )
    assert first["passage"].startswith("A refund is asked for within 30 days of delivery, by")
    assert first["cases"][:2] == [
        {"id": "C1", "case": 'The age is 61 days and the member is "yes".'},
        {
            "id": "C2",
            "case": 'The amount is 500 EUR, the age is 60 days, the member is "yes", the sale is'
            ' "yes" and the damaged is "yes".',
        },
    ]
    assert values["passages"][-1]["results"] == ["a number of EUR", "no postage"]
    said = str(values)
    assert all(name not in said for name in ("R1", "member_days", "decisions", "policy"))
    numbers = [case["id"] for item in values["passages"] for case in item["cases"]]
    assert numbers == [f"C{number}" for number in range(1, len(numbers) + 1)]


def test_a_case_of_several_items_is_asked_about_once() -> None:
    brief, asked = brief_of(), list[str]()

    def ask_all(questions: Iterable[tuple[str, Mapping[str, Any]]]) -> list[Any]:
        ((_, values),) = questions
        asked.extend(case["case"] for item in values["passages"] for case in item["cases"])
        return [read_rightly(values)]

    domain = add_head(brief, {"model": MODEL_TEXT, **ACCOUNT})
    files = ClauseJudging(ask_all, brief, {}).write_files(domain)

    # With ten days one rule on the fee ends, and the other one begins.
    ten = [item for item in read_judged(files["clauses.yaml"], "") if "10 days" in item.case]
    assert [item.item for item in ten] == ["decisions.fee.F1", "decisions.fee.F2"]
    assert len([case for case in asked if "10 days" in case]) == 1


def test_many_passages_are_shown_in_several_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    (whole,) = judge(BRIEF)[0].requests
    monkeypatch.setattr(clause_judging, "MOST_AT_ONCE", 4)

    asked, files = judge(BRIEF)

    sizes = [len(values["passages"]) for values in asked.requests]
    assert (sum(sizes), max(sizes)) == (len(whole["passages"]), 4)
    assert files == judge(BRIEF)[1]


def test_what_was_judged_is_not_asked_again() -> None:
    first, before = judge(WRONG)

    again, same = judge(WRONG, before)
    other, after = judge(BRIEF, before)

    assert (again.requests, same) == ([], before)
    assert len(other.cases) < len(first.cases)
    assert ('The age is 61 days and the member is "yes".') in {case for _, case in other.cases}
    kept = {item.case for item in read_judged(after["clauses.yaml"], "")}
    # The case at the wrong limit is kept: a later model may be wrong about it once more.
    assert 'The age is 60 days and the member is "yes".' in kept


def test_a_case_of_which_nothing_comes_back_is_not_judged() -> None:
    workspace = build_workspace(BRIEF)

    class Silent(Judge):
        def answer(self, template: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
            return {"cases": list(super().answer(template, values)["cases"])[:2]}

    judging = ClauseJudging(Silent().ask_all, workspace.brief, {})

    files = judging.write_files(workspace.files["schema/domain.yaml"])

    assert len(read_judged(files["clauses.yaml"], "")) == 2


def test_a_model_that_cannot_be_read_is_not_judged() -> None:
    before, workspace = {"clauses.yaml": "format: 1\njudged: []\n"}, build_workspace(BRIEF)
    judging = ClauseJudging(Judge().ask_all, workspace.brief, before)

    assert judging.write_files("model: [") == before
