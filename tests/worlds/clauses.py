"""A judge of the brief on refunds who reads its passages rightly, case by case, and by hand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sopforge.authors.judging.judged import list_clause_questions, read_judged
from sopforge.authors.sources.account import build_account
from sopforge.authors.writers.writing.clause_judging import ClauseJudging
from sopforge.proof.comparing.asking.questions import Question
from sopforge.workspace import DOMAIN, Workspace
from tests.unit.checks.sources.test_brief_and_model import build_workspace

Said = tuple[str, Sequence[str]]
NOTHING: Said = ("", ())


def read_rightly(passage: str, case: str) -> Said:
    """Return what the sentences of a passage give a case, and what they rule out."""
    if "In all other cases it is approved" in passage:
        return "approved", ()
    if "within 30 days of delivery" in passage:
        most = 60 if 'member is "yes"' in case else 30
        return ("declined", ()) if read_number("age", case) > most else ("", ["declined"])
    if "from the sale" in passage:
        if 'sale is "no"' in case:
            return NOTHING
        return ("", ["declined"]) if 'damaged is "yes"' in case else ("declined", ())
    if "above 500 EUR" in passage:
        return ("referred", ()) if read_number("amount", case) > 500 else ("", ["referred"])
    if "The postage of 4.50 EUR" in passage:
        return ("4.50 EUR", ()) if 'damaged is "yes"' in case else NOTHING
    raise ValueError(passage)


def read_number(label: str, case: str) -> float:
    """Return the number that a case has for a fact."""
    found = re.search(rf"{label} is ([\d.]+)", case)
    assert found, case
    return float(found[1])


@dataclass
class Judge:
    """Answers requests to the judge of clauses, and keeps what it was shown."""

    requests: list[Mapping[str, Any]] = field(default_factory=list)

    def ask_all(self, questions: Iterable[tuple[str, Mapping[str, object]]]) -> list[Any]:
        """Return the answers to several requests."""
        return [self.answer(template, values) for template, values in questions]

    def answer(self, template: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the answer to one request."""
        assert template == "clause_judge"
        self.requests.append(values)
        shown = [(item["passage"], case) for item in values["passages"] for case in item["cases"]]
        return {"cases": [self.judge_case(passage, case) for passage, case in shown]}

    def judge_case(self, passage: str, case: Mapping[str, str]) -> Mapping[str, object]:
        result, excluded = read_rightly(passage, case["case"])
        said = {"result": result, "excluded": list(excluded)}
        return {"case": case["id"], "why": "It says so.", **said}

    @property
    def cases(self) -> list[tuple[str, str]]:
        """The passages and cases that it was shown."""
        shown = [item for values in self.requests for item in values["passages"]]
        return [(item["passage"], case["case"]) for item in shown for case in item["cases"]]


def judge(text: str, before: Mapping[str, str] | None = None) -> tuple[Judge, Mapping[str, str]]:
    """Return the judge of a brief, and the files with what it said."""
    workspace, asked = build_workspace(text), Judge()
    judging = ClauseJudging(asked.ask_all, workspace.brief, before or {})
    return asked, judging.write_files(workspace.files[DOMAIN])


def find_questions(text: str, files: Mapping[str, str], *changed: str) -> tuple[Question, ...]:
    """Return the questions that follow for the model of a brief from what was judged.

    They are those that models of ``changed`` briefs do not settle.
    """
    workspace: Workspace = build_workspace(text)
    account = build_account(workspace.brief, workspace.model, workspace.brief.parts.remarks)
    judged = read_judged(files["clauses.yaml"], "clauses.yaml")
    others = [build_workspace(item).model for item in changed]
    return list_clause_questions(workspace.model, account, judged, others)
