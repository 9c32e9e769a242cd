from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable
from functools import partial
from hashlib import blake2b
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sopforge.seeds import (
    LARGEST,
    Column,
    Stream,
    compute_pick_starts,
    draw,
    draw_below,
    make_stream,
    permute_index,
    pick,
    scale_number,
)

# Frozen: every dataset ever made depends on them.

WORDS = 1 << 64


def reference(key: int, place: int) -> int:
    """Return the number at a place as SplitMix64 was published: a state that steps."""
    state = number = 0
    for _ in range(place + 1):
        state = (state + 0x9E3779B97F4A7C15) % WORDS
        number = (state + key) % WORDS
    number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9 % WORDS
    number = (number ^ (number >> 27)) * 0x94D049BB133111EB % WORDS
    return number ^ (number >> 31)


def test_numbers_are_those_that_splitmix64_is_known_by() -> None:
    assert [Stream(1234567).draw_at(place) for place in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@given(st.integers(0, WORDS - 1), st.integers(0, 50))
def test_a_number_is_found_by_its_place_without_those_before_it(key: int, place: int) -> None:
    assert Stream(key).draw_at(place) == reference(key, place)


@pytest.mark.parametrize(
    ("seed", "key", "number"),
    [
        (0, (), 0xD99CE4ADC3D7A148),
        (0, ("age", 0), 0x68190AA2C595F440),
        (7, ("fill", 12), 0x1318DFDB67F646E8),
        (-1, ("é",), 0xACE68133C3EA65AD),
    ],
    ids=["no key", "name and number", "another seed", "negative seed, unicode key"],
)
def test_a_draw_has_its_frozen_value(seed: int, key: tuple[str | int, ...], number: int) -> None:
    text = "\x1f".join([str(seed), *map(str, key)]).encode()
    assert number == reference(int.from_bytes(blake2b(text, digest_size=8).digest()), 0)
    assert draw(seed, *key) == number


ROW = make_stream(7, "row")
FROZEN: list[tuple[str, Callable[[int], int], Callable[[Column], Column], list[int]]] = [
    (
        "below",
        partial(ROW.draw_below, 1000),
        partial(ROW.draw_below, 1000),
        [16, 350, 230, 527, 733, 385],
    ),
    (
        "far below",
        partial(ROW.draw_below, 10**18),
        partial(ROW.draw_below, 10**18),
        [16520823819507781, 350897736060621576, 230588997367758706],
    ),
    (
        "pick",
        partial(ROW.pick, [1, 2, 3]),
        partial(ROW.pick, [1, 2, 3]),
        [0, 1, 1, 2, 2, 1, 2, 1, 0, 2],
    ),
    (
        "share",
        partial(ROW.has_share, 30),
        partial(ROW.has_share, 30),
        [0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
    ),
    (
        "permuted",
        partial(ROW.permute_place, 10**12),
        partial(ROW.permute_place, 10**12),
        [53017559412, 421324096734, 730025218749, 921554193057],
    ),
]


@pytest.mark.parametrize(("single", "column", "numbers"), [part[1:] for part in FROZEN])
def test_numbers_are_frozen_one_by_one_and_in_columns(
    single: Callable[[int], int], column: Callable[[Column], Column], numbers: list[int]
) -> None:
    places = range(len(numbers))

    assert [single(place) for place in places] == numbers
    assert column(np.array(places, dtype=np.uint64)).tolist() == numbers


limits = st.integers(1, LARGEST)
places = st.lists(st.integers(0, WORDS - 2), min_size=1, max_size=20)


@given(st.integers(0, WORDS - 1), places, limits)
def test_a_column_holds_what_its_places_hold_one_by_one(
    key: int, numbers: list[int], limit: int
) -> None:
    own, column = Stream(key), np.array(numbers, dtype=np.uint64)

    assert own.draw_at(column).tolist() == [own.draw_at(place) for place in numbers]
    assert own.draw_below(limit, column).tolist() == [
        own.draw_below(limit, place) for place in numbers
    ]
    weights = [limit % 7, 1, limit % 3]
    assert own.pick(weights, column).tolist() == [own.pick(weights, place) for place in numbers]


@given(st.integers(0, WORDS - 1), st.integers(1, 10**9), st.lists(st.integers(0), min_size=1))
def test_a_permuted_column_holds_what_its_places_hold(
    key: int, size: int, numbers: list[int]
) -> None:
    inside = [number % size for number in numbers]

    images = Stream(key).permute_place(size, np.array(inside, dtype=np.uint64))

    assert images.tolist() == [Stream(key).permute_place(size, place) for place in inside]


@given(st.integers(0, WORDS - 1), limits)
def test_a_number_is_scaled_exactly(number: int, limit: int) -> None:
    assert scale_number(number, limit) == number * limit >> 64
    assert scale_number(np.array([number], dtype=np.uint64), limit).tolist() == [
        number * limit >> 64
    ]


@pytest.mark.parametrize("limit", [0, -3, LARGEST + 1])
def test_limits_that_columns_cannot_hold_are_refused(limit: int) -> None:
    with pytest.raises(ValueError, match=r"between 1 and 2\^63"):
        draw_below(limit, 0, "row")


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


def test_numbers_below_a_limit_are_even() -> None:
    """Within five standard deviations of 100,000 draws: sqrt(100000 * 0.25 * 0.75) is 137."""
    counts = Counter(
        make_stream(0, "even").draw_below(4, np.arange(100_000, dtype=np.uint64)).tolist()
    )

    assert all(abs(counts[number] - 25_000) < 5 * 137 for number in range(4))


def test_streams_of_two_names_have_nothing_to_do_with_each_other() -> None:
    """Both halves of 100,000 pairs of bits agree in half of them: sqrt(100000) / 2 is 158."""
    numbers = np.arange(100_000, dtype=np.uint64)
    first, second = (make_stream(0, name).draw_below(2, numbers) for name in ("one", "other"))

    assert abs(int((first == second).sum()) - 50_000) < 5 * 158
    assert abs(int((first[1:] == first[:-1]).sum()) - 50_000) < 5 * 158


@given(st.lists(st.integers(0, 9), min_size=1).filter(any), st.integers())
def test_a_weight_of_zero_is_never_picked(weights: list[int], seed: int) -> None:
    assert weights[pick(weights, seed)] > 0


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=30).filter(any))
def test_of_all_numbers_each_weight_has_its_exact_share(weights: list[int]) -> None:
    """The numbers 0 … 2^64 - 1, each of which stands at one place of a stream, as a full cycle."""
    bounds = [
        0,
        *compute_pick_starts(weights),
        *[WORDS] * (len(weights) - 1 - len(compute_pick_starts(weights))),
        WORDS,
    ]

    shares = [after - before for before, after in pairwise(bounds)]

    assert sum(shares) == WORDS
    for share, weight in zip(shares, weights, strict=True):
        assert abs(share * sum(weights) - weight * WORDS) < sum(weights)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=9).filter(any), st.integers(0, 10**6))
