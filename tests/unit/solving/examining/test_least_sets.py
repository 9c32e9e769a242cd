"""Least sets of facts on the parcel, whose ranges are known; each fact of a set is needed."""

from __future__ import annotations

from itertools import combinations

import pytest

from sopforge.language.domain.expressions.expressions import Read
from sopforge.language.logic.variants.substitution import Substitution
from sopforge.proof.solving.examining.least_sets import Budget, Fact, Order, find_least_set
from sopforge.proof.solving.naming import Naming, unfold_with_names
from sopforge.proof.solving.unfolding import TRUE
from tests.worlds.small_models import condition, orders, parcel

PARCEL = parcel()
NAMING = unfold_with_names(PARCEL)


def facts(*texts: str) -> list[Fact]:
    return [Fact(condition(PARCEL, text), text) for text in texts]


def test_only_what_contradicts_is_named_and_in_the_given_order() -> None:
    given = facts("fragile", "weight > 3.00", "service == 'Express'", "weight < 2.00")

    assert find_least_set(PARCEL, NAMING, given) == ("weight > 3.00", "weight < 2.00")


def test_of_two_reasons_the_order_says_which_stays() -> None:
    """The first of two spare facts is left out, and ranges before given ones by default."""
    given = facts("weight > 90.00", "weight < 50.00", "weight > 80.00")
    outside = facts("weight < 0.00", "weight > 5.00")

    assert find_least_set(PARCEL, NAMING, given) == ("weight < 50.00", "weight > 80.00")
    assert find_least_set(PARCEL, NAMING, outside) == ("weight < 0.00", "weight > 5.00")
    assert find_least_set(PARCEL, NAMING, outside, Order.GIVEN_FIRST) == (
        "weight < 0.00",
        "the weight is from 0.00 to 40.00 kg",
    )


def test_what_does_not_contradict_has_no_least_set() -> None:
    assert find_least_set(PARCEL, NAMING, facts("weight > 3.00", "fragile")) == ()


def test_without_budget_there_is_no_proof_in_parts() -> None:
    assert find_least_set(PARCEL, NAMING, facts("weight < 0.00"), budget=Budget(0)) == ()
    assert find_least_set(PARCEL, NAMING, facts("weight < 0.00"), budget=Budget(1)) == ()


@pytest.mark.parametrize("order", Order)
def test_no_fact_of_a_least_set_can_be_spared(order: Order) -> None:
    texts = ("weight > 3.00", "weight < 9.00", "fragile", "weight > 10.00", "not fragile")
    by_words = {fact.words: fact for fact in facts(*texts)}

    found = [by_words[words] for words in find_least_set(PARCEL, NAMING, facts(*texts), order)]

    assert found
    for fewer in combinations(found, len(found) - 1):
        assert find_least_set(PARCEL, NAMING, fewer) == ()


def named(naming: Naming, target: str) -> Read:
    """Return the name that stands for a decided value after its step."""
    (value,) = {
        place.after[target].value
        for place in naming.places
        if place.step.id == "decide" and target in place.after
    }
    assert isinstance(value, Read)
    return value


def test_a_name_means_what_its_decision_says_and_nothing_else() -> None:
    """Up to 5000 USD open, the order is released: by itself, a name can be anything."""
    model = orders()
    naming = unfold_with_names(model)
    place = next(item for item in naming.places if item.step.id == "decide")
    seen = Substitution(place.after, TRUE)
    held = Fact(seen.apply_to(condition(model, "release == 'held'")), "held")
    low = Fact(condition(model, "open_amount + amount <= 4000"), "low")

    assert named(naming, "release").field.startswith("release@")
    assert find_least_set(model, naming, [held, low]) == (
        *("held", "low"),
        "rules R1, R2 and R3 decide on the release",
    )
    assert find_least_set(model, naming, [held]) == ()
