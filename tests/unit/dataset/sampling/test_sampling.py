from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.patterns import read_pattern
from sopforge.language.domain.values.types import Value, list_items
from sopforge.language.logic.readings.vector import Column, Columns, join_pieces
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.proof.dataset.sampling.bulk import as_columns
from sopforge.proof.dataset.sampling.sampling import sample_columns, sample_row, sample_rows
from sopforge.seeds import make_stream
from tests.worlds.small_models import claims, day, minute, orders, parcel, stays, warranty


def column(name: str, *changes: tuple[str, str], rows: int = 2_000) -> list[Value | None]:
    """Return the values of one field in the first rows."""
    model = parcel(*changes)
    return [row[name] for row in sample_rows(model, 11, range(rows))]


def test_numbers_reach_both_ends_of_their_range_and_never_leave_it() -> None:
    weights = column("weight", ("min: 0.00, max: 40.00", "min: 1.00, max: 1.09"))

    assert set(weights) == set(range(100, 110))


@pytest.mark.parametrize(("share", "bits"), [(0, 0), (100, 0b111)], ids=["never", "always"])
def test_the_share_of_members_is_kept(share: int, bits: int) -> None:
    old = "empty: nothing listed"
    sets = column("contents", (old, f"{old}, member_share: {share}"))

    assert set(sets) == {bits}


def test_members_are_drawn_apart_from_each_other() -> None:
    assert set(column("contents")) == set(range(8))


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
ROWS = sample_rows(CLAIMS, 11, range(5_000))


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
    days = [row["trip_end"] for row in sample_rows(model, 11, range(5_000))]

    typical = days.count(day("2026-01-01")) / len(days)
    assert typical == pytest.approx(percent / 100, abs=0.02)


def test_items_are_typical_too() -> None:
    amounts = [item["amount"] for items in claimed("lines") for item in list_items(items)]

    # 85 of 100 are typical; of the rest, 8,001 of 60,000 amounts are so by chance.
    typical = sum(1_000 <= int(amount) <= 9_000 for amount in amounts) / len(amounts)
    assert typical == pytest.approx(0.85 + 0.15 * 8_001 / 60_000, abs=0.02)


def test_lists_have_all_lengths_alike() -> None:
    lengths = Counter(len(list_items(items)) for items in claimed("lines"))

    assert set(lengths) == {0, 1, 2, 3, 4}
    assert all(count / 5_000 == pytest.approx(0.2, abs=0.02) for count in lengths.values())


def test_a_shape_weighs_how_many_items_a_list_has_and_a_case_changes_it() -> None:
    old = "empty: no line"
    given = "given: [{when: pin == 'K7Q', shape: [1, 0, 0, 0, 0]}]"
    rows = sample_rows(
        claims((old, f"{old}\n          shape: [0, 0, 3, 1]\n          {given}")), 11, range(4_000)
    )
    found = Counter((row["pin"] == "K7Q", len(list_items(row["lines"] or ()))) for row in rows)

    # 0 to 4 items fall into four parts: 0; 1; 2; 3 and 4.
    assert set(found) == {(True, 0), (False, 2), (False, 3), (False, 4)}
    assert 0.72 < found[False, 2] / sum(found[False, count] for count in (2, 3, 4)) < 0.78


def test_items_are_drawn_by_what_stands_above_their_list() -> None:
    pause = "days_between(trip_end, date_of(handed_in_at))"
    model = claims(
        (
            "typical: {min: 10.00, max: 90.00, share: 85}",
            f'near: {{of: "200 + {pause}", from: 1, to: 2}}',
        ),
        (
            "values: [Meal, Hotel, Taxi]",
            "values: [Meal, Hotel, Taxi], given: [{when: pin == 'M2X', weights: [0, 1, 0]}]",
        ),
    )
    kinds: dict[Value | None, set[Value]] = {}
    for row in sample_rows(model, 11, range(500)):
        trip_end, handed_in = row["trip_end"], row["handed_in_at"]
        assert isinstance(trip_end, int)
        assert isinstance(handed_in, int)
        days = (handed_in - minute("2026-01-01 00:00")) // 1_440 + day("2026-01-01") - trip_end
        for item in list_items(row["lines"] or ()):
            assert 20_100 <= int(item["amount"]) - 100 * days <= 20_200
            kinds.setdefault(row["pin"], set()).add(item["kind"])

    assert kinds == {"K7Q": {0, 1, 2}, "M2X": {1}, "T9B": {0, 1, 2}}


def test_items_hold_their_fields_and_are_drawn_apart() -> None:
    items = [item for found in claimed("lines") for item in list_items(found)]
    receipts = sum(int(item["has_receipt"]) for item in items) / len(items)
    pairs = [list_items(found)[:2] for found in claimed("lines") if len(list_items(found)) > 1]

    assert {tuple(item) for item in items} == {("kind", "amount", "has_receipt", "extras")}
    assert {item["kind"] for item in items} == {0, 1, 2}
    assert {item["extras"] for item in items} == {0, 1, 2, 3}
    assert receipts == pytest.approx(0.85, abs=0.02)
    assert sum(a == b for a, b in pairs) < len(pairs) / 20


def test_a_list_may_be_missing_beside_being_empty() -> None:
    found = [row["earlier_claims"] for row in ROWS]

    assert found.count(None) / len(found) == pytest.approx(0.1, abs=0.02)
    assert found.count(()) / len(found) == pytest.approx(0.9 / 4, abs=0.02)


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

    for plain, other in zip(ROWS[:200], sample_rows(wider, 11, range(200)), strict=True):
        other.pop("stamp")
        items = list_items(other.pop("lines"))
        kept = [{name: value for name, value in item.items() if name != "tax"} for item in items]
        assert kept == list(list_items(plain["lines"]))
        assert other == {name: value for name, value in plain.items() if name != "lines"}


