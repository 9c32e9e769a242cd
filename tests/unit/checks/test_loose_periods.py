"""A period counts as a number where it bounds something, and not where it is a rate or vague."""

from __future__ import annotations

import pytest

from sopforge.checks.words.deciding_words import find_deciding_words

LOOSE = [
    "The ward is visited several times a day, so charts change under your hands.",
    "The vet looks at the stable once a day.",
    "Drivers phone the depot many times a week.",
    "The kitchen sends out countless trays a day.",
    "A translation often takes a day or two.",
    "A day or so, weather allowing, is what the ferry makes of it.",
    "On a day when the market is closed, the prices on the screen are old.",
    "Such a week is hard on everybody at the registry.",
    "The rest of a day goes into letters.",
    "The dentist meets many anxious patients in the course of a week.",
    "The tide tables change from one day to the next.",
    "A missing stamp costs a day, and tempers.",
    "The archive moves during a week with little traffic.",
    "Readers like to come back on another day.",
    "A day off at the mill does not stop the meters.",
    "The auditor asks how often a year the safe is counted.",
    "The crew has a day's work in front of it when the hull is opened.",
    "Customs sees numerous odd parcels an hour.",
    "The lab repeats some of its tests in another week.",
    "Guests ask a great many questions a day at the front desk.",
    "A careful reading easily saves an hour.",
    "Tenants write a few times a year about the same radiator.",
]
# Each with what is found.
BOUNDS = {
    "The claim is filed within a day.": "a day",
    "After a week the parcel goes back to the sender.": "a week",
    "A book that is a day late costs little.": "a day",
    "The vet returns by a week at the latest.": "a week",
    "Wounds are checked for a week.": "a week",
    "The permit lapses a month after the inspection.": "a month",
    "Tenants give a month's notice.": "a month",
    "The passport is a year old.": "a year",
    "Samples are kept for a full day.": "a full day",
    "Ring a day ahead.": "a day",
    "Guests cancel an hour before arrival.": "an hour",
    "The driver rests for an hour.": "an hour",
    "The blood is thrown away in a week.": "a week",
    "The warranty runs a year.": "a year",
    "The bond is held for another month.": "another month",
    "The supplier has a week to answer.": "a week",
    "Complaints come a fortnight too late.": "a fortnight",
    "An appeal is lodged within a working day or two.": "a working day",
    "The loan is extended by a quarter.": "a quarter",
    "The seal is renewed every year and a day.": "a day",
    "The delay of a day is forgiven.": "a day",
    "Feed is ordered only once a week.": "a week",
    "A cheque is good for a year or so.": "a year",
    "The repair takes a week longer.": "a week",
}


@pytest.mark.parametrize("text", LOOSE)
def test_rates_and_vague_spans_are_no_numbers(text: str) -> None:
    assert find_deciding_words(text, "number") == []


@pytest.mark.parametrize(("text", "period"), BOUNDS.items())
def test_what_bounds_or_measures_is_a_number(text: str, period: str) -> None:
    assert period in find_deciding_words(text, "number")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The dressing is changed three times a day.", ["three"]),
        ("Twice a week the vet looks in.", ["twice"]),
        ("The dose is given four times in a day, a week long.", ["four", "a week"]),
        ("It takes a day or two, and never a day more than that.", ["a day"]),
        ("Dozens of calls a day come in.", ["dozens"]),
    ],
)
def test_the_count_of_a_rate_is_a_number_still(text: str, found: list[str]) -> None:
    assert find_deciding_words(text, "number") == found
