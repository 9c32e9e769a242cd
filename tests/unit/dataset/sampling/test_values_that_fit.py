"""Values of one row fit each other: names and addresses, days, amounts, and what a case implies."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.likeness import Likeness, build_phrase
from sopforge.language.domain.values.types import Value, list_items, require_integer
from sopforge.proof.dataset.sampling.sampling import sample_rows
from tests.worlds.small_models import parcel, stays

ROWS = 4_000
Row = dict[str, Value | None]
MODEL = stays()


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return sample_rows(MODEL, 3, range(ROWS))


def numbers(found: list[Row], name: str) -> list[int]:
    """Return the values of a field that has one."""
    return [require_integer(row[name] or 0) for row in found if row[name] is not None]


def drawn(model: DomainModel, name: str, rows: int = ROWS) -> list[int]:
    return numbers(sample_rows(model, 3, range(rows)), name)


def test_texts_are_like_what_their_field_says(rows: list[Row]) -> None:
    for name, likeness in (("firm", Likeness.COMPANY), ("patient_phone", Likeness.PHONE)):
        texts = [str(row[name]) for row in rows[:300] if row[name] is not None]

        assert all(map(build_phrase(likeness).has, texts))
        assert len(set(texts)) > 40


def test_an_email_follows_from_the_name_of_its_record(rows: list[Row]) -> None:
    for row in rows:
        if row["patient"] is not None:
            name = str(row["patient_name"]).lower().replace(" ", ".")
            assert str(row["patient_email"]).partition("@")[0] == name
    domains = Counter(str(row["patient_email"]).partition("@")[2] for row in rows if row["patient"])
    assert set(domains) == {"example.com", "example.net", "example.org"}


def test_where_there_is_no_record_there_are_no_texts(rows: list[Row]) -> None:
    lacking = [row for row in rows if row["patient"] is None]

    assert lacking
    assert {row[name] for row in lacking for name in ("patient_name", "patient_email")} == {None}


def test_days_near_others_fit_without_a_row_that_is_refused(rows: list[Row]) -> None:
    stayed = [
        require_integer(row["discharged_on"] or 0) - require_integer(row["admitted_on"] or 0)
        for row in rows
    ]
    thirds = Counter((days * 3) // 31 for days in stayed)

    assert (min(stayed), max(stayed)) == (0, 30)
    assert [round(10 * thirds[part] / ROWS) for part in range(3)] == [6, 3, 1]


def test_a_share_of_amounts_is_near_and_the_others_are_anywhere(rows: list[Row]) -> None:
    away = np.array(
        [
            require_integer(row["amount"] or 0) - require_integer(row["list_price"] or 0)
            for row in rows
        ]
    )
    near = np.abs(away) <= 15_000

    assert 0.94 < near.mean() < 0.975  # 95 percent, and a few that come near by chance
    assert np.abs(away).max() > 1_000_000
    assert 0.46 < (np.abs(away[near]) <= 5_000).mean() < 0.54  # the middle third weighs a half


def test_values_near_others_are_cut_off_at_the_ends_of_their_range() -> None:
    days = drawn(stays(("max: 2026-08-31", "max: 2026-06-30")), "discharged_on")

    assert max(days) == max(drawn(MODEL, "admitted_on", 20_000))


def test_a_shape_weighs_equal_parts_of_a_range() -> None:
    weights = drawn(
        parcel(("max: 40.00, unit: kg", "max: 0.99, unit: kg, shape: [5, 0, 3, 2]")), "weight"
    )
    parts = Counter(weight // 25 for weight in weights)

    assert [round(10 * parts[part] / ROWS) for part in range(4)] == [5, 0, 3, 2]
    assert set(weights) == {*range(25), *range(50, 100)}


def test_a_shape_of_parts_that_are_not_alike_long_reaches_both_ends() -> None:
    weights = drawn(
        parcel(("max: 40.00, unit: kg", "max: 0.09, unit: kg, shape: [1, 1, 1]")), "weight"
    )

    assert set(weights) == set(range(10))


def test_the_first_condition_that_holds_says_how_a_value_is_drawn() -> None:
    model = stays(
        ("- {when: age < 18, yes_share: 95}", "- {when: age < 18, yes_share: 100}"),
        ("- {when: age >= 80, yes_share: 40}", "- {when: age < 30, yes_share: 0}"),
        ("yes_share: 5\n", "yes_share: 100\n"),
        ("records: 50", "records: 5000"),
    )
    for row in sample_rows(model, 3, range(ROWS)):
        age = row["age"]
        assert row["escorted"] == (0 if age is not None and 18 <= require_integer(age) < 30 else 1)


def test_a_condition_on_what_a_row_does_not_have_does_not_hold() -> None:
    model = stays(
        ("- {when: age < 18, yes_share: 95}", "- {when: age >= 0, yes_share: 100}"),
        ("yes_share: 5\n", "yes_share: 0\n"),
    )
    found = sample_rows(model, 3, range(ROWS))

    assert {(row["patient"], row["escorted"]) for row in found} == {(1, 1), (None, 0)}


def test_a_missing_share_can_depend_on_other_fields() -> None:
    model = parcel(
        ("missing_share: 40", "missing_share: 0, given: [{when: fragile, missing_share: 100}]")
    )
    found = sample_rows(model, 3, range(500))

    assert {(row["fragile"], row["due_on"] is None) for row in found} == {(1, True), (0, False)}


def test_items_of_a_list_have_texts_of_their_own() -> None:
    items = "{firm: {type: string, like: company, description: firm}}"
    lists = f"type: list, size: 3, empty: no firm, items: {items}, description: firms"
    model = stays(
        ("        amount:\n", f"        firms: {{role: distractor, {lists}}}\n        amount:\n")
    )
    listed = [row["firms"] for row in sample_rows(model, 3, range(200))]
    firms = [item["firm"] for value in listed for item in list_items(value)]

    assert all(build_phrase(Likeness.COMPANY).has(str(firm)) for firm in firms)
    assert len(set(firms)) == len(firms) > 200
