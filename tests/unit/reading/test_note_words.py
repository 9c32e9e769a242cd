"""Fixed sentences in other words: what is denied, bounded or opposed must stay as it is."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from sopforge.reading.note_words import find_same_note, is_same_note

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
