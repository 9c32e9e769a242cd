"""What a number of a rule is written in beside other ones, and what the entries of lists are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sopforge.domain.language.expressions import Aggregate, Compare, Element
from sopforge.english.words import phrase_expression
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
