"""What two readings decide otherwise is found, and an answer that the model does not follow."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from sopforge.checks.readings.questions import find_questions, select_open, select_unfollowed
from sopforge.checks.readings.readings_agree import CHECK
from sopforge.findings import Severity
from sopforge.language.domain.documents.schema import AnswerDocument
from sopforge.pipeline.briefs.answering import answer_questions
from sopforge.pipeline.stages.building.orders import build_workspace
from sopforge.proof.comparing.asking.questions import Question
from sopforge.workspace import ALIGNMENT, DOMAIN, SECOND, Workspace
from tests.worlds.questioned import RIGHT, WRONG, ask_two_readers

NARROWER = re.compile(r"(max: )\d+")
"""The greatest value of the first number of a reading."""


@pytest.fixture(scope="module")
def differing(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Return a schema whose readers differ."""
    found = ask_two_readers(tmp_path_factory.mktemp("store"))
    return build_workspace(found.brief, [found.newest])


def find_open(workspace: Workspace) -> tuple[Question, ...]:
    return select_open(find_questions(workspace), workspace.brief.parts.answers)


def find_unfollowed(workspace: Workspace) -> tuple[AnswerDocument, ...]:
    return select_unfollowed(find_questions(workspace), workspace.brief.parts.answers)


def answered(workspace: Workspace, side: int) -> Workspace:
    (question,) = find_open(workspace)
    brief = answer_questions(workspace.brief, [(question, question.offered[side])])
    return replace(workspace, brief=brief)


def corrected(workspace: Workspace) -> Workspace:
    return workspace.with_files({DOMAIN: workspace.files[DOMAIN].replace(WRONG, RIGHT)})


def codes(workspace: Workspace) -> list[str]:
    return [item.id for item in CHECK.examine(workspace)]


def test_a_difference_is_asked_about_until_it_is_answered(differing: Workspace) -> None:
    (finding,) = CHECK.examine(differing)

    assert (finding.id, finding.severity) == ("readers-differ", Severity.WARNING)
    assert finding.message.startswith('What is right in this case? The kind of the item is "Refer')
    lines = finding.evidence.splitlines()
    assert [line for line in lines if line[:2] in {"A:", "B:"}] == [
        "A: lateness: charged; fee: 2.50",
        "B: lateness: tolerated; fee: no fee due",
    ]
    assert 'the brief: "Up to 3 days late it is tolerated, unless a film was lent"' in lines
    (question,) = find_open(differing)
    assert f"sopforge answer fees {question.id} A" in finding.hint
    assert codes(answered(differing, 0)) == []
    assert codes(corrected(differing)) == []


def test_an_answer_is_followed_once_the_model_decides_so(differing: Workspace) -> None:
    chosen = answered(differing, 1)

    assert codes(chosen) == ["answer-not-followed"]
    assert codes(corrected(chosen)) == []
    assert find_unfollowed(answered(differing, 0)) == ()


def test_the_last_of_several_answers_counts(differing: Workspace) -> None:
    (question,) = find_open(differing)
    both = [(question, question.offered[1]), (question, question.offered[0])]

    brief = answer_questions(differing.brief, both[:1])
    again = answer_questions(brief, both[1:])

    assert codes(replace(differing, brief=brief)) == ["answer-not-followed"]
    assert codes(replace(differing, brief=again)) == []


def test_an_answer_to_the_same_case_counts_under_any_number(differing: Workspace) -> None:
    chosen = answered(differing, 0)
    (answer,) = chosen.brief.parts.answers
    other = answer.model_copy(update={"question": "q-000000000000"})
    elsewhere = other.model_copy(update={"case": "The sky is grey."})

    def ask(*answers: object) -> int:
        parts = chosen.brief.parts.model_copy(update={"answers": answers})
        brief = replace(chosen.brief, parts=parts)
        return len(find_open(replace(chosen, brief=brief)))

    assert (ask(answer), ask(other), ask(elsewhere)) == (0, 0, 1)


@pytest.mark.parametrize("file", [SECOND, ALIGNMENT])
def test_what_cannot_be_read_is_a_warning_and_no_question(differing: Workspace, file: str) -> None:
    damaged = differing.with_files({file: differing.files[file] + "\nsurplus: 1\n"})

    found = CHECK.examine(damaged)

    assert {(item.id, item.severity) for item in found} == {
        ("second-reading-unread", Severity.WARNING)
    }
    assert found[0].where.startswith(file.partition("/")[2])
    assert find_open(damaged) == ()
    assert find_unfollowed(damaged) == ()


def test_what_the_other_reading_has_no_word_for_is_named(differing: Workspace) -> None:
    text = differing.files[ALIGNMENT]
    kept = text[: text.index("outcomes:")]
    bare = differing.with_files({ALIGNMENT: kept})

    found = {item.id: item for item in CHECK.examine(bare)}

    assert "readings-not-aligned" in found
    assert "of the second reading" in found["readings-not-aligned"].evidence


def test_cases_that_the_second_reading_cannot_hold_are_named(differing: Workspace) -> None:
    text = differing.files[SECOND]
    narrow = differing.with_files({SECOND: NARROWER.sub(r"\g<1>1", text, count=1)})

    found = {item.id: item for item in CHECK.examine(narrow)}

    assert (
        "sampled cases cannot occur in the second reading"
        in found["readings-hold-other-cases"].message
    )
    assert found["readings-hold-other-cases"].evidence
    assert "readings-hold-other-cases" not in codes(differing)
