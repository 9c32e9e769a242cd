"""An agent is asked until it is known what it believes, and errors at random mislead nobody."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from sopforge.evaluation.diagnosis.hypotheses import Answers, find_beliefs
from sopforge.evaluation.diagnosis.inquiry import Inquiry, begin_inquiry
from sopforge.proof.dataset.records import Row
from tests.worlds.small_models import judged, observed

MODEL = judged(
    {"age": observed(0, 50), "visits": observed(0, 9)},
    {
        "R1": ("age >= 30", "good"),
        "R2": ("visits >= 6", "good"),
        "R3": ("age >= 10", "fair"),
    },
)
CASES = {
    f"task-{age:02}-{visits}": (age, visits)
    for age in (0, 5, 8, 9, 10, 11, 20, 28, 29, 30, 31, 40, 50)
    for visits in (0, 4, 5, 6, 7, 9)
}
ROWS: dict[str, Row] = {
    task: {"case_id": f"C{age:04}{visits:02}", "age": age, "visits": visits}
    for task, (age, visits) in CASES.items()
}
BELIEFS = find_beliefs(MODEL, ROWS)


def answer_right(age: int, visits: int) -> str:
    if age >= 30 or visits >= 6:
        return "good"
    return "fair" if age >= 10 else "bad"


RIGHT: Answers = {task: {"result": answer_right(*case)} for task, case in CASES.items()}


def examine(answer: Callable[[int, int], str], most: int = 25) -> Inquiry:
    """Return what is known of somebody who answers by a function of his own."""
    inquiry = begin_inquiry(MODEL, RIGHT, BELIEFS)
    while len(inquiry.heard) < most and not inquiry.is_settled:
        task = inquiry.choose()
        if task is None:
            break
        inquiry.hear(task, {"result": answer(*CASES[task])})
    return inquiry


def list_words(inquiry: Inquiry) -> set[str]:
    assert inquiry.leader is not None
    return {item.mutant.words for item in inquiry.leader.readings}


def test_nothing_is_asked_twice_and_who_is_right_is_not_said_to_err() -> None:
    inquiry = examine(answer_right)

    assert (inquiry.errors, inquiry.is_settled, inquiry.leader) == ([], False, None)
    assert not inquiry.is_unknown


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("31 for 30", lambda age, visits: answer_right(29 if age == 30 else age, visits)),
        ("5 for 6", lambda age, visits: answer_right(age, 6 if visits == 5 else visits)),
        ("R3 dropped", lambda age, visits: "good" if age >= 30 or visits >= 6 else "bad"),
    ],
)
def test_each_mistake_is_named_after_few_cases(
    words: str, answer: Callable[[int, int], str]
) -> None:
    inquiry = examine(answer)

    assert inquiry.is_settled
    assert any(words in item for item in list_words(inquiry))
    assert len(inquiry.proofs) >= 2
    assert inquiry.errors == inquiry.proofs
    assert all(answer(*CASES[task]) != answer_right(*CASES[task]) for task in inquiry.proofs)
    assert len(inquiry.heard) < 20


def test_errors_at_random_are_no_belief() -> None:
    misled = 0
    for seed in range(20):
        random = Random(seed)  # noqa: S311 - no secret

        def answer(age: int, visits: int, random: Random = random) -> str:
            found = answer_right(age, visits)
            if random.randrange(100) >= 10:
                return found
            return random.choice([label for label in ("good", "fair", "bad") if label != found])

        misled += examine(answer).is_settled
    assert misled <= 1


def test_who_errs_in_a_manner_of_his_own_is_said_to() -> None:
    inquiry = examine(
        lambda age, visits: "bad" if (age + visits) % 2 else answer_right(age, visits)
    )

    assert inquiry.is_unknown
    assert not inquiry.is_settled


def test_an_answer_that_nobody_foretells_speaks_for_no_mistake() -> None:
    inquiry = begin_inquiry(MODEL, RIGHT, BELIEFS)
    task = inquiry.choose()
    assert task is not None

    inquiry.hear(task, {})

    assert inquiry.heard == {task: -1}
    assert inquiry.errors == [task]
    assert inquiry.proofs == []
    assert inquiry.choose() != task


def test_the_probabilities_add_up_to_one_and_follow_bayes() -> None:
    """One answer as by half of the mistakes: the ratio to the others is that of the likelihoods."""
    inquiry = begin_inquiry(MODEL, RIGHT, BELIEFS)
    before = inquiry.shares
    task = inquiry.choose()
    assert task is not None
    place = inquiry.tasks.index(task)
    inquiry.hear(task, RIGHT[task])

    after, codes = inquiry.shares, inquiry.codes[:, place]
    assert after.sum() == pytest.approx(1)
    agreeing, other = int((codes[1:] == 0).argmax()) + 1, int((codes[1:] != 0).argmax()) + 1
    others = len({tuple(answer.items()) for answer in RIGHT.values()}) - 1
    assert (after[agreeing] / after[other]) / (before[agreeing] / before[other]) == pytest.approx(
        0.97 / (0.03 / others)
    )
