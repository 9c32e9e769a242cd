"""Fixed sentences in other words: what is denied, bounded or opposed must stay as it is."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from sopforge.reading.note_words import (
    find_same_note,
    is_same_note,
    reword_meaning,
)

NOTES = yaml.safe_load(
    Path(__file__).with_name("notes_in_other_words.yaml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", NOTES)
def test_a_note_in_other_words_says_the_same(name: str) -> None:
    said = NOTES[name]

    assert not [other for other in said["same"] if not is_same_note(other, said["note"])]


@pytest.mark.parametrize("name", NOTES)
def test_a_note_that_says_something_else_is_not_the_same(name: str) -> None:
    said = NOTES[name]

    assert not [other for other in said["other"] if is_same_note(other, said["note"])]


def test_the_note_that_is_said_is_found_among_several() -> None:
    notes = [said["note"] for said in NOTES.values()]
    said = "A case must be closed only where a step says so."

    assert find_same_note(said, notes) == NOTES["closing"]["note"]
    assert find_same_note("Close all cases.", notes) is None


@pytest.mark.parametrize(
    ("words", "meaning"),
    [
        ("the most that a clerk may pay as a refund", "highest refund that a clerk may pay"),
        ("number of days during which it may not be used", "days for which it cannot be used"),
        ("the maximum fee", "highest fee"),
    ],
)
def test_meanings_of_limits_are_put_into_the_same_words(words: str, meaning: str) -> None:
    assert reword_meaning(words) == reword_meaning(meaning)


def test_meanings_of_other_limits_are_not_alike() -> None:
    said = "the least that a clerk may pay as a refund"

    assert reword_meaning(said) != reword_meaning("highest refund that a clerk may pay")


@pytest.mark.parametrize(
    ("known", "other"),
    [
        ("Continue with the step that follows it.", "Continue with the step that it follows."),
        ("Tomorrow is one day after today.", "Today is one day after tomorrow."),
        ("Working days are Mondays to Fridays.", "Working days are Mondays and Fridays."),
        ("Working days are Mondays to Fridays.", "Working days are Fridays to Mondays."),
        ("Work from left to right.", "Work from right to left."),
        (
            "Multiply and divide before you add or subtract.",
            "Add and subtract before you multiply or divide.",
        ),
        ("A change counts only once a tool answers.", "A tool answers only once a change counts."),
    ],
)
def test_the_same_words_turned_round_say_something_else(known: str, other: str) -> None:
    assert not is_same_note(other, known)


def test_clauses_may_change_places() -> None:
    known = "If a list is empty, its total is zero."

    assert is_same_note("Its total is zero, if a list is empty.", known)
