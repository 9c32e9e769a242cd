"""The SOP of a domain with every feature: lists, calendars, hit policies, bounded ways back."""

from __future__ import annotations

import pytest

from sopforge.rendering.sop import render_sop
from tests.small_models import claims

LINES = render_sop(claims(), "").as_text().splitlines()


@pytest.mark.parametrize(
    "sentence",
    [
        pytest.param(
            "The task states the following entries. A list stands in brackets as JSON, and is given"
            " to a tool in this form.",
            id="form of lists",
        ),
        pytest.param(
            "- lines (lines of the claim): what was spent, each with kind, amount, has_receipt,"
            ' extras; "no line" if there is none.',
            id="list",
        ),
        pytest.param(
            "Call the tool findClaimant with claim_id, lines, handed_in_at, signed_by. It returns"
            ' grade, region, line_manager, earlier_claims, "no earlier claim" if there is none,'
            ' "file not found" if it is missing.',
            id="a list that may be missing",
        ),
        pytest.param(
            "Working days are Mondays to Fridays, without the holidays of their calendar.",
            id="working days",
        ),
        pytest.param(
            "Holidays of the calendar office (days on which the office is closed): 2026-01-01,"
            " 2026-01-17, 2026-04-03, 2026-04-06, 2026-05-01.",
            id="holidays",
        ),
        pytest.param(
            "Determine the risk (risk). Check every one of these rules. The result is the sum over"
            " all rules that apply.",
            id="collected rules",
        ),
        pytest.param(
            "Determine the review (way_of_review). Several of these rules may apply; they then"
            " agree.",
            id="rules that agree",
        ),
        pytest.param(
            'If the frozen account is "yes" or (for at least one entry in the lines of the claim'
            " for which (the entry's amount is more than 50 USD), the entry's has receipt is"
            ' "no"), go to step 3.5 (Ask for receipts). Do so 2 times at most; after that, go to'
            " step 3.9 (Send the claim back) instead.",
            id="way back",
        ),
        pytest.param(
            "- payClaim checks that the pin is the same as the code on file, or refuses:"
            " wrong_code.",
            id="a guard that reads the record",
        ),
    ],
)
def test_the_text_states_it(sentence: str) -> None:
    assert sentence in LINES


def test_calendars_stand_there_only_if_they_are_used() -> None:
    model = claims(
        (
            "workdays_between(trip_end, date_of(handed_in_at), office)",
            "days_between(trip_end, date_of(handed_in_at))",
        )
    )
    text = render_sop(model, "").as_text()

    assert "oliday" not in text
    assert "A number of days from one date to another does not count the first day." in text


def test_minutes_say_nothing_about_days() -> None:
    model = claims(
        ("workdays_between(trip_end, date_of(handed_in_at), office)", "count(i for i in lines)"),
        ("takes: [trip_end, handed_in_at]", "takes: [trip_end, lines]"),
    )

    assert "does not count the first day" not in render_sop(model, "").as_text()
