"""What is known of a field stands in its place, where its value and where its presence is asked."""

from __future__ import annotations

from sopforge.language.domain.expressions.expressions import AllOf, Constant, Expression
from sopforge.language.domain.values.types import BOOLEAN
from sopforge.language.logic.variants.substitution import Replacement, Substitution
from tests.worlds.small_models import condition, parcel, value

MODEL = parcel()
ALWAYS = Constant(BOOLEAN, 1)
DAY = value(MODEL, "'2026-02-01'", "due_on")


def replaced(text: str, known: Replacement) -> Expression:
    """Return a condition with what is known of the due date in its place."""
    return Substitution({"due_on": known}, ALWAYS).apply_to(condition(MODEL, text))


def test_a_field_is_replaced_where_its_value_is_read() -> None:
    expected = {
        "sent_on < due_on": "sent_on < '2026-02-01'",
        "fragile or sent_on > due_on": "fragile or sent_on > '2026-02-01'",
        "sent_on > '2026-03-01'": "sent_on > '2026-03-01'",
    }

    for text, other in expected.items():
        assert replaced(text, Replacement(DAY)) == condition(MODEL, other)


def test_what_has_no_condition_is_always_present() -> None:
    assert replaced("present(due_on)", Replacement(DAY)) == ALWAYS


def test_what_has_a_condition_is_present_under_it() -> None:
    fragile = condition(MODEL, "fragile")
    assert replaced("present(due_on)", Replacement(DAY, fragile)) == fragile


def test_what_reads_none_of_the_fields_is_the_same_object() -> None:
    other = condition(MODEL, "fragile or weight > 3")
    assert Substitution({"due_on": Replacement(DAY)}, ALWAYS).apply_to(other) is other


def test_a_condition_may_lie_deeper_than_python_calls_go() -> None:
    deep = condition(MODEL, "sent_on < due_on")
    for _ in range(5_000):
        deep = AllOf((deep, ALWAYS))
    found = Substitution({"due_on": Replacement(DAY)}, ALWAYS).apply_to(deep)
    while isinstance(found, AllOf):
        found = found.operands[0]
    assert found == condition(MODEL, "sent_on < '2026-02-01'")
