"""Of models of every kind, whose SOP is taken for their brief, cases are made and read again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.authors.judging.cases import Case, make_cases
from sopforge.authors.judging.forks import work_out
from sopforge.authors.judging.judged import list_clause_questions, make_judged, select_cases
from sopforge.authors.sources.account import Account, build_account
from sopforge.authors.sources.items import list_items
from sopforge.language.domain.documents.remarks_schema import RemarksDocument
from sopforge.language.domain.model import DomainModel
from sopforge.pipeline.briefs.brief_files import load_brief

ROOT = Path(__file__).parents[3]
GROUPS = {
    "rule": "decisions", "decision": "decisions", "policy": "policy", "edge": "steps",
    "step": "steps", "tool": "tools", "field": "fields", "predicate": "predicates",
}  # fmt: skip
"""How the items are called in sources, by the kinds of a trace."""
DOMAINS = ("callers", "everything", "lending", "warranty")


def read_account(name: str) -> tuple[DomainModel, Account]:
    """Return a model, and its account with the SOP that was rendered from it."""
    brief = load_brief(ROOT / "tests" / "domains" / f"{name}.yaml")
    document = render_sop(brief.model, "")
    known = list_items(brief.model)
    sources = []
    for line in document.lines:
        pairs = [state.partition(" ")[::2] for state in line.states]
        names = [f"{GROUPS[kind]}.{rest}" for kind, rest in pairs if kind in GROUPS]
        if items := [name for name in dict.fromkeys(names) if name in known]:
            sources.append({"says": line.text, "items": items})
    prose = replace(brief, draft=document.as_markdown())
    remarks = RemarksDocument.model_validate({"sources": sources})
    return brief.model, build_account(prose, brief.model, remarks)


def applies(model: DomainModel, case: Case) -> bool:
    """Return whether the item of a case decides it."""
    place = case.fork.find_place(work_out(model, case.row))
    return place is not None and case.fork.alternatives[place].item == case.item


@pytest.mark.parametrize("name", DOMAINS)
def test_cases_are_made_and_read_again_and_no_right_answer_is_a_question(name: str) -> None:
    model, account = read_account(name)
    cases = list(make_cases(model, account))
    judged = [make_judged(model, case) for case in cases]

    assert {applies(model, case) for case in cases} == {True, False}
    found = list(select_cases(model, account, judged))
    assert [item for item, _ in found] == judged
    assert [case.row for _, case in found] == [case.row for case in cases]
    answers = [case.fork.answer(work_out(model, case.row)) for case in cases]
    right = [
        item.model_copy(update={"result": answer})
        for item, answer in zip(judged, answers, strict=True)
    ]
    assert list_clause_questions(model, account, right) == ()
    # Passages that say nothing differ where their items apply, and nowhere else.
    asked = {question.plain_case for question in list_clause_questions(model, account, judged)}
    assert asked == {case.describe(model) for case in cases if applies(model, case)}
