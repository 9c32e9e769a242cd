from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sopforge.seeds import below, draw, permuted, pick

# Frozen: every dataset ever made depends on them.


@pytest.mark.parametrize(
    ("seed", "key", "number"),
    [
        (0, (), 0x1240A4684403B160E6597A653A88F56C),
        (0, ("age", 0), 0x545416BDF551C51C5EED2C54F6AA42A9),
        (7, ("fill", 12), 0xF0F090C93195F203E313B46166BB0D25),
        (-1, ("é",), 0x362CC3D48CC1868316F6719F3AD59751),
    ],
    ids=["no key", "name and number", "another seed", "negative seed, unicode key"],
)
def test_a_draw_has_its_frozen_value(seed: int, key: tuple[str | int, ...], number: int) -> None:
    assert draw(seed, *key) == number


def test_numbers_below_a_limit_are_frozen() -> None:
    assert [below(1000, 7, "row", index) for index in range(6)] == [380, 471, 264, 573, 255, 93]


def test_weighted_positions_are_frozen() -> None:
    assert [pick([1, 2, 3], 7, "row", index) for index in range(10)] == [
        1,
        1,
        1,
        2,
        1,
        0,
        1,
        0,
        1,
        2,
    ]


def test_permuted_positions_are_frozen() -> None:
    assert [permuted(index, 10, 7, "unique") for index in range(10)] == [
        6,
        4,
        2,
        8,
        1,
        0,
        5,
        3,
        9,
        7,
    ]


def test_a_draw_depends_on_its_key_alone() -> None:
    first = draw(3, "price", 4)
    for index in range(50):
        draw(3, "other", index)
    assert draw(3, "price", 4) == first


def test_a_key_of_one_text_is_not_a_key_of_its_parts() -> None:
    assert draw(1, "a", "b") != draw(1, "ab")


def test_a_number_and_its_digits_are_one_key() -> None:
    assert draw(1, "row", 5) == draw(1, "row", "5")


def test_other_seeds_give_other_numbers() -> None:
    assert len({draw(seed, "row") for seed in range(1000)}) == 1000


@given(st.integers(1, 10**30), st.integers(), st.text())
def test_a_number_stays_below_its_limit(limit: int, seed: int, key: str) -> None:
    assert 0 <= below(limit, seed, key) < limit


def test_numbers_below_a_limit_are_even() -> None:
    counts = Counter(below(4, 0, index) for index in range(4000))
    assert all(900 < counts[number] < 1100 for number in range(4))


@given(st.lists(st.integers(0, 9), min_size=1).filter(any), st.integers())
def test_a_weight_of_zero_is_never_picked(weights: list[int], seed: int) -> None:
    assert weights[pick(weights, seed)] > 0


def test_positions_are_picked_in_proportion_to_their_weights() -> None:
    counts = Counter(pick([1, 0, 3], 0, index) for index in range(4000))
    assert 900 < counts[0] < 1100
    assert counts[1] == 0


@pytest.mark.parametrize("weights", [[], [0, 0]], ids=["none", "all zero"])
def test_weights_without_any_weight_are_refused(weights: list[int]) -> None:
    with pytest.raises(ValueError, match="weights must be positive"):
        pick(weights, 0)


def test_a_permutation_reaches_every_position_of_every_size() -> None:
    for size in range(1, 301):
        images = {permuted(index, size, 7, "unique") for index in range(size)}
        assert images == set(range(size))


def test_a_permutation_of_a_large_range_has_no_collision() -> None:
    images = {permuted(index, 26**6, 0, "code") for index in range(5000)}
    assert len(images) == 5000
    assert max(images) < 26**6


def test_a_permutation_changes_with_its_key() -> None:
    names = ["first", "second"]
    first, second = ([permuted(index, 50, 0, name) for index in range(50)] for name in names)
    assert first != second
