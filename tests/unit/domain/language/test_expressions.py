from __future__ import annotations

import pytest

from sopforge.language.domain.expressions.expressions import (
    Expression,
    collect_named_constants,
    collect_read_fields,
)
from tests.worlds.small_models import claims, condition, parcel

PARCEL = parcel()
CLAIMS = claims()


@pytest.mark.parametrize(
    ("expression", "names"),
    [
        (condition(PARCEL, "weight > free_weight and weight < 9"), {"free_weight"}),
        (condition(PARCEL, "weight > 1"), set()),
    ],
    ids=["a constant and a number", "a number alone"],
)
def test_constants_are_named_where_the_text_names_them(
    expression: Expression, names: set[str]
) -> None:
    assert collect_named_constants(expression) == names


def test_a_calendar_is_named_like_a_constant() -> None:
    (name,) = CLAIMS.calendars
    text = f"workdays_between(trip_end, date_of(handed_in_at), {name}) > 1"
    assert collect_named_constants(condition(CLAIMS, text)) == {name}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("weight > 1 or fragile", {"weight", "fragile"}),
        ("present(due_on)", {"due_on"}),
        ("weight > free_weight", {"weight"}),
    ],
    ids=["values", "presence", "no constant"],
)
def test_fields_are_read_by_value_or_by_presence(text: str, names: set[str]) -> None:
    assert collect_read_fields(condition(PARCEL, text)) == names


def test_a_list_is_read_as_a_field() -> None:
    assert collect_read_fields(condition(CLAIMS, "any(line.has_receipt for line in lines)")) == {
        "lines"
    }
