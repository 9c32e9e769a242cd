from __future__ import annotations

from sopforge.domain.language.expressions import AllOf, AnyOf, Expression, Not
from sopforge.logic.english import english
from sopforge.solving.conjunctions import conjuncts, disjuncts, folded, simplified
from sopforge.solving.unfolding import FALSE, TRUE
from tests.worlds.small_models import condition, parcel

MODEL = parcel()
HEAVY, FRAGILE, LIGHT = (
    condition(MODEL, text) for text in ("weight > 20.00", "fragile", "weight < 3.00")
)


def words(parts: list[Expression]) -> list[str]:
    return [english(part, MODEL.fields) for part in parts]


def test_conditions_that_hold_together_are_told_apart_in_order() -> None:
    nested = AllOf((AllOf((HEAVY, TRUE)), Not(AnyOf((FRAGILE, Not(LIGHT))))))

    assert conjuncts(nested) == [HEAVY, Not(FRAGILE), LIGHT]
    assert conjuncts(TRUE) == []
    assert conjuncts(AllOf((HEAVY, Not(TRUE)))) == [FALSE]


def test_parts_that_appear_when_constants_are_left_out_are_told_apart_too() -> None:
    """What is left of "one of them and light, or never" is "light and heavy"."""
    assert conjuncts(AnyOf((AllOf((LIGHT, HEAVY)), FALSE))) == [LIGHT, HEAVY]


def test_each_way_to_hold_is_a_case() -> None:
    assert list(disjuncts(AnyOf((AnyOf((HEAVY, FALSE)), FRAGILE)))) == [HEAVY, FRAGILE]


def test_constants_are_left_out_and_the_rest_stays_as_it_is() -> None:
    plain = AnyOf((HEAVY, FRAGILE))

    assert simplified(plain) is plain
    assert simplified(AnyOf((HEAVY, Not(TRUE)))) == HEAVY
    assert simplified(AnyOf((HEAVY, TRUE))) == TRUE
    assert simplified(Not(AllOf((FALSE, HEAVY)))) == TRUE
    assert simplified(AllOf((TRUE, TRUE))) == TRUE


def test_numbers_that_are_worked_out_of_numbers_are_written_out() -> None:
    found = folded(condition(MODEL, "weight > 20.00 + 1.50"))

    assert words([found]) == ["the weight is more than 21.50 kg"]
    assert folded(FRAGILE) is FRAGILE
