"""Measures of what a step knows: of each kind, with the unit and the words of what they measure."""

from __future__ import annotations

from sopforge.artifacts.complexity.trade.side_measures import Measure, iterate_measures
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import NumberType
from sopforge.language.english.words import phrase_expression
from sopforge.language.logic.readings.scalar import evaluate
from tests.worlds.small_models import judged

EUR = {"role": "observed", "type": "number", "places": 2, "min": 0.0, "max": 900.0, "unit": "EUR"}
COST = {**EUR, "max": 400.0, "description": "what it costs"}
PRICE = {**EUR, "description": "what is paid for it"}
DAY = {"role": "observed", "type": "date", "min": "2025-01-01", "max": "2025-12-31"}
MODEL = judged(
    {
        "price": PRICE,
        "cost": COST,
        "ordered_on": {**DAY, "label": "day of the order", "description": "day of the order"},
        "sent_on": {**DAY, "label": "day of dispatch", "description": "day of dispatch"},
        "age": {"role": "observed", "type": "integer", "min": 0, "max": 9, "unit": "years",
                "description": "age"},
    },
    {
        "R1": ("price > 100 and cost > 50 and age > 3 and price > cost", "good"),
        "R2": ("ordered_on > sent_on", "fair"),
    },
)  # fmt: skip


def measure(model: DomainModel, seed: int = 3) -> list[Measure]:
    def is_free(name: str, label: str) -> bool:
        return name != "price_margin" and bool(label)

    return list(iterate_measures(model, ["result"], is_free, seed))


def test_there_are_differences_shares_and_spans_in_turn() -> None:
    found = measure(MODEL)
    said = [phrase_expression(item.value, MODEL.fields) for item in found]

    assert said[0] == "the price minus the cost"
    assert "percent of the" in said[1]
    assert said[2] == "the number of days from the day of the order to the day of dispatch"
    assert {item.beside for item in found} == {"result"}
    assert len(set(said)) == len(said)


def test_names_that_are_taken_are_left_out() -> None:
    assert "price_margin" not in {item.item.name for item in measure(MODEL)}


def test_a_measure_has_the_unit_and_the_words_of_what_it_is_of() -> None:
    units = {
        item.item.name: item.item.type.unit
        for item in measure(MODEL)
        if isinstance(item.item.type, NumberType)
    }
    described = " ".join(item.item.description for item in measure(MODEL))

    assert set(units.values()) == {"EUR", "days"}
    assert "{" not in described
    assert "day of the order" in described


def test_a_share_is_rounded_to_the_places_of_the_whole() -> None:
    row = {"price": 10_005, "cost": 30_001, "ordered_on": 1, "sent_on": 1, "age": 1}
    for item in measure(MODEL):
        words = phrase_expression(item.value, MODEL.fields)
        if "percent" in words:
            percentage = int(words.split(" percent")[0].rpartition(" ")[2])
            whole = row["price"] if "price" in words else row["cost"]
            # In cents; a half is rounded up.
            assert evaluate(item.value, row) == (whole * percentage + 50) // 100


def test_what_the_model_works_out_itself_is_not_measured_again() -> None:
    difference = {"role": "derived", "type": "number", "places": 2, "min": -900.0, "max": 900.0,
                  "unit": "EUR", "description": "profit"}  # fmt: skip
    model = judged(
        {"price": PRICE, "cost": COST, "profit": difference},
        {"R1": ("price > 100 and cost > 50 and profit > 5", "good")},
        formulas={"profit": "price - cost"},
    )

    said = [phrase_expression(item.value, model.fields) for item in measure(model)]
    assert "the price minus the cost" not in said
