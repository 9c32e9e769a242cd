"""What the scalar reading says of rows that lack a value; all else is compared with a reference."""

from __future__ import annotations

from sopforge.language.logic.readings.scalar import holds
from tests.worlds.small_models import condition, parcel, row

MODEL = parcel()


def test_a_missing_value_does_not_stop_the_other_operand() -> None:
    assert not holds(condition(MODEL, "present(due_on) and due_on < sent_on"), row(due_on=None))


def test_a_field_that_is_not_in_the_row_is_missing() -> None:
    assert not holds(condition(MODEL, "present(due_on)"), {})


def test_no_condition_always_holds() -> None:
    assert holds(None, {})