def test_rows_are_keyed_by_seed_and_number() -> None:
    assert sample_row(CLAIMS, 12, 77) != ROWS[77]
    assert len({str(row["lines"]) for row in ROWS}) > 3_500


MODELS = {
    "parcel": parcel(),
    "claims": CLAIMS,
    "orders": orders(),
    "orders of customers without a tier": orders(
        ("tier: {role: observed,", "tier: {role: observed, missing: not rated, missing_share: 30,")
    ),
    "everything": load_brief(Path(__file__).parents[3] / "domains" / "everything.yaml").model,
    "stays": stays(),
    "warranty": warranty(),
}
every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)


def parts_of(columns: Columns) -> dict[str, Column]:
    """Return all that columns hold, by name."""
    lists = {f"{name} []": items.lengths for name, items in columns.lists.items()}
    for name, items in columns.lists.items():
        lists |= {f"{name}.{part}": matrix for part, matrix in items.fields.items()}
    there = {f"{name}?": column for name, column in columns.present.items()}
    return {**columns.values, **there, **lists}


def is_same(one: Columns, other: Columns) -> bool:
    first, second = parts_of(one), parts_of(other)
    return first.keys() == second.keys() and all(
        column.dtype == second[name].dtype and np.array_equal(column, second[name])
        for name, column in first.items()
    )


@every_model
def test_columns_hold_what_their_rows_hold_one_by_one(model: DomainModel) -> None:
    """A row says what a column says, and a row alone is the row among others."""
    columns = sample_columns(model, 11, range(300))
    rows = [sample_row(model, 11, number) for number in range(300)]

    assert sample_rows(model, 11, range(300)) == rows
    assert is_same(as_columns(model, rows), columns)


@every_model
@pytest.mark.parametrize("size", [1, 7, 40_000])
def test_rows_do_not_depend_on_the_pieces_that_they_are_drawn_in(
    model: DomainModel, size: int
) -> None:
    """Also of more rows than are drawn at a time, and of rows of far higher numbers."""
    near = np.arange(99) if size < 100 else np.arange(20_000)
    numbers = np.concatenate([near, (1 << 40) + np.arange(10)])
    whole = sample_columns(model, 11, numbers)
    pieces = [numbers[start : start + size] for start in range(0, len(numbers), size)]

    assert is_same(join_pieces([sample_columns(model, 11, piece) for piece in pieces]), whole)


@every_model
def test_no_rows_have_all_columns(model: DomainModel) -> None:
    assert is_same(sample_columns(model, 11, []), as_columns(model, []))


def test_unique_texts_are_those_of_their_permuted_numbers() -> None:
    own = make_stream(11, "parcel_id")
    numbers = [own.permute_place(10**5, place) for place in range(50)]

    pattern = read_pattern("PX[0-9]{5}")
    assert column("parcel_id", rows=50) == [pattern.build_text(number) for number in numbers]


@pytest.mark.parametrize("unique", ["true", "false"])
def test_patterns_with_more_texts_than_64_bits_count_reach_all_their_letters(unique: str) -> None:
    """36 letters in 30 places have 2^155 texts."""
    texts = column(
        "slip_number",
        ('pattern: "S-[0-9]{4}"', f'pattern: "S-[A-Z0-9]{{30}}", unique: {unique}'),
    )

    assert len(set(texts)) == 2_000
    assert all(re.fullmatch(r"S-[A-Z0-9]{30}", str(text)) for text in texts)
    places = [[str(text)[place] for text in texts] for place in range(2, 32)]
    assert {len(set(letters)) for letters in places} == {36}
    # Two letters that have nothing to do with each other agree in one of 36 texts.
    for one, other in combinations(places, 2):
        assert sum(a == b for a, b in zip(one, other, strict=True)) < 2_000 // 12


def test_a_dangling_reference_is_no_key_of_a_record() -> None:
    model = orders(('pattern: "C[0-9]{4}"', 'pattern: "C[0-9]{2}"'))
    rows = [row for row in sample_rows(model, 11, range(5_000)) if row["customer_id"] is not None]
    found = {row["customer_id"] for row in rows if row["customer"]}
    dangling = {row["customer_id"] for row in rows if not row["customer"]}

    assert (len(found), len(dangling)) == (40, 60)
    assert not found & dangling


def test_a_text_follows_from_all_letters_of_its_pattern() -> None:
    slips = Counter(column("slip_number", ("S-[0-9]{4}", "[ab]x[0-9][a-c]"), rows=12_000))

    assert set(slips) == {f"{a}x{b}{c}" for a in "ab" for b in range(10) for c in "abc"}
    # 200 of each, with a standard deviation of 14.
    assert all(130 < count < 270 for count in slips.values())


def test_a_text_that_a_constraint_calls_equal_to_one_of_another_record_is_taken_from_there() -> (
    None
):
    """Where the case has no customer there is nothing to agree with, and a text is drawn."""
    own = "        amount: {role: observed,"
    given = '        pin_given: {role: input, type: string, pattern: "K[0-9]{5}", description: x}\n'
    tier = "        tier: {role: observed,"
    kept = '        pin_kept: {role: secret, type: string, pattern: "K[0-9]{5}", description: x}\n'
    first = "    - ordered_on >= customer_since\n"
    for equal in ("pin_given == pin_kept", "pin_kept == pin_given"):
        model = orders((own, given + own), (tier, kept + tier), (first, f"{first}    - {equal}\n"))
        rows = [sample_row(model, 5, number) for number in range(60)]

        assert {row["customer"] for row in rows} == {1, None}
        for row in rows:
            assert (row["pin_given"] == row["pin_kept"]) == (row["customer"] is not None)
            assert str(row["pin_given"]).startswith("K")
