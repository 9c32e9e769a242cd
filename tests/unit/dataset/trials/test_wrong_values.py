"""What is given by mistake in the place of a value."""

from __future__ import annotations

from dataclasses import replace

from sopforge.language.domain.values.types import DateType
from sopforge.proof.dataset.trials.wrong_values import list_wrong_values
from tests.worlds.small_models import parcel


def test_a_date_from_the_first_day_of_all_has_wrong_values_beyond_its_end() -> None:
    # Day 1 is 0001-01-01, before which there is none.
    field = replace(parcel().fields["sent_on"], type=DateType(1, 100))

    found = list_wrong_values(field, "0001-02-01")

    # Day 101 is the eleventh of April.
    assert {"0001-04-11", "2026-02-30", "2026-13-01"} <= {str(value) for value in found}
