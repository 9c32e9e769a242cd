from __future__ import annotations

import pytest

from sopforge.domain.language.expressions import Expression
from sopforge.domain.parsing import parse_condition
from sopforge.logic.phrasing.shape import compute_shape
from tests.generators.english import SCOPE


def read(text: str) -> Expression:
    return parse_condition(text, SCOPE)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param("weight > 1.5", "weight > fee", id="a constant and its figure"),
        pytest.param("not (score > 3)", "score <= 3", id="a denied comparison"),
        pytest.param("urgent and consent", "consent and urgent", id="the order of conditions"),
        pytest.param(
            "urgent and (consent and fragile)", "urgent and consent and fragile", id="groups"
        ),
    ],
)
def test_one_meaning_has_one_shape(first: str, second: str) -> None:
    assert compute_shape(read(first)) == compute_shape(read(second))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param("score > 3", "score >= 3", id="relation"),
        pytest.param("score > 3", "score > 4", id="threshold"),
        pytest.param("score > 3", "tier > 3", id="field"),
        pytest.param("urgent and consent", "urgent or consent", id="joined otherwise"),
        pytest.param("speed == 'Slow'", "speed != 'Slow'", id="label"),
        pytest.param("round(weight, 1) > 3", "round(weight, 0) > 3", id="rounding"),
    ],
)
def test_another_meaning_has_another_shape(first: str, second: str) -> None:
    assert compute_shape(read(first)) != compute_shape(read(second))
