"""Answers are parts of a brief's prose; one about a single case is an example by itself."""

from __future__ import annotations

import pytest
import yaml

from sopforge.authors.sources.account import EXAMPLE, build_account, list_examples, read_brief_parts
from sopforge.authors.sources.gaps import find_gaps, has_too_much_set_aside
from sopforge.errors import MaterialError
from sopforge.language.domain.documents.remarks_schema import RemarksDocument
from sopforge.language.domain.reading import Brief, read_brief
from tests.unit.checks.sources.test_brief_and_model import BRIEF

CASE = "The amount asked for is 511.13 EUR and the age is 47 days."
EXAMPLES = f'If {CASE[0].lower()}{CASE[1:-1]}, the verdict is "referred".'
RULE = "A refund of 47 days is always declined."


def brief_with(*said: str, question: str = "q-0123456789ab") -> Brief:
    whole = yaml.safe_load(BRIEF)
    answers = [{"question": question, "case": CASE, "says": text} for text in said]
    return read_brief(yaml.safe_dump({**whole, "answers": answers}), "refunds.yaml")


def gaps(brief: Brief) -> list[tuple[str, str]]:
    account = build_account(brief, brief.model, brief.parts.remarks)
    return [(gap.part, gap.sentence) for gap in find_gaps(account, brief.model, "")]


def test_answers_are_parts_in_their_order() -> None:
    parts = read_brief_parts(brief_with(EXAMPLES, RULE))

    assert [name for name in parts if name.startswith("answer")] == ["answer 1", "answer 2"]
    assert parts["answer 2"].text == RULE


def test_an_answer_about_one_case_binds_in_no_other() -> None:
    brief = brief_with(EXAMPLES, RULE)

    assert list_examples(brief) == ("answer 1",)
    assert gaps(brief) == [("answer 2", RULE)]
    account = build_account(brief, brief.model, RemarksDocument())
    (passage,) = account.passages
    assert (passage.part, passage.because, account.quote(passage)) == (
        "answer 1",
        EXAMPLE,
        EXAMPLES,
    )


def test_examples_are_not_too_much_that_is_set_aside() -> None:
    brief = brief_with(*[EXAMPLES.replace("47", str(days)) for days in range(40, 50)])
    said = brief_with(*[EXAMPLES for _ in range(9)])

    assert len(list_examples(said)) == 9
    assert len(list_examples(brief)) == 1
    assert not has_too_much_set_aside(build_account(said, said.model, said.parts.remarks))


def test_a_number_that_is_none_of_a_question_is_a_fault() -> None:
    with pytest.raises(MaterialError) as caught:
        brief_with(RULE, question="7")

    (fault,) = caught.value.faults
    assert "q- and twelve digits or letters" in str(fault)
