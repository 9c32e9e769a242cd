"""Questions of two readers are answered: what is kept changes what it says, and no more."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.checks.readings.questions import find_questions, select_unfollowed
from sopforge.errors import MaterialError
from sopforge.findings import has_errors
from sopforge.language.domain.reading import read_domain
from sopforge.pipeline.briefs.answering import (
    LONGEST,
    Asked,
    answer_questions,
    choose_words,
    keep_answers,
    load_questions,
)
from sopforge.pipeline.briefs.brief_files import list_kept_versions
from sopforge.pipeline.stages.building.orders import build_workspace
from sopforge.proof.comparing.asking.questions import Fact, Question, View
from tests.worlds.questioned import RIGHT, WRONG, Questioned, ask_two_readers

CHARGED = 'If the sky is grey, the fee is "charged".'
FREE = 'If the sky is grey, the fee is "free".'


def question(said: str = "grey") -> Question:
    return Question(
        (Fact("sky", said, f"the sky is {said}"),),
        View({"fee": "charged"}, ("In every other case the fee is charged.",)),
        View({"fee": "free"}),
        cases=3,
        drawn=10,
    )


def asked(found: Questioned) -> Asked:
    return load_questions(found.store.get_domain("fees"), found.brief)


def answer(found: Questioned, said: str) -> Question:
    (open_one,) = asked(found).open
    keep_answers(found.store.get_domain("fees"), [(open_one, choose_words(open_one, said))])
    return open_one


def findings(found: Questioned) -> list[str]:
    return [item.id for item in found.newest.manifest.findings]


# to the end


def test_an_answer_changes_what_it_says_and_the_question_is_gone(tmp_path: Path) -> None:
    found = ask_two_readers(tmp_path)
    assert findings(found) == ["readers-differ"]
    before = found.newest.files

    open_one = answer(found, "B")
    found.advance()

    after = found.newest.files
    assert after["second.yaml"] == before["second.yaml"]
    assert WRONG in before["domain.yaml"]
    assert after["domain.yaml"].count(RIGHT) == 1
    assert after["domain.yaml"].replace(RIGHT, WRONG) == before["domain.yaml"]
    assert findings(found) == []
    assert found.edits == [[open_one.offered[1]]]
    assert (found.first.times("domain_model"), found.second.times("second_reading")) == (1, 1)
    assert asked(found).questions == ()
    assert found.advance().built == ()


def test_an_answer_for_what_the_model_decides_asks_nobody(tmp_path: Path) -> None:
    found = ask_two_readers(tmp_path)
    before, calls = found.newest, found.calls

    open_one = answer(found, "A")
    found.advance()

    assert found.calls == calls
    assert found.newest.number == before.number + 1
    assert found.newest.files == before.files
    assert findings(found) == []
    assert asked(found).open == ()
    assert [item.says for item in asked(found).answers] == [open_one.offered[0]]


def test_the_last_answer_about_a_case_decides_whether_anybody_is_asked(tmp_path: Path) -> None:
    found = ask_two_readers(tmp_path)
    (open_one,) = asked(found).open
    both = [(open_one, choose_words(open_one, side)) for side in "BA"]

    keep_answers(found.store.get_domain("fees"), both[:1])
    keep_answers(found.store.get_domain("fees"), both[1:])
    found.advance()
    assert found.edits == []

    keep_answers(found.store.get_domain("fees"), both[:1])
    found.advance()
    assert found.edits == [[open_one.offered[1]]]


def test_beside_anything_else_that_is_new_the_author_is_asked(tmp_path: Path) -> None:
    found = ask_two_readers(tmp_path)
    found.change = ("", "")
    (open_one,) = asked(found).open

    keep_answers(
        found.store.get_domain("fees"), [(open_one, open_one.offered[0]), (question(), FREE)]
    )
    found.advance()

    assert found.edits == [[open_one.offered[0], FREE]]


def test_an_answer_that_the_author_does_not_follow_blocks_the_gate(tmp_path: Path) -> None:
    found = ask_two_readers(tmp_path)
    found.change = ("", "")

    open_one = answer(found, "B")
    found.advance()

    assert findings(found) == ["answer-not-followed"]
    assert has_errors(found.newest.manifest.findings)
    workspace = build_workspace(found.brief, [found.newest])
    unfollowed = select_unfollowed(find_questions(workspace), workspace.brief.parts.answers)
    assert [item.says for item in unfollowed] == [open_one.offered[1]]


def test_own_words_are_an_answer_and_are_accounted_for(tmp_path: Path) -> None:
    found = ask_two_readers(tmp_path)
    found.change = ("", "")
    said = "A reference book that comes back late must always be charged."

    answer(found, f" {said} ".replace(" ", "\n  "))
    found.advance()

    # It binds in all cases, so that the model has to say where it is followed.
    (finding,) = found.newest.manifest.findings
    assert (finding.id, finding.where, finding.evidence) == (
        "sentence-not-accounted",
        "answer 1",
        said,
    )
    assert found.edits == [[said]]
    assert asked(found).open == ()


def test_answers_that_come_one_after_another_are_each_asked_for_once(tmp_path: Path) -> None:
    found = ask_two_readers(tmp_path, context=["Be kind."])
    answer(found, "B")
    found.advance()
    other = question()

    keep_answers(found.store.get_domain("fees"), [(other, "Grey is free.")])
    found.advance()

    assert len(found.edits) == 2
    assert found.edits[1] == ["Grey is free."]
    assert found.first.times("domain_model") == 1
    domain = read_domain(found.newest.files["domain.yaml"], "domain.yaml")
    assert domain.decisions


# what is kept


def test_the_same_answer_twice_is_once(tmp_path: Path) -> None:
    found = ask_two_readers(tmp_path)
    (open_one,) = asked(found).open

    for said in ("B", "b", f"  {open_one.offered[1]}"):
        keep_answers(found.store.get_domain("fees"), [(open_one, choose_words(open_one, said))])

    assert len(list_kept_versions(found.store.get_domain("fees"))) == 2
    (kept,) = found.brief.parts.answers
    assert kept.model_dump() == {
        "question": open_one.id,
        "case": 'The kind of the item is "Reference" and the delay is 2 days.',
        "says": open_one.offered[1],
    }


def test_a_later_answer_stands_after_the_earlier_one(tmp_path: Path) -> None:
    brief = ask_two_readers(tmp_path).brief

    first = answer_questions(brief, [(question(), CHARGED)])
    again = answer_questions(first, [(question(), FREE), (question("blue"), FREE)])

    assert [item.says for item in again.parts.answers] == [CHARGED, FREE, FREE]
    assert again.parts.additions == (CHARGED, FREE, FREE)
    assert brief.parts.answers == ()


@pytest.mark.parametrize(
    ("said", "words"), [("A", CHARGED), (" b ", FREE), ("As\n ever.", "As ever.")]
)
def test_an_answer_is_one_of_two_sides_or_in_own_words(said: str, words: str) -> None:
    assert choose_words(question(), said) == words


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("  ", "answer-not-usable"),
        ("x" * (LONGEST + 1), "answer-not-usable"),
        ("never \u202erefunded", "character-unseen"),
    ],
)
def test_an_answer_that_cannot_be_used_is_refused(said: str, code: str) -> None:
    with pytest.raises(MaterialError) as caught:
        choose_words(question(), said)

    (fault,) = caught.value.faults
    assert fault.code == code


def test_a_question_is_found_by_its_number_or_its_id() -> None:
    one, other = question(), question("blue")
    found = Asked("fees", 1, (one, other), ())

    assert found.get_question("2") is found.get_question(other.id) is other
    with pytest.raises(MaterialError) as caught:
        found.get_question("3")
    (fault,) = caught.value.faults
    assert fault.code == "unknown-question"
    assert fault.hint == f"its questions are 1 ({one.id}), 2 ({other.id})"


def test_a_number_stays_when_an_earlier_question_is_answered(tmp_path: Path) -> None:
    one, other = question(), question("blue")
    answered = answer_questions(ask_two_readers(tmp_path).brief, [(one, FREE)]).parts.answers
    found = Asked("fees", 1, (one, other), answered)

    assert found.open == (other,)
    assert found.get_question("2") is other
