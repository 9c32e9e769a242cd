"""The same case is known again in whatever order its facts stand."""

from __future__ import annotations

import pytest

from sopforge.proof.comparing.asking.questions import Fact, Question, View

SKY = Fact("sky", "grey", "the sky is grey", is_key=True)
WIND = Fact("wind", "strong", "the wind is strong")
TIDE = Fact("tide", "low")


def ask(*facts: Fact) -> Question:
    return Question(facts, View({"trip": "no"}), View({"trip": "yes"}), cases=1, drawn=10)


def test_a_case_is_one_plain_sentence_in_the_order_of_its_answers() -> None:
    question = ask(SKY, WIND, TIDE)

    assert question.plain_case == "The sky is grey, the wind is strong and the tide is low."
    assert question.offered[0] == (
        'If the sky is grey, the wind is strong and the tide is low, the trip is "no".'
    )
    assert ask().plain_case == "In every case alike."


@pytest.mark.parametrize(
    ("facts", "is_same"),
    [
        ((SKY, WIND, TIDE), True),
        ((TIDE, SKY, WIND), True),
        ((SKY, WIND), False),
        ((SKY, WIND, Fact("tide", "new")), False),
        ((), False),
    ],
)
def test_a_case_is_the_same_in_any_order(facts: tuple[Fact, ...], *, is_same: bool) -> None:
    assert ask(SKY, WIND, TIDE).has_case(ask(*facts).plain_case) is is_same


def test_a_case_without_facts_is_the_same_as_itself_alone() -> None:
    assert ask().has_case("In every case alike.")
    assert not ask().has_case("The sky is grey.")


def test_a_side_is_known_by_the_words_in_which_it_was_offered() -> None:
    earlier, now = ask(TIDE, SKY), ask(SKY, TIDE)

    sides = [now.find_side(earlier.plain_case, says) for says in earlier.offered]

    assert sides == [0, 1]
    assert now.find_side(earlier.plain_case, "Trips are never made.") is None
    assert ask().find_side("In every case alike.", 'In every case the trip is "yes".') == 1
