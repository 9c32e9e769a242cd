"""What is added while a schema waits, or after it was approved, changes it; nothing is anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.pipeline.briefs.answering import choose_words, keep_answers, load_questions
from sopforge.pipeline.briefs.brief_files import keep_brief
from sopforge.pipeline.briefs.regeneration import change_brief
from sopforge.pipeline.gates.gate import decide
from sopforge.pipeline.stages.schema import SchemaStage
from sopforge.store.entries import DecisionVerdict
from sopforge.store.log.audit_log import Opinion
from tests.worlds.questioned import Questioned, ask_two_readers

FIRST, SECOND = "Be kind.", "Be quick."


def add_context(found: Questioned, text: str) -> None:
    keep_brief(found.store, change_brief(found.brief, text))


def add_answer(found: Questioned, side: str = "B") -> str:
    (question,) = load_questions(found.store.get_domain("fees"), found.brief).open
    words = choose_words(question, side)
    keep_answers(found.store.get_domain("fees"), [(question, words)])
    return words


def decide_on(found: Questioned, verdict: DecisionVerdict, comment: str = "") -> None:
    waiting = found.newest
    decide(
        found.store.get_domain("fees"),
        stage="schema",
        digest=waiting.manifest.content,
        verdict=verdict,
        by="ada",
        opinion=Opinion(comment),
    )


def test_context_that_is_added_while_it_waits_changes_what_waits(tmp_path: Path) -> None:
    found = ask_two_readers(tmp_path)

    add_context(found, FIRST)
    found.advance()

    assert found.edits == [[FIRST]]
    assert found.first.times("domain_model") == 1


def test_all_that_was_added_since_is_asked_for_at_once(tmp_path: Path) -> None:
    found = ask_two_readers(tmp_path)

    add_context(found, FIRST)
    answer = add_answer(found)
    add_context(found, SECOND)
    found.advance()

    assert found.edits == [[FIRST, SECOND, answer]]
    assert found.first.times("domain_model") == 1


def test_each_addition_starts_from_the_one_before(tmp_path: Path) -> None:
    found = ask_two_readers(tmp_path)

    for add in (add_answer, lambda item: add_context(item, FIRST)):
        add(found)
        found.advance()
    decide_on(found, DecisionVerdict.APPROVE)
    add_context(found, SECOND)
    found.advance()

    assert [len(asked) for asked in found.edits] == [1, 1, 1]
    assert found.edits[1:] == [[FIRST], [SECOND]]
    assert found.first.times("domain_model") == 1


def test_an_answer_after_a_request_is_heeded_with_it(tmp_path: Path) -> None:
    found = ask_two_readers(tmp_path)
    decide_on(found, DecisionVerdict.REQUEST_CHANGES, "Name the desk.")

    answer = add_answer(found)
    found.advance()

    assert found.edits == [["Name the desk.", answer]]
    assert found.first.times("domain_model") == 1


@pytest.mark.parametrize("is_made_first", [False, True])
def test_a_request_that_was_not_carried_out_is_made_again_with_an_answer(
    tmp_path: Path, *, is_made_first: bool
) -> None:
    found = ask_two_readers(tmp_path)
    found.change = ("", "")
    decide_on(found, DecisionVerdict.REQUEST_CHANGES, "Name the desk.")
    if is_made_first:
        found.advance()
        assert "feedback-not-applied" in [item.id for item in found.newest.manifest.findings]

    answer = add_answer(found, "A")
    found.advance()

    assert found.edits[-1] == ["Name the desk.", answer]


def test_a_request_that_was_carried_out_is_not_made_again_for_an_answer(tmp_path: Path) -> None:
    found = ask_two_readers(tmp_path)
    found.change = ("Look the loan up", "Find the loan")
    decide_on(found, DecisionVerdict.REQUEST_CHANGES, "Find loans.")
    found.advance()

    add_answer(found, "A")
    found.advance()

    assert found.edits == [["Find loans."]]


def test_what_was_rejected_is_written_anew(tmp_path: Path) -> None:
    found = ask_two_readers(tmp_path)
    decide_on(found, DecisionVerdict.REJECT)

    add_context(found, FIRST)
    found.advance()

    assert found.edits == []
    assert found.first.times("domain_model") == 2


def test_answers_decide_a_schema_and_their_absence_is_left_out(tmp_path: Path) -> None:
    found = ask_two_readers(tmp_path)
    before = SchemaStage().select_brief_part(found.brief)
    assert "answers" not in str(before)

    words = add_answer(found)

    after = SchemaStage().select_brief_part(found.brief)
    assert isinstance(before, list)
    assert isinstance(after, list)
    assert after[:-1] == before
    assert after[-1]["answers"][0]["says"] == words
