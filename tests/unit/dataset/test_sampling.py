from __future__ import annotations

import re

import pytest

from sopforge.dataset.sampling import sample_row
from sopforge.domain.types import Value
from tests.small_models import day, parcel


def column(name: str, *changes: tuple[str, str], rows: int = 2_000) -> list[Value | None]:
    """Return the values of one field in the first rows."""
    model = parcel(*changes)
    return [sample_row(model, 11, attempt)[name] for attempt in range(rows)]


def test_numbers_reach_both_ends_of_their_range_and_never_leave_it() -> None:
    weights = column("weight", ("min: 0.00, max: 40.00", "min: 1.00, max: 1.09"))

    assert set(weights) == set(range(100, 110))


def test_dates_lie_between_their_bounds() -> None:
    days = [found for found in column("sent_on") if isinstance(found, int)]

    assert (min(days), max(days)) == (day("2026-01-01"), day("2026-03-31"))


@pytest.mark.parametrize(
    ("share", "low", "high"),
    [
        pytest.param(0, 0, 0, id="never"),
        pytest.param(100, 2_000, 2_000, id="always"),
        pytest.param(40, 720, 880, id="two in five"),
    ],
)
def test_the_missing_share_says_how_often_a_value_is_missing(
    share: int, low: int, high: int
) -> None:
    days = column("due_on", ("missing_share: 40", f"missing_share: {share}"))

    assert low <= days.count(None) <= high


@pytest.mark.parametrize(("share", "value"), [(0, 0), (100, 1)], ids=["never", "always"])
def test_the_share_of_yes_is_kept(share: int, value: int) -> None:
    flags = column("fragile", ("type: boolean,", f"type: boolean, yes_share: {share},"))

    assert set(flags) == {value}


@pytest.mark.parametrize(("share", "bits"), [(0, 0), (100, 0b111)], ids=["never", "always"])
def test_the_share_of_members_is_kept(share: int, bits: int) -> None:
    old = "empty: nothing listed"
    sets = column("contents", (old, f"{old}, member_share: {share}"))

    assert set(sets) == {bits}


def test_members_are_drawn_apart_from_each_other() -> None:
    assert set(column("contents")) == set(range(8))


def test_labels_are_drawn_by_their_weights() -> None:
    services = column(
        "service", ("[Standard, Express, Night]", "[Standard, Express, Night], weights: [3, 0, 1]")
    )

    assert services.count(1) == 0
    assert 1_400 <= services.count(0) <= 1_600


def test_unique_texts_are_all_different_and_of_their_pattern() -> None:
    numbers = column("parcel_id")

    assert len(set(numbers)) == 2_000
    assert all(re.fullmatch(r"PX[0-9]{5}", str(number)) for number in numbers)


def test_values_of_a_pool_come_from_the_pool() -> None:
    slips = column("slip_number", ('pattern: "S-[0-9]{4}"', "pool: [North, South]"))

    assert set(slips) == {"North", "South"}


def test_a_row_holds_what_is_drawn_and_nothing_that_is_worked_out() -> None:
    assert set(sample_row(parcel(), 11, 0)) == {
        *("parcel_id", "weight", "fragile", "sent_on", "contents"),
        *("service", "due_on", "slip_number", "colour"),
    }
