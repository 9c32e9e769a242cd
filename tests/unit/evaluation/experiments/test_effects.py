"""Sums of rates with their intervals: published figures, and ones worked out by hand."""

from __future__ import annotations

import pytest

from sopforge.evaluation.experiments.effects import (
    Effect,
    Term,
    compute_correlation,
    compute_factorial,
    sum_rates,
)
from sopforge.evaluation.runs.comparing import Pairs
from sopforge.evaluation.runs.metrics import Rate, compute_wilson_interval
from sopforge.evaluation.runs.rows import Row
from tests.unit.evaluation.runs.test_comparing import make_rows

HALF = Rate(0.5, 0.3, 0.7, 20)


def rate(right: int, of: int) -> Rate:
    """Return a rate of independent tasks."""
    return Rate(right / of, *compute_wilson_interval(right / of, of), of)


def differ(one: Rate, other: Rate, correlation: float | None = None) -> Effect:
    """Return a rate less another, of other tasks or of the same ones."""
    tasks = (0, 1) if correlation is None else (0, 0)
    return sum_rates([Term(1, one, tasks[0]), Term(-1, other, tasks[1])], {0: correlation or 0.0})


@pytest.mark.parametrize(
    ("one", "other", "low", "high"),
    [
        # Newcombe (1998), Statistics in Medicine 17, 873: table II, method 10.
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((10, 10), (0, 10), 0.6075, 1.0000),
    ],
)
def test_a_difference_of_other_tasks_has_the_published_interval(
    one: tuple[int, int], other: tuple[int, int], low: float, high: float
) -> None:
    found = differ(rate(*one), rate(*other))

    assert found.low == pytest.approx(low, abs=5e-5)
    assert found.high == pytest.approx(high, abs=5e-5)


@pytest.mark.parametrize(
    ("correlation", "reach"),
    [
        (None, 0.08**0.5),  # the root of 0.2 squared, twice
        (0.0, 0.08**0.5),
        (0.5, 0.2),  # 0.04 + 0.04 - 0.04
        (1.0, 0.0),
        (-1.0, 0.4),
    ],
)
def test_rates_of_the_same_tasks_differ_by_as_much_less_as_they_go_together(
    correlation: float | None, reach: float
) -> None:
    found = differ(HALF, HALF, correlation)

    assert found.estimate == 0
    assert [found.low, found.high] == pytest.approx([-reach, reach])


def test_the_mean_of_rates_that_go_together_is_no_surer_than_each() -> None:
    found = sum_rates([Term(0.5, HALF, 0), Term(0.5, HALF, 0)], {0: 1.0})

    assert (found.estimate, found.low, found.high) == pytest.approx((0.5, 0.3, 0.7))


def test_each_end_is_reached_by_the_nearer_ends_of_the_rates() -> None:
    found = differ(Rate(0.9, 0.7, 0.95, 20), Rate(0.5, 0.4, 0.8, 20))

    assert found.low == pytest.approx(0.4 - (0.2**2 + 0.3**2) ** 0.5)
    assert found.high == pytest.approx(0.4 + (0.05**2 + 0.1**2) ** 0.5)


@pytest.mark.parametrize(
    ("counts", "phi"),
    [
        ((4, 0, 0, 6), 1.0),
        ((0, 5, 5, 0), -1.0),
        ((3, 3, 3, 3), 0.0),
        ((10, 0, 0, 0), 0.0),  # nothing varies
        ((4, 2, 1, 3), 10 / (6 * 4 * 5 * 5) ** 0.5),
    ],
)
def test_the_correlation_is_that_of_the_four_counts(
    counts: tuple[int, int, int, int], phi: float
) -> None:
    both, first, second, neither = counts
    pairs = Pairs("p", both, first, second, neither, lone=0, apart={})

    assert compute_correlation(pairs) == pytest.approx(phi)


def cells(*right: str) -> dict[tuple[bool, bool], list[Row]]:
    """Return rows: short and long without branches, then short and long with them."""
    places = [(is_long, is_branched) for is_branched in (False, True) for is_long in (False, True)]
    return {
        place: make_rows("a", text, digest=f"{place}")
        for place, text in zip(places, right, strict=True)
    }


def test_the_effects_of_two_factors_are_those_of_the_four_rates() -> None:
    found = compute_factorial(cells("++++++++--", "++++++----", "+++++-----", "++--------"))

    assert found is not None
    # 0.8 to 0.6 and 0.5 to 0.2; 0.8 to 0.5 and 0.6 to 0.2; -0.3 less -0.2.
    assert found.length.estimate == pytest.approx(-0.25)
    assert found.branching.estimate == pytest.approx(-0.35)
    assert found.interaction.estimate == pytest.approx(-0.1)
    # Five pairs, all lost by the long text: twice a half to the fifth.
    assert found.length.p_value == pytest.approx(0.0625)
    assert (found.branching.p_value, found.interaction.p_value) == (None, None)
    for effect in (found.length, found.branching, found.interaction):
        assert effect.low < effect.estimate < effect.high
    # The same tasks go together: length is known better than branching.
    spans = [effect.high - effect.low for effect in (found.length, found.branching)]
    assert spans[0] < spans[1]


def test_splits_in_both_branchings_are_tested_together() -> None:
    found = compute_factorial(cells("++--", "--++", "+---", "-+++"))

    assert found is not None
    # Lost 2 and 1, won 2 and 3: 3 against 5 of 8, at least as uneven.
    assert found.length.p_value == pytest.approx(2 * (1 + 8 + 28 + 56) / 256)


def test_only_tasks_that_were_attempted_at_both_lengths_count() -> None:
    found = compute_factorial(cells("++ -", "+ --", "++++", "++++"))

    assert found is not None
    # Left are the first and the last task: one right, one wrong, at both lengths.
    assert found.length.estimate == 0
    assert found.branching.estimate == pytest.approx(0.5)


def test_without_a_pair_there_is_no_effect() -> None:
    assert compute_factorial(cells("++", "  ", "++", "++")) is None


def test_a_rate_of_no_tasks_has_no_sum() -> None:
    with pytest.raises(ValueError, match="of no tasks"):
        differ(HALF, Rate(None, 0, 1, 0))
