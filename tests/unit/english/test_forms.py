"""What a number of a rule is written in beside other ones, and what the entries of lists are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sopforge.language.domain.expressions.expressions import Aggregate, Compare, Element
from sopforge.language.english.words import load_words, phrase_expression
from tests.worlds.small_models import condition, judged

MARKS = {"role": "observed", "type": "integer", "min": 1, "max": 900, "unit": "marks"}
MODEL = judged(
    {
        "agreed": {**MARKS, "description": "marks agreed upon"},
        "seen": {**MARKS, "description": "marks seen"},
        "hours": {**MARKS, "unit": "hours", "description": "hours of work"},
    },
    {"R1": ("agreed > 3 and seen > 3 and hours > 3", "good")},
)
WAIT = {"type": "integer", "min": 0, "max": 90, "description": "time waited"}
VISITS = {"role": "observed", "type": "list", "size": 3, "empty": "no visit"}
LISTED = judged(
    {"visits": {**VISITS, "description": "visits so far", "items": {"wait": WAIT}}},
    {"R1": ("any(visit.wait > 3 for visit in visits)", "good")},
)


@pytest.mark.parametrize(
    ("divided", "figure"),
    [("agreed / seen", "0.75"), ("agreed / hours", "0.75 marks")],
    ids=["marks of marks", "marks an hour"],
)
def test_a_quotient_of_one_unit_has_none(divided: str, figure: str) -> None:
    said = phrase_expression(condition(MODEL, f"round({divided}, 2) < 0.75"), MODEL.fields)

    assert said.endswith(f"less than {figure}")


def test_the_bound_of_a_share_has_no_unit() -> None:
    share = condition(MODEL, "min(round(agreed / seen, 2), 1) < 0.75")

    assert "but at most 1) is" in phrase_expression(share, MODEL.fields)


def test_a_list_at_a_moment_and_one_that_is_unknown_are_said() -> None:
    """What a proof asks may read a list as it is at one of several moments."""
    asked = condition(LISTED, "any(visit.wait > 3 for visit in visits)")
    assert isinstance(asked, Aggregate)
    assert isinstance(asked.value, Compare)
    assert isinstance(asked.value.left, Element)
    wait = replace(asked.value.left, list="visits@2")
    later = replace(asked, list="visits@2", value=replace(asked.value, left=wait))
    fields = {**LISTED.fields, "visits@2": LISTED.fields["visits"]}

    assert phrase_expression(later, fields) == phrase_expression(asked, LISTED.fields)
    assert "`" not in phrase_expression(later, fields)
    assert "entry.wait > 3" in phrase_expression(asked, {})


DAY = {"role": "input", "type": "date", "min": "2026-01-01", "max": "2026-12-31"}
DAYS = judged(
    {
        "moved": {**DAY, "description": "day of the move", "label": "move"},
        "bought": {**DAY, "description": "day of the purchase", "label": "purchase"},
        "span": {**MARKS, "max": 36, "unit": "months", "description": "months looked back on"},
        "rate": {**MARKS, "max": 90, "unit": "percent", "description": "discount"},
        "price": {**MARKS, "unit": "EUR", "description": "price"},
    },
    {"R1": ("moved > bought and span > 3 and rate > 3 and price > 3", "good")},
)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("add_months(moved, -span) <= bought", "the move minus the span (in months) is on or"),
        ("add_days(moved, -span) > bought", "the move minus the span (in days) is after"),
        ("price * (100 - rate) / 100 > 5", "the price reduced by the rate is more than 5 EUR"),
        ("price * (100 + rate) / 100 > 5", "the price increased by the rate is more than 5 EUR"),
        (
            "round(price * (100 + rate) / 100, 0) > 5",
            "(the price increased by the rate, rounded to a whole number) is more than 5 EUR",
        ),
    ],
)
def test_no_number_is_said_by_what_it_is_worked_out_with(rule: str, words: str) -> None:
    said = phrase_expression(condition(DAYS, rule), DAYS.fields)

    assert said.startswith(words)


def test_a_limit_that_is_taken_off_a_day_is_so_long_before_it() -> None:
    """The limit is read as the number that it is, with a minus before it."""
    english = load_words(DAYS.fields).english
    move, months = ("field", "move"), ("number", "24", "months", "lookback")

    moved = english.lexicon.forms.move_day("add_months", move, ("negative", months))
    assert moved == ("earlier", move, "24", "months")