def test_a_pick_is_the_inverse_of_the_running_sum(weights: list[int], place: int) -> None:
    sums = [sum(weights[: end + 1]) for end in range(len(weights))]

    assert ROW.pick(weights, place) == bisect_left(sums, ROW.draw_below(sum(weights), place) + 1)


def test_the_number_with_which_a_position_begins_is_its_own() -> None:
    """Of 2^64 numbers, 2^63 is the first of the second half; this key has it at its first place."""
    own = Stream(3453682501520545093)

    assert own.draw_at(0) == 1 << 63
    assert own.pick([1, 1], 0) == 1
    assert own.pick([1, 1], np.zeros(1, dtype=np.uint64)).tolist() == [1]


@pytest.mark.parametrize("weights", [[], [0, 0]], ids=["none", "all zero"])
def test_weights_without_any_weight_are_refused(weights: list[int]) -> None:
    with pytest.raises(ValueError, match="weights must be positive"):
        pick(weights, 0)


def test_a_permutation_reaches_every_position_of_every_size() -> None:
    for size in range(1, 301):
        images = make_stream(7, "unique").permute_place(size, np.arange(size, dtype=np.uint64))
        assert sorted(images.tolist()) == list(range(size))
        assert permute_index(size - 1, size, 7, "unique") == images[-1]


@pytest.mark.parametrize("size", [26**6, 10**12 + 39, (1 << 62) - 57, LARGEST])
def test_a_permutation_of_a_large_range_has_no_collision(size: int) -> None:
    images = make_stream(0, "code").permute_place(size, np.arange(100_000, dtype=np.uint64))
    assert len(set(images.tolist())) == 100_000
    assert int(images.max()) < size
    # Of 100,000 even draws some lie in each tenth; neighbours do not stay neighbours.
    assert len(set((images // (size // 10 + 1)).tolist())) == 10
    assert (np.abs(np.diff(images.astype(np.int64))) < size // 1000).mean() < 0.01


def test_a_permutation_changes_with_its_key() -> None:
    names = ["first", "second"]
    first, second = ([permute_index(index, 50, 0, name) for index in range(50)] for name in names)
    assert first != second
