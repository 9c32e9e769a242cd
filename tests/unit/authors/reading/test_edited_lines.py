"""Lines in a person's words: read as a derived line only if both readings choose it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from sopforge.authors.writers.reading.edited_lines import AskedLine, read_edited_lines
from sopforge.pipeline.briefs.brief_files import load_brief

REFUND = Path(__file__).parents[3] / "briefs" / "refund.yaml"
MODEL = load_brief(REFUND).model
GIVEN = "Give the customer the reason before you refuse."
REWORDED = "Say to the customer why before you refuse."
Sentence = Mapping[str, Any]
Choose = Callable[[Sentence, int], tuple[str, str]]


class Reader:
    """Answers each sentence by a function of the sentence and of the round."""

    def __init__(self, choose: Choose) -> None:
        self.choose, self.rounds = choose, list[Sequence[Sentence]]()

    def __call__(
        self, questions: Sequence[tuple[str, Mapping[str, object]]]
    ) -> list[Mapping[str, Any]]:
        return [self.answer(values) for _, values in questions]

    def answer(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        self.rounds.append(values["sentences"])
        said = [(item, *self.choose(item, len(self.rounds))) for item in values["sentences"]]
        return {
            "sentences": [
                {"id": item["id"], "differs": differs, "says": says} for item, differs, says in said
            ]
        }


def letter_of(item: Sentence, text: str) -> str:
    return str(next(x["id"] for x in item["statements"] if x["text"] == text))


def choose_text(text: str) -> Choose:
    return lambda item, _: ("", letter_of(item, text))


def read(choose: Choose, *lines: AskedLine) -> tuple[dict[str, str], Reader]:
    reader = Reader(choose)
    return read_edited_lines(reader, MODEL, lines), reader


LINE = AskedLine(REWORDED, "6.5 Refuse the refund", (GIVEN,))


def test_a_line_is_read_as_the_derived_line_that_both_readings_choose() -> None:
    found, reader = read(choose_text(GIVEN), LINE)
    assert found == {REWORDED: GIVEN}
    assert len(reader.rounds) == 2


def test_a_reader_sees_wrong_statements_in_orders_of_their_own() -> None:
    lines = [AskedLine(f"{REWORDED} Case {name}.", "6.5", (GIVEN,)) for name in "abcdefgh"]
    _, reader = read(choose_text(GIVEN), *lines)
    shown = [[known["text"] for known in item["statements"]] for item in reader.rounds[0]]
    assert all("Give the customer the reason after you refuse." in texts for texts in shown)
    assert all(len(texts) == len(set(texts)) > 1 for texts in shown)
    assert len({texts.index(GIVEN) for texts in shown}) > 1
    again = [[known["text"] for known in item["statements"]] for item in reader.rounds[1]]
    assert again != shown
    assert list(map(sorted, again)) == list(map(sorted, shown))


def wrong_at(round_number: int) -> Choose:
    def choose(item: Sentence, number: int) -> tuple[str, str]:
        return "", "none" if number == round_number else letter_of(item, GIVEN)

    return choose


@pytest.mark.parametrize(
    "choose",
    [
        pytest.param(lambda *_: ("", "none"), id="none of them"),
        pytest.param(wrong_at(1), id="only the second reading"),
        pytest.param(wrong_at(2), id="only the first reading"),
        pytest.param(
            choose_text("Give the customer the reason after you refuse."), id="a wrong statement"
        ),
        pytest.param(lambda item, _: ("who gives", letter_of(item, GIVEN)), id="with a difference"),
        pytest.param(lambda *_: ("", "zz"), id="no statement of that name"),
    ],
)
def test_any_other_answer_is_no_reading(choose: Choose) -> None:
    assert read(choose, LINE)[0] == {}


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("A clerk pays up to 210 USD.", "A clerk pays at most 200 USD."),
        ('Close it as "paid".', 'Close it as "passed on".'),
        ("Pass the order_amount on.", "Pass the order_number on."),
        ("Call payRefund now.", "Call lookUpOrder now."),
        ("From 2026-03-01 on, ask first.", "From 2026-04-01 on, ask first."),
        ("Then go on to step 6.4.", "Continue with step 6.3."),
        ("Ask twice for 5 papers.", "Ask twice for papers."),
        ("A clerk pays over 200k USD.", "A clerk pays more than 200 USD."),
        ("A clerk pays over -200 USD.", "A clerk pays more than 200 USD."),
        ("A clerk pays over 200 EUR.", "A clerk pays more than 200 USD."),
        ("Wait for 3 weeks.", "Wait 3 days."),
        ("Wait for 1 day more.", "Wait for the day."),
        ("Go to step 6.4 (Refuse it).", "Continue with step 6.4 (Pass it on)."),
    ],
)
def test_a_line_with_other_facts_is_not_asked_about(text: str, known: str) -> None:
    found, reader = read(choose_text(known), AskedLine(text, "6.1", (known,)))
    assert (found, reader.rounds) == ({}, [])


def test_labels_of_an_enumeration_are_not_swapped() -> None:
    """Their order says nothing, so that a statement with another one is not wrong."""
    listed, shown = (f'Write "paid"{x} "refused" on the slip.' for x in (" or", ": else"))
    asked = [
        AskedLine(f"Now {text[0].lower()}{text[1:]}", "6.1", (text,)) for text in (listed, shown)
    ]

    _, reader = read(lambda *_: ("", "none"), *asked)

    swapped = [
        any(x["text"].startswith('Write "refused"') for x in item["statements"])
        for item in reader.rounds[0]
    ]
    assert swapped == [False, True]


def test_many_lines_are_asked_about_in_several_questions() -> None:
    lines = [AskedLine(f"{REWORDED} {'x' * count}", "6.5", (GIVEN,)) for count in range(1, 26)]
    found, reader = read(choose_text(GIVEN), *lines)
    assert found == {line.text: GIVEN for line in lines}
    assert [len(item) for item in reader.rounds] == [12, 12, 12, 12, 1, 1]
