"""Superseded passages are known by their words, and say that they do not apply."""

from __future__ import annotations

from datetime import date
from string import Formatter

import pytest

from sopforge.rendering.sop.added.superseded import DATED, FRAMES, is_marked_void, is_void

FIRST_DAYS = {"day of arrival": date(2025, 1, 1)}
RULES = [frame for frames in DATED.values() for frame in frames]
"""Those that are rules for cases before a day."""
WORDS = {
    "entry": "day of arrival",
    "day": "2024-04-01",
    "until": "31 March 2024",
    "since": "1 April 2024",
    "edition": "4",
    "meaning": "highest weight that is light",
    "value": "4 kg",
    "condition": 'the care is "plain"',
    "label": "care",
    "role": "senior clerk",
    "result": 'the care is "plain"',
    "reason": "The head had asked for it.",
}


@pytest.mark.parametrize("frame", FRAMES)
def test_each_frame_is_known_again_and_says_when_it_ended(frame: str) -> None:
    text = frame.format(**WORDS)

    assert is_void(text, FIRST_DAYS)
    assert is_marked_void(text, FIRST_DAYS)
    assert "2024" in text
    assert "{reason}" in frame


@pytest.mark.parametrize("frame", FRAMES)
def test_without_the_day_on_which_it_ended_it_is_not_void(frame: str) -> None:
    text = frame.format(**WORDS | {"until": "now", "since": "then"})

    assert not is_void(text, FIRST_DAYS)
    assert not is_marked_void(text, FIRST_DAYS)


@pytest.mark.parametrize("frame", RULES)
@pytest.mark.parametrize("reason", ["", " The head had asked for it."])
def test_a_rule_for_days_before_every_case_is_void(frame: str, reason: str) -> None:
    text = frame.format(**WORDS | {"day": "2025-01-01"}) + reason

    assert is_void(text, FIRST_DAYS)
    assert is_marked_void(text, FIRST_DAYS)


@pytest.mark.parametrize("frame", RULES)
@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"day": "2025-01-02"}, id="a day after the first case"),
        pytest.param({"day": "January"}, id="no day"),
        pytest.param({"entry": "day of departure"}, id="no day that cases state"),
    ],
)
def test_a_rule_for_days_of_some_cases_is_not_void(frame: str, changed: dict[str, str]) -> None:
    text = frame.format(**WORDS | changed)

    assert not is_void(text, FIRST_DAYS)
    assert not is_marked_void(text, FIRST_DAYS)


@pytest.mark.parametrize("frame", RULES)
@pytest.mark.parametrize("turned", [" on or after ", " after ", " on or before "])
def test_a_rule_for_other_days_is_not_void(frame: str, turned: str) -> None:
    text = frame.format(**WORDS).replace(" before ", turned)

    assert not is_void(text, FIRST_DAYS)


def test_frames_are_many_and_take_what_operators_have() -> None:
    slots = {
        name for frame in (*FRAMES, *RULES) for _, name, _, _ in Formatter().parse(frame) if name
    }

    assert len({frame.split()[0] for frame in FRAMES}) >= 5
    assert slots == set(WORDS)


@pytest.mark.parametrize(
    "text",
    [
        'If the state is "superseded", the result is "withdrawn".',
        "The limit was 4 kg until March.",
        'The state is "until 31 March 2024".',
        "Use the list in force.",
    ],
)
def test_labels_and_history_without_a_day_do_not_say_so(text: str) -> None:
    assert not is_marked_void(text, FIRST_DAYS)
    assert not is_void(text, FIRST_DAYS)
