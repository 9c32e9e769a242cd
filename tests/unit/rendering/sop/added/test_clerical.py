"""Clerical passages are known by their words, and ask for office work alone."""

from __future__ import annotations

import re

import pytest

from sopforge.rendering.sop.added.clerical import is_clerical, phrase_deed_after, phrase_deed_if
from sopforge.rendering.sop.added.clerical_deeds import DEEDS, DEEDS_AFTER_CALLS

CONDITION = 'the cause of loss is "Hail"'


def fill(deed: str) -> str:
    return re.sub(r"\{\w+\}", "order form", deed)


@pytest.mark.parametrize("deed", DEEDS)
@pytest.mark.parametrize("is_first", [True, False])
def test_each_deed_under_a_condition_is_known_again(deed: str, *, is_first: bool) -> None:
    assert is_clerical(phrase_deed_if(CONDITION, fill(deed), is_first=is_first))


@pytest.mark.parametrize("deed", DEEDS_AFTER_CALLS)
def test_each_deed_after_a_call_is_known_again(deed: str) -> None:
    assert is_clerical(phrase_deed_after("readPolicy", fill(deed)))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"If {CONDITION}, refuse the claim.", id="another deed"),
        pytest.param(
            f"If {CONDITION}, refuse the claim, note this on the cover of the case file.",
            id="another deed before it",
        ),
        pytest.param(
            f"If {CONDITION}, note this on the cover of the case file and refuse the claim.",
            id="another deed after it",
        ),
        pytest.param(
            f"Note this on the cover of the case file if {CONDITION}. Refuse the claim.",
            id="another sentence",
        ),
        pytest.param(
            'If it is so, write the result "refused" on the front of the order form.', id="a label"
        ),
        pytest.param("Once readPolicy has returned, go to step 6.2.", id="a step"),
        pytest.param(
            "Once readPolicy has returned, note the time in the case file. Pay.", id="then a step"
        ),
    ],
)
def test_what_asks_for_more_is_not_clerical(text: str) -> None:
    assert not is_clerical(text)


def test_an_amount_with_places_is_a_condition() -> None:
    said = phrase_deed_if("the fee is more than 2.50 EUR", fill(DEEDS[0]), is_first=True)

    assert is_clerical(said)
    assert not is_clerical(said.replace("2.50 EUR", "2.50 EUR. Pay it"))
