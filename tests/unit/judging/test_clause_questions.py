"""A misreading that was planted in a model is asked about; a right model raises no question."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from sopforge.authors.judging.judged import read_judged, write_judged
from tests.unit.checks.sources.test_brief_and_model import BRIEF
from tests.worlds.clauses import find_questions, judge


def test_a_right_model_raises_no_question() -> None:
    asked, files = judge(BRIEF)

    assert len(asked.cases) == len(read_judged(files["clauses.yaml"], "")) > 10
    assert find_questions(BRIEF, files) == ()


PLANTED = {
    "a limit that is included": (
        "age > member_days",
        "age >= member_days",
        'The age is 60 days and the member is "yes".',
        ("declined", 'not "declined"'),
    ),
    "another limit": (
        "{value: 500, unit: EUR",
        "{value: 550, unit: EUR",
        "The amount is 550 EUR",
        ("approved", "referred"),
    ),
    "an exception that is lost": (
        "sale and not damaged",
        "sale",
        'the sale is "yes" and the damaged is "yes".',
        ("declined", 'not "declined"'),
    ),
    "an exception that is turned round": (
        "sale and not damaged",
        "sale and damaged",
        'the sale is "yes" and the damaged is "yes".',
        ("declined", 'not "declined"'),
    ),
    "another result": (
        "when: amount > most, then: referred",
        "when: amount > most, then: declined",
        "The amount is 500.01 EUR",
        ("declined", "referred"),
    ),
    "a fact that is taken for its opposite": (
        "member and age > member_days",
        "not member and age > member_days",
        'the age is 61 days, the member is "yes"',
        ("approved", "declined"),
    ),
    "another result for all other cases": (
        "otherwise: approved",
        "otherwise: referred",
        "The amount is",
        ("referred", "approved"),
    ),
    "another amount": ("then: 4.50", "then: 5.40", 'The damaged is "yes"', ("5.40", "4.50")),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_misreading_is_asked_about(name: str) -> None:
    old, new, case, (ours, theirs) = PLANTED[name]
    assert BRIEF.count(old) == 1
    text = BRIEF.replace(old, new)

    found = find_questions(text, judge(text)[1])

    shown = [
        (question.plain_case, [*question.first.decides.values(), *question.second.decides.values()])
        for question in found
    ]
    assert any(case in plain and decided == [ours, theirs] for plain, decided in shown), shown


def test_a_question_shows_the_rule_and_the_passage() -> None:
    text = BRIEF.replace("age > member_days", "age >= member_days")

    (question,) = find_questions(text, judge(text)[1])

    assert question.first.because == (
        'If the member is "yes" and the age is at least 60 days, the verdict is "declined".',
    )
    assert question.second.because == ("It says so.",)
    (passage,) = question.second.sources
    assert passage.endswith("by members within 60 days; a later one is declined.")
    assert question.offered == (
        'If the age is 60 days and the member is "yes", the verdict is "declined".',
        'If the age is 60 days and the member is "yes", the verdict is not "declined".',
    )


def test_what_was_judged_is_compared_with_a_corrected_model() -> None:
    wrong = BRIEF.replace("age > member_days", "age >= member_days")
    files = judge(wrong)[1]

    assert len(find_questions(wrong, files)) == 1
    assert find_questions(BRIEF, files) == ()


def test_what_was_said_of_other_sentences_or_facts_is_not_compared() -> None:
    wrong = BRIEF.replace("age > member_days", "age >= member_days")
    files = judge(wrong)[1]

    other = wrong.replace("a later one is declined", "a late one is declined")
    further = wrong.replace("member and age >=", "member and amount > 0 and age >=")
    renamed = wrong.replace("id: R1,", "id: R9,").replace("verdict.R1", "verdict.R9")
    before = wrong.replace(
        "- {id: R1,", "- {id: R0, when: member, then: referred}\n        - {id: R1,"
    )

    texts = (other, further, renamed, before)
    assert [find_questions(text, files) for text in texts] == [()] * 4


def said(files: Mapping[str, str], result: str, *excluded: str) -> dict[str, str]:
    """Return what was judged as if the same had been said of every case."""
    judged = read_judged(files["clauses.yaml"], "clauses.yaml")
    more = {"result": result, "excluded": excluded}
    return {"clauses.yaml": write_judged([item.model_copy(update=more) for item in judged])}


def test_passages_may_say_nothing_where_their_item_does_not_apply() -> None:
    files = judge(BRIEF)[1]
    cases = {
        question.plain_case: question.second.decides["verdict"]
        for question in find_questions(BRIEF, said(files, ""))
        if "verdict" in question.second.decides
    }

    # The cases in which a rule applies: two of the first two rules, one of each other.
    assert [case for case in cases if case.startswith("The age is 6")] == [
        'The age is 61 days and the member is "yes".'
    ]
    assert [case for case in cases if case.startswith("The age is 3")] == [
        'The age is 31 days and the member is "no".',
        'The age is 30 days, the member is "no", the sale is "yes" and the damaged is "no".',
    ]
    assert len(cases) == 5


def test_what_cannot_be_read_is_no_difference() -> None:
    files = judge(BRIEF)[1]

    assert find_questions(BRIEF, said(files, "perhaps")) == ()


def test_other_results_are_ruled_out_without_a_question() -> None:
    files = judge(BRIEF)[1]
    found = find_questions(BRIEF, said(files, "", "referred"))

    (question,) = [item for item in found if "verdict" in item.first.decides]
    assert question.first.decides == {"verdict": "referred"}


def test_a_case_that_a_change_decides_as_it_is_said_is_no_question() -> None:
    change, other = PLANTED["another limit"][:2], PLANTED["another amount"][:2]
    once = BRIEF.replace(*change)
    text = once.replace(*other)
    files = judge(text)[1]
    labels = [item.second.decides.keys() for item in find_questions(text, files)]

    left = find_questions(text, files, BRIEF.replace(*other))

    assert {"verdict"} in labels
    assert left
    assert len(left) < len(labels)
    assert all("verdict" not in item.second.decides for item in left)
    assert find_questions(text, files, BRIEF.replace(*other), once) == ()
