from __future__ import annotations

import json
from dataclasses import replace

import pytest

from sopforge.language.domain.balance import compute_balance
from sopforge.language.domain.tasks import Task
from sopforge.language.domain.values.types import Value
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.tasks.profile import (
    Bin,
    FieldProfile,
    Profile,
    Spread,
    build_profile,
    compute_spread,
    read_profile,
    with_filling,
    write_profile,
)
from tests.worlds.small_models import day, parcel, row

MODEL = parcel()
ROWS: list[dict[str, Value | None]] = [
    row(parcel_id="PX00001", weight=500, contents=0b000, due_on=None),
    row(parcel_id="PX00002", weight=150, contents=0b110, due_on=day("2026-02-25")),
    row(parcel_id="PX00003", weight=700, contents=0b010, due_on=day("2026-02-27")),
    row(parcel_id="PX00004", weight=300, contents=0b010, due_on=None),
]


@pytest.fixture(scope="module")
def profile() -> Profile:
    return build_profile(MODEL, [(record, label_row(MODEL, record)) for record in ROWS])


def of(profile: Profile, name: str) -> FieldProfile:
    return next(item for item in profile.fields if item.name == name)


def test_quartiles_are_values_that_occur() -> None:
    spread = compute_spread([7, 1, 5, 3], str)

    # A quarter of four values is one value: 1; a half are two: 1, 3; three quarters: 1, 3, 5.
    assert spread is not None
    assert (spread.least, spread.quartiles, spread.greatest) == ("1", ("1", "3", "5"), "7")
    assert [(part.low, part.tasks) for part in spread.bins] == [
        *(("1", 1), ("2", 0), ("3", 1), ("4", 0), ("5", 1), ("6", 0), ("7", 1))
    ]


def test_wide_numbers_are_counted_in_ten_ranges_of_equal_width() -> None:
    spread = compute_spread([0, 9, 10, 95], str)

    # 0 to 95 are 96 numbers: ten to a range, the last one cut off at 95.
    assert spread is not None
    assert spread.bins[:2] == (Bin("0", "9", 2), Bin("10", "19", 1))
    assert spread.bins[-1] == Bin("90", "95", 1)
    assert len(spread.bins) == 10
    assert sum(part.tasks for part in spread.bins) == 4
    assert compute_spread([4], str) == Spread("4", ("4", "4", "4"), "4", (Bin("4", "4", 1),))
    assert compute_spread([], str) is None


def test_numbers_are_written_with_their_places(profile: Profile) -> None:
    weight = of(profile, "weight")

    assert weight.spread is not None
    assert (weight.spread.least, weight.spread.greatest) == ("1.50", "7.00")
    assert weight.spread.quartiles == ("1.50", "3.00", "5.00")
    assert weight.missing_share == "0.000"


def test_days_that_are_missing_are_counted_apart(profile: Profile) -> None:
    due = of(profile, "due_on")

    assert (due.present, due.missing, due.missing_share) == (2, 2, "0.500")
    assert due.spread is not None
    assert due.spread.quartiles == ("2026-02-25", "2026-02-25", "2026-02-27")
    assert [part.tasks for part in due.spread.bins] == [1, 0, 1]


def test_members_are_counted_each_and_so_is_the_empty_set(profile: Profile) -> None:
    assert of(profile, "contents").labels == {
        "Books": 0,
        "Glass": 3,
        "Medicine": 1,
        "nothing listed": 1,
    }


def test_texts_of_a_pattern_are_only_distinguished(profile: Profile) -> None:
    parcel_id = of(profile, "parcel_id")

    assert (parcel_id.distinct, parcel_id.labels, parcel_id.spread) == (4, None, None)


def test_paths_are_counted_the_most_taken_first() -> None:
    late = row(parcel_id="PX00005", due_on=day("2026-02-25"))
    plain = [row(parcel_id=f"PX0000{number}", weight=1000) for number in (6, 7)]

    paths = build_profile(
        MODEL, [(record, label_row(MODEL, record)) for record in (late, *plain)]
    ).paths

    assert [(item.steps, item.tasks) for item in paths] == [
        (("look", "price", "let_go", "done"), 2),
        (("look", "hold"), 1),
    ]


def test_answers_are_profiled_as_outcomes(profile: Profile) -> None:
    assert [item.name for item in profile.outcomes] == ["care", "release"]
    assert not {"care", "release"} & {item.name for item in profile.others}
    # Glass is handled carefully, and all but the first parcel hold some.
    assert profile.outcomes[0].labels == {"plain": 1, "careful": 3}


def test_a_profile_is_read_as_it_was_written(profile: Profile) -> None:
    assert read_profile(write_profile(profile)) == profile


def test_answers_and_paths_of_rows_that_fill_up_stand_apart(profile: Profile) -> None:
    some = [(record, label_row(MODEL, record)) for record in ROWS[1:2]]
    whole = with_filling(profile, MODEL, some)

    assert whole.filling is not None
    assert whole.filling.tasks == 1
    assert [(item.name, item.labels) for item in whole.filling.fields] == [
        ("care", {"plain": 0, "careful": 1}),
        ("release", {"released": 0, "held": 1}),
    ]
    assert [(path.path, path.tasks) for path in whole.filling.paths] == [
        (("look", "look.1", "hold"), 1)
    ]
    assert whole.fields == profile.fields
    assert read_profile(write_profile(whole)) == whole


def test_the_balance_of_the_tasks_is_read_as_it_was_written(profile: Profile) -> None:
    outcomes = {"care": "plain", "release": "held"}
    task = Task("t1", "fill:1", {}, outcomes, (), {}, ())
    whole = replace(profile, balance=compute_balance(MODEL, [task]))

    assert read_profile(write_profile(whole)) == whole
    assert json.loads(write_profile(whole))["balance"]["purposes"]["filling"]["tasks"] == 1
