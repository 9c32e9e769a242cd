"""What repeated attempts say, worked out by hand."""

from __future__ import annotations

from itertools import combinations
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sopforge.evaluation.figures.repeats import Repeats, compute_repeats, estimate_pass
from sopforge.evaluation.figures.series import list_series
from tests.worlds.attempt_rows import make_epochs, make_signed_rows

SIGNS = ("+++-", "++--", "+-+-", "++--")
"""Four tasks, right in 4, 3, 2 and 0 of the four epochs."""


def compute(*epochs: str) -> Repeats | None:
    """Return the figures of epochs."""
    (series,) = list_series(make_epochs(epochs))
    return compute_repeats(series)


def test_pass_k_is_the_share_of_choices_in_which_all_are_right() -> None:
    found = compute(*SIGNS)

    assert found is not None
    # One of four: 4, 3, 2, 0. Two of four, of 6 choices: 6, 3, 1, 0. Three, of 4: 4, 1, 0, 0.
    assert found.pass_k == pytest.approx((9 / 16, 10 / 24, 5 / 16, 1 / 4))
    assert found.epochs == 4


def test_the_floor_comes_from_how_much_epochs_differ() -> None:
    found = compute(*SIGNS)

    assert found is not None
    # 3/4 and three times 1/2: 1/16 * 3 off the mean once, 1/16 thrice; (9 + 3) / 256 / 3 = 1/64.
    assert found.shares == (0.75, 0.5, 0.5, 0.5)
    assert found.deviation == pytest.approx(1 / 8)
    assert found.floor == pytest.approx(1.96 * 2**0.5 / 8, abs=1e-4)
    assert found.widest == 0.25


def test_one_epoch_says_nothing_of_two() -> None:
    assert compute("++--") is None


def test_tasks_that_an_epoch_lacks_do_not_count() -> None:
    found = compute("++-", "+-")

    assert found is not None
    assert found.shares == (1.0, 0.5)


def test_another_seed_is_another_repetition() -> None:
    rows = make_signed_rows("+-") + make_signed_rows("++", epoch=1)
    (series,) = list_series([*rows, *rows])

    assert len(series.rows) == 4
    assert list(series.repetitions) == [(7, 0), (7, 1)]


@given(st.lists(st.lists(st.booleans(), min_size=5, max_size=5), min_size=1, max_size=6))
def test_pass_k_is_what_drawing_without_putting_back_gives(tries: list[list[bool]]) -> None:
    for k in range(1, 6):
        drawn = [mean(all(chosen) for chosen in combinations(task, k)) for task in tries]
        assert estimate_pass(list(map(sum, tries)), 5, k) == pytest.approx(mean(drawn))
