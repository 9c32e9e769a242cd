"""A unit with two spellings in a brief is one unit, so that rules may compare both."""

from __future__ import annotations

from sopforge.language.domain.rules import Table
from sopforge.language.domain.values.types import NumberType
from sopforge.language.english.words import phrase_expression
from tests.unit.domain.minimal_brief import read_model

PRICE = "price: {role: input, type: number, places: 2, min: 0.00, max: 500.00, description: price}"
TWO = f"""{PRICE.replace("places", "unit: hour, places")}
        rest: {{role: input, type: integer, min: 0, max: 9, unit: hours, description: rest}}
        wait: {{role: input, type: integer, min: 0, max: 9, unit: day, description: wait}}"""
RULE = ("when: age <= return_days", "when: price >= 5 and rest < 3 and wait > 1")


def test_the_longer_spelling_stands_for_both() -> None:
    fields = read_model((PRICE, TWO)).fields

    kinds = [fields[name].type for name in ("price", "rest", "wait")]
    assert [kind.unit for kind in kinds if isinstance(kind, NumberType)] == [
        "hours",
        "hours",
        "days",
    ]


def test_rules_say_each_figure_with_its_unit() -> None:
    model = read_model((PRICE, TWO), RULE)
    refund = model.decisions["refund"]

    assert isinstance(refund, Table)
    assert refund.rules[0].when is not None
    assert phrase_expression(refund.rules[0].when, model.fields) == (
        "the price is at least 5 hours, the rest is less than 3 hours,"
        " and the wait is more than 1 day"
    )
