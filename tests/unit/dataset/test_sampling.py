from __future__ import annotations

import re
from collections import Counter

import pytest

from sopforge.dataset.sampling import sample_row
from sopforge.domain.types import Value, items_of
from tests.small_models import claims, day, minute, parcel


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


CLAIMS = claims()
ROWS = [sample_row(CLAIMS, 11, attempt) for attempt in range(5_000)]


def claimed(name: str) -> list[Value]:
    values = (found[name] for found in ROWS)
    return [value for value in values if value is not None]


def share(values: list[Value], low: int, high: int) -> float:
    inside = [low <= found <= high for found in values if isinstance(found, int)]
    return sum(inside) / len(inside)


def test_times_lie_between_their_bounds_and_reach_all_hours() -> None:
    times = [found for found in claimed("handed_in_at") if isinstance(found, int)]

    assert min(times) >= minute("2026-01-05 00:00")
    assert max(times) <= minute("2026-06-30 23:59")
    assert {found // 60 % 24 for found in times} == set(range(24))
    assert len({found // 1_440 for found in times}) == 177


def test_the_typical_range_has_its_share() -> None:
    days = claimed("trip_end")

    # 90 of 100 are typical; of the rest, 120 of 212 days fall into the typical range as well.
    assert share(days, day("2026-01-01"), day("2026-04-30")) == pytest.approx(0.957, abs=0.02)
    assert share(days, day("2025-12-01"), day("2026-06-30")) == 1.0


@pytest.mark.parametrize("percent", [0, 30, 100])
def test_the_typical_share_is_kept_as_written(percent: int) -> None:
    model = claims(("max: 2026-04-30, share: 90}", f"max: 2026-01-01, share: {percent}}}"))
    days = [sample_row(model, 11, attempt)["trip_end"] for attempt in range(5_000)]

    typical = days.count(day("2026-01-01")) / len(days)
    assert typical == pytest.approx(percent / 100, abs=0.02)


def test_items_are_typical_too() -> None:
    amounts = [item["amount"] for items in claimed("lines") for item in items_of(items)]

    # 85 of 100 are typical; of the rest, 8,001 of 60,000 amounts are so by chance.
    typical = sum(1_000 <= int(amount) <= 9_000 for amount in amounts) / len(amounts)
    assert typical == pytest.approx(0.85 + 0.15 * 8_001 / 60_000, abs=0.02)


def test_lists_have_all_lengths_alike() -> None:
    lengths = Counter(len(items_of(items)) for items in claimed("lines"))

    assert set(lengths) == {0, 1, 2, 3, 4}
    assert all(count / 5_000 == pytest.approx(0.2, abs=0.02) for count in lengths.values())


def test_items_hold_their_fields_and_are_drawn_apart() -> None:
    items = [item for found in claimed("lines") for item in items_of(found)]
    receipts = sum(int(item["has_receipt"]) for item in items) / len(items)
    pairs = [items_of(found)[:2] for found in claimed("lines") if len(items_of(found)) > 1]

    assert {tuple(item) for item in items} == {("kind", "amount", "has_receipt", "extras")}
    assert {item["kind"] for item in items} == {0, 1, 2}
    assert {item["extras"] for item in items} == {0, 1, 2, 3}
    assert receipts == pytest.approx(0.85, abs=0.02)
    assert sum(a == b for a, b in pairs) < len(pairs) / 20


def test_a_list_may_be_missing_beside_being_empty() -> None:
    found = [row["earlier_claims"] for row in ROWS]

    assert found.count(None) / len(found) == pytest.approx(0.1, abs=0.02)
    assert found.count(()) / len(found) == pytest.approx(0.9 / 4, abs=0.02)


def test_free_texts_come_from_their_list() -> None:
    assert set(claimed("note")) == {"Taxi at night, 2 of us.", "Nothing to add; thank you."}


def test_a_further_field_or_item_field_leaves_all_others_as_they_were() -> None:
    item = "            has_receipt: {role: input"
    field = "        paper_colour: {role"
    wider = claims(
        (
            item,
            "            tax: {role: input, type: integer, min: 0, max: 9, description: x}\n"
            + item,
        ),
        (field, "        stamp: {role: input, type: boolean, description: x}\n" + field),
    )

    for attempt in range(200):
        plain, other = ROWS[attempt], dict(sample_row(wider, 11, attempt))
        other.pop("stamp")
        items = items_of(other.pop("lines"))
        kept = [{name: value for name, value in item.items() if name != "tax"} for item in items]
        assert kept == list(items_of(plain["lines"]))
        assert other == {name: value for name, value in plain.items() if name != "lines"}


def test_rows_are_keyed_by_seed_and_number() -> None:
    assert sample_row(CLAIMS, 11, 77) == ROWS[77]
    assert sample_row(CLAIMS, 12, 77) != ROWS[77]
    assert len({str(row["lines"]) for row in ROWS}) > 3_500


GIVEN = '{role: input, type: string, pattern: "G[0-9]{8}", description: given}'
STORED = '{role: secret, type: string, pattern: "G[0-9]{8}", description: stored}'
TWO_NUMBERS = (
    "        weight: {",
    f"        given: {GIVEN}\n        stored: {STORED}\n        weight: {{",
)


def test_fields_that_a_constraint_calls_equal_are_drawn_as_one() -> None:
    model = parcel(
        TWO_NUMBERS, ("  decisions:\n", "  constraints: [stored == given]\n  decisions:\n")
    )
    rows = [sample_row(model, 11, attempt) for attempt in range(50)]

    assert all(row["given"] == row["stored"] for row in rows)
    assert len({row["given"] for row in rows}) == 50


def test_fields_of_one_pattern_are_drawn_apart_otherwise() -> None:
    model = parcel(TWO_NUMBERS)
    rows = [sample_row(model, 11, attempt) for attempt in range(50)]

    assert not any(row["given"] == row["stored"] for row in rows)
