"""The SOP explains the words of its rules, and only those that occur."""

from __future__ import annotations

from itertools import takewhile

import pytest

from sopforge.artifacts.rendering.sop.document import Style
from sopforge.artifacts.rendering.sop.sections.terms import TERMS
from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.language.domain.model import DomainModel
from tests.worlds.small_models import claims, parcel

DISTANCE = (
    "When you count the days between two dates, leave out the first day and include the last."
)
DAYS = (
    "The number of days from one date to another is zero if the two dates are the same, and"
    " negative if the second date is earlier."
)
EARLIER = (
    'A date that is earlier than another also counts as "less than" any number of days after it.'
)
LATER = EARLIER.replace("earlier", "later").replace("after", "before")
IN_WORDS = (
    'A value in words, such as "no due date", never meets a condition that compares it with a'
    " number or a date."
)
PERCENT = (
    "In sums of percentages, and where a rule calls a percentage a plain number, use 3 for 3"
    " percent."
)
ENTRIES = "Where a rule concerns the entries of a list, check each entry on its own."
EXACT = "No value is rounded: each keeps all its digits."
LINES = (
    "lines: {role: input, type: list, size: 3, empty: none at all, description: lines, items:"
    " {amount: {role: input, type: integer, min: 0, max: 9, description: amount},"
    " has_receipt: {role: input, type: boolean, description: whether there is a receipt}}}"
)
NO_SUM = "the total over its entries is zero"
NONE = "If a list is empty"


def explained(model: DomainModel) -> list[str]:
    """Return what the section of an SOP that explains its words says."""
    statements = iter(render_sop(model, "").statements)
    is_there = any(x.style is Style.SECTION and x.text.endswith(TERMS) for x in statements)
    own = takewhile(lambda x: x.style is Style.BULLET, statements)
    return [item.text for item in own] if is_there else []


def test_a_number_of_days_that_is_no_distance_is_explained() -> None:
    model = parcel(
        ("days_between(due_on, sent_on) > grace", "days_between(due_on, sent_on) > weight")
    )

    assert explained(model)[0] == DAYS


def test_dates_that_are_less_than_so_many_days_away_are_explained() -> None:
    said = {
        "days_between(due_on, sent_on) < grace": [EARLIER],
        "not (days_between(due_on, sent_on) >= grace)": [EARLIER],
        "days_between(sent_on, due_on) > -2": [EARLIER],
        "days_between(due_on, '2026-03-01') < 2": [LATER],
        "days_between(due_on, sent_on) >= grace": [],
        "add_months(due_on, 7) > sent_on": [EARLIER.replace("days", "months")],
        "add_months(due_on, 2 * 12) > sent_on": [EARLIER.replace("days", "years")],
    }
    late = "days_between(due_on, sent_on) > grace"

    found = {
        condition: [text for text in explained(parcel((late, condition))) if "also counts" in text]
        for condition in said
    }

    assert found == said


def test_an_age_is_counted_from_no_later_date() -> None:
    model = parcel(
        ("days_between(due_on, sent_on) > grace", "add_months(due_on, 2 * 12) > sent_on"),
        ("due date", "date of birth of the sender"),
    )

    assert not any("also counts" in text for text in explained(model))


def test_what_does_not_occur_is_not_explained() -> None:
    model = parcel(
        ("(weight - free_weight) * rate if weight > free_weight else 0", "0"),
        (" and days_between(due_on, sent_on) > grace", ""),
    )

    assert explained(model) == []
    assert "How to read the rules" not in render_sop(model, "").as_text()


def test_a_share_of_a_hundred_is_said_as_one() -> None:
    model = parcel(
        ("rate: {value: 1.50, unit: USD", "rate: {value: 1.50, unit: percent"),
        ("(weight - free_weight) * rate if", "round(weight * rate / 100, 2) if"),
    )

    assert PERCENT not in explained(model)
    assert "1.50 percent of the weight" in render_sop(model, "").as_text()


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        (
            "all(i.has_receipt for i in lines)",
            "If a list is empty, a condition that every entry has to meet counts as met.",
        ),
        ("sum(i.amount for i in lines) > 1", f"{NONE}, {NO_SUM}."),
        (
            "last((i.amount for i in lines), default=0) > 1",
            "The first and the last entry of a list are those that come first and last in it.",
        ),
        (
            "median((i.amount for i in lines), default=0) > 1",
            (
                "The lower median is the value in the middle of the values in their order; of an"
                " even number, it is the lower of the two in the middle."
            ),
        ),
    ],
)
def test_what_lists_are_said_to_have_is_explained(condition: str, words: str) -> None:
    model = parcel(
        ("        colour:", f"        {LINES}\n        colour:"),
        ("when: fragile or 'Glass' in contents", f'when: "{condition}"'),
    )

    assert explained(model)[-2:] == [ENTRIES, words]


def test_calendars_stand_there_only_if_they_are_used() -> None:
    model = claims(
        (
            "workdays_between(trip_end, date_of(handed_in_at), office)",
            "days_between(trip_end, date_of(handed_in_at))",
        )
    )

    assert "oliday" not in render_sop(model, "").as_text()
    assert DAYS in explained(model)


def test_it_is_said_what_holds_of_a_set_without_entries() -> None:
    model = parcel(("when: fragile or 'Glass' in contents", "when: \"not contents <= ['Books']\""))

    assert (
        "A list without entries counts as contained in every other list, and as including nothing"
        " besides the labels that a rule names."
    ) in explained(model)
    assert not [text for text in explained(parcel()) if "besides" in text]
