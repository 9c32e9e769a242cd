from __future__ import annotations

from sopforge.language.domain.expressions.expressions import AllOf, AnyOf, Expression, Not
from sopforge.language.english.words import phrase_expression
from sopforge.proof.solving.conjunctions import (
    fold_comparison,
    iterate_disjuncts,
    list_conjuncts,
)
from sopforge.proof.solving.unfolding import FALSE, TRUE
from tests.worlds.small_models import condition, parcel

MODEL = parcel()
HEAVY, FRAGILE, LIGHT = (
    condition(MODEL, text) for text in ("weight > 20.00", "fragile", "weight < 3.00")
)


def words(parts: list[Expression]) -> list[str]:
    return [phrase_expression(part, MODEL.fields) for part in parts]


def test_conditions_that_hold_together_are_split_in_order() -> None:
    nested = AllOf((AllOf((HEAVY, TRUE)), Not(AnyOf((FRAGILE, Not(LIGHT))))))

    assert list_conjuncts(nested) == [HEAVY, Not(FRAGILE), LIGHT]
    assert list_conjuncts(TRUE) == []
    assert list_conjuncts(AllOf((HEAVY, Not(TRUE)))) == [FALSE]


def test_parts_that_appear_when_constants_are_left_out_are_split_too() -> None:
    """What is left of "one of them and light, or never" is "light and heavy"."""
    assert list_conjuncts(AnyOf((AllOf((LIGHT, HEAVY)), FALSE))) == [LIGHT, HEAVY]


def test_each_alternative_is_a_case() -> None:
    assert list(iterate_disjuncts(AnyOf((AnyOf((HEAVY, FALSE)), FRAGILE)))) == [HEAVY, FRAGILE]


def test_constants_are_left_out_and_the_rest_stays_as_it_is() -> None:
    plain = AnyOf((HEAVY, FRAGILE))

    assert list_conjuncts(plain)[0] is plain
    assert list_conjuncts(AnyOf((HEAVY, Not(TRUE)))) == [HEAVY]
    assert list_conjuncts(AnyOf((HEAVY, TRUE))) == []
    assert list_conjuncts(Not(AllOf((FALSE, HEAVY)))) == []
    assert list_conjuncts(AllOf((TRUE, TRUE))) == []


def test_numbers_that_are_worked_out_of_numbers_are_written_out() -> None:
    found = fold_comparison(condition(MODEL, "weight > 20.00 + 1.50"))

    assert words([found]) == ["the weight is more than 21.50 kg"]
    assert fold_comparison(FRAGILE) is FRAGILE
