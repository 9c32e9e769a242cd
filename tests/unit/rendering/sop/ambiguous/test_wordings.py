"""Wordings that ask for care: what each stands for, and what it is taken for."""

from __future__ import annotations

import pytest

from sopforge.rendering.sop.ambiguous.wordings import (
    list_rewordings,
    take_as_meant,
    take_otherwise,
)

KNOWN = {
    "Go on if the sum is at most 5.": (
        "Go on if the sum is not more than 5.",
        "Go on if the sum is less than 5.",
    ),
    "| at least 14 points | high |": (
        "| not less than 14 points | high |",
        "| more than 14 points | high |",
    ),
    "  - the start is on or before the end;": (
        "  - the start is no later than the end;",
        "  - the start is before the end;",
    ),
    "  - the start is on or after 2026-01-01;": (
        "  - the start is no earlier than 2026-01-01;",
        "  - the start is after 2026-01-01;",
    ),
    '  - the cover is not "Active";': (
        '  - the cover is any but "Active";',
        '  - the cover is "Active";',
    ),
    '  - the age is less than 18 and the signer is not "Guardian".': (
        '  - the age is less than 18, unless the signer is "Guardian".',
        '  - the age is less than 18 and the signer is "Guardian".',
    ),
    'Go on if the reason is not "none".': (
        'Go on unless the reason is "none".',
        'Go on if the reason is "none".',
    ),
    "Go on if the sum is more than the balance.": (
        "Go on unless the sum is at most the balance.",
        "Go on if the sum is at most the balance.",
    ),
    "Go on if the day of issue is at most 30 days before the day.": (
        "Go on unless the day of issue is more than 30 days before the day.",
        "Go on if the day of issue is more than 30 days before the day.",
    ),
    "Go on if the day of issue is on or before 2026-03-01.": (
        "Go on if the day of issue is no later than 2026-03-01.",
        "Go on if the day of issue is before 2026-03-01.",
    ),
    "Go on if the part differs from the other part.": (
        "Go on unless the part is the same as the other part.",
        "Go on if the part is the same as the other part.",
    ),
}


@pytest.mark.parametrize("plain", KNOWN)
def test_a_wording_means_the_plain_one_and_is_taken_for_another(plain: str) -> None:
    said, taken = KNOWN[plain]

    assert said in list_rewordings(plain)
    assert take_as_meant(said) == plain
    assert take_otherwise(said) == taken


@pytest.mark.parametrize(
    "words", ["no later than", "no earlier than", "earlier than", "later than"]
)
def test_so_many_days_from_another_day_are_plain(words: str) -> None:
    plain = f"Go on if the day of issue is {words} 30 days before the day."

    assert list_rewordings(plain) == []
    assert take_as_meant(plain) == plain == take_otherwise(plain)


@pytest.mark.parametrize("plain", KNOWN)
def test_plain_words_have_one_reading(plain: str) -> None:
    assert take_as_meant(plain) == plain == take_otherwise(plain)
    assert all(take_as_meant(said) == plain for said in list_rewordings(plain))


@pytest.mark.parametrize(
    "line",
    [
        '  - the sum is 3 or the age is 4 and the signer is not "Guardian".',
        '  - these hold: (a) the sum is 3; (b) the age is 4 and the signer is not "Guardian";',
    ],
)
def test_unless_excepts_no_part_of_a_condition(line: str) -> None:
    assert not any("unless" in said for said in list_rewordings(line))


def test_each_line_of_a_text_is_read() -> None:
    text = '- One is not more than 5.\n- Go on unless the kind is "Gift".\n'

    assert take_as_meant(text) == '- One is at most 5.\n- Go on if the kind is not "Gift".\n'
