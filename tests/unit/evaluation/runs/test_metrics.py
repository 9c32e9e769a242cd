"""Rates and intervals, against figures worked out by hand or published."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sopforge.evaluation.runs.metrics import (
    AttemptVerdict,
    compute_rate,
    compute_rates,
    compute_wilson_interval,
)

VERDICTS = st.lists(
    st.builds(
        lambda complete, right, path: AttemptVerdict(complete, complete and right, path),
        st.booleans(),
        st.booleans(),
        st.sampled_from("abc"),
    )
)


def test_every_task_counts_whatever_became_of_it() -> None:
    # Ten tasks: eight answered, six of them right.
    verdicts = [AttemptVerdict(True, True, n) for n in range(6)]  # noqa: FBT003 - as a row has them
    verdicts += [AttemptVerdict(True, False, n) for n in (6, 7)]  # noqa: FBT003
    verdicts += [AttemptVerdict(False, False, n) for n in (8, 9)]  # noqa: FBT003
    rates = compute_rates(verdicts)

    assert (rates.ecr.share, rates.ecr.of) == (0.8, 10)
    assert (rates.c_tsr.share, rates.c_tsr.of) == (0.75, 8)
    assert (rates.tsr.share, rates.tsr.of) == (0.6, 10)


@given(VERDICTS)
def test_tsr_is_ecr_times_c_tsr(verdicts: list[AttemptVerdict]) -> None:
    rates = compute_rates(verdicts)

    if rates.tsr.share is None or rates.ecr.share is None:
        assert not verdicts
    else:
        assert rates.tsr.share == pytest.approx(rates.ecr.share * (rates.c_tsr.share or 0))
    for rate in (rates.ecr, rates.c_tsr, rates.tsr):
        assert 0 <= rate.low <= rate.high <= 1
        assert rate.share is None or rate.low - 1e-9 <= rate.share <= rate.high + 1e-9


def test_wilson_s_interval_is_as_published() -> None:
    # Newcombe 1998, table I: 81 of 263, and 0 of 20.
    assert compute_wilson_interval(81 / 263, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert compute_wilson_interval(0.0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)


def test_tasks_that_go_together_say_less_than_ones_that_do_not() -> None:
    apart = compute_rate([(number % 2 == 0, number) for number in range(40)])
    # Four paths of ten tasks each, all right or all wrong: as good as four tasks.
    together = compute_rate([(number < 20, number // 10) for number in range(40)])

    assert apart.share == together.share == 0.5
    assert (apart.low, apart.high) == pytest.approx(compute_wilson_interval(0.5, 39), abs=1e-6)
    # Between the four: sum of squares 4 x 5 x 5, times 4/3, over 40 x 0.25, makes 13.3.
    assert (together.low, together.high) == pytest.approx(compute_wilson_interval(0.5, 3))


def test_of_no_tasks_there_is_no_rate() -> None:
    rate = compute_rate([])

    assert (rate.share, rate.low, rate.high, rate.of) == (None, 0.0, 1.0, 0)
