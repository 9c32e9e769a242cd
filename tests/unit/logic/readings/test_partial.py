from __future__ import annotations

import pytest

from sopforge.language.domain.expressions.expressions import Constant, Lookup
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import NumberType, Value
from sopforge.language.logic.readings.partial import UNKNOWN, PartialValue, evaluate_as_known
from sopforge.language.logic.walking import collect_outcomes
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.sampling import sample_row
from sopforge.proof.solving.unfolding import TRUE, derive_outcomes, unfold
from sopforge.seeds import draw_below
from tests.worlds.small_models import claims, condition, orders, parcel, value

MODEL = parcel()


def evaluate_known(text: str, row: dict[str, Value | None]) -> PartialValue:
    return evaluate_as_known([condition(MODEL, text)], row)[0]


def test_a_condition_is_known_as_far_as_it_is_decided() -> None:
    expected = {
        "weight > 2": UNKNOWN,
        "not fragile and weight > 2": 0,
        "weight > 2 and not fragile": 0,
        "fragile and weight > 2": UNKNOWN,
        "fragile or weight > 2": 1,
        "not fragile or weight > 2": UNKNOWN,
        "not (weight > 2)": UNKNOWN,
        "present(due_on) and due_on < sent_on": 0,
    }
    known: dict[str, Value | None] = {"fragile": 1, "due_on": None}

    assert {text: evaluate_known(text, known) for text in expected} == expected


def test_an_empty_row_says_nothing_of_a_field() -> None:
    assert evaluate_known("present(due_on)", {}) is UNKNOWN


@pytest.mark.parametrize("model", [MODEL, claims(), orders()], ids=["parcel", "claims", "orders"])
def test_what_is_known_from_a_part_of_a_row_is_what_the_oracle_says(model: DomainModel) -> None:
    """Whatever part of a row is known, an outcome that is known is that of the whole row."""
    found = derive_outcomes(model, unfold(model))
    parts = [part for item in found.values() for part in (item.value, item.present or TRUE)]
    known_of_parts = 0
    for attempt in range(60):
        row = sample_row(model, 5, attempt)
        walk = label_row(model, row)
        if walk.refusal is not None or walk.undecided:
            continue
        expected = list(collect_outcomes(model, walk).values())
        assert as_values(evaluate_as_known(parts, row)) == expected
        share = 1 + draw_below(9, 5, "share", attempt)
        known = {name: row[name] for name in row if draw_below(10, 5, name, attempt) < share}
        for found_value, right in zip(
            as_values(evaluate_as_known(parts, known)), expected, strict=True
        ):
            assert found_value in {UNKNOWN, right}
            known_of_parts += found_value is not UNKNOWN
    assert known_of_parts > 10


def as_values(found: list[PartialValue]) -> list[Value | object | None]:
    pairs = zip(found[::2], found[1::2], strict=True)
    return [
        None if there == 0 else UNKNOWN if there is UNKNOWN else value for value, there in pairs
    ]


def test_a_look_up_by_what_is_unknown_is_known_where_all_entries_are_equal() -> None:
    service = value(MODEL, "service", "service")
    ones = [Constant(NumberType(0, 9), number) for number in (1, 1, 1, 2)]
    same, other = (Lookup(NumberType(0, 9), service, tuple(ones[n : n + 3])) for n in (0, 1))

    assert evaluate_as_known([same, other], {}) == [1, UNKNOWN]
    assert evaluate_as_known([other], {"service": 2}) == [2]
