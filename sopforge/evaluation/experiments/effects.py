"""Effects: sums of success rates with an interval, also where the same tasks stand in several.

The interval is Newcombe's (1998): the distances from each rate to the ends of Wilson's interval are
squared and added. Rates over the same tasks go together, as their correlation says (his method 8),
and Zou and Donner (2008) have shown that this holds for any sum of rates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from sopforge.evaluation.figures.means import compute_row_rates
from sopforge.evaluation.runs.comparing import Pairs, compute_sign_test, pair_across, select_pairs
from sopforge.evaluation.runs.metrics import Rate
from sopforge.evaluation.runs.rows import Row


@dataclass(frozen=True, slots=True)
class Effect:
    """A sum of rates, and its interval of 95 percent.

    ``p_value`` is that of McNemar's test, exact, where all pairs are of the same tasks.
    """

    estimate: float
    low: float
    high: float
    p_value: float | None = None


@dataclass(frozen=True, slots=True)
class Term:
    """A rate in a sum; those of the same ``tasks`` go together."""

    weight: float
    rate: Rate
    tasks: int


@dataclass(frozen=True, slots=True)
class Factorial:
    """The effects of two factors, of which each is low or high.

    ``length`` is paired by task within each branching; ``branching`` compares different tasks;
    ``interaction`` is the effect of length with more branches less that with fewer.
    """

    length: Effect
    branching: Effect
    interaction: Effect


def sum_rates(terms: Sequence[Term], correlations: Mapping[int, float]) -> Effect:
    """Return the weighted sum of rates; ``correlations`` are of those over the same tasks.

    Raises:
        ValueError: a rate is one of no tasks.
    """
    estimate = 0.0
    for term in terms:
        if term.rate.share is None:
            raise ValueError("a rate of no tasks has no share")
        estimate += term.weight * term.rate.share
    below, above = (_measure_reach(terms, correlations, is_up=is_up) for is_up in (False, True))
    return Effect(estimate, estimate - below, estimate + above)


def _measure_reach(
    terms: Sequence[Term], correlations: Mapping[int, float], *, is_up: bool
) -> float:
    """Return how far the sum may lie from its estimate, to one side."""
    # Signed: a term that counts against the sum takes it up where its own rate is lower.
    reaches = [
        term.weight * _get_distance(term.rate, is_up=is_up == (term.weight > 0)) for term in terms
    ]
    total = 0.0
    for place, (one, reach) in enumerate(zip(terms, reaches, strict=True)):
        total += reach * reach
        for other, further in zip(terms[:place], reaches[:place], strict=True):
            if one.tasks == other.tasks:
                total += 2 * correlations.get(one.tasks, 0.0) * reach * further
    return sqrt(max(0.0, total))


def _get_distance(rate: Rate, *, is_up: bool) -> float:
    share = rate.share or 0.0
    return rate.high - share if is_up else share - rate.low


def compute_correlation(pairs: Pairs) -> float:
    """Return how right answers of two runs go together from task to task: phi, from -1 to 1."""
    one, other = pairs.both + pairs.first, pairs.both + pairs.second
    margins = one * (pairs.count - one) * other * (pairs.count - other)
    if not margins:
        return 0.0
    return (pairs.both * pairs.neither - pairs.first * pairs.second) / sqrt(margins)


def compute_factorial(
    cells: Mapping[tuple[bool, bool], Iterable[Row]],
) -> Factorial | None:
    """Return the effects of length and branching, by whether each is high; none without pairs.

    Only tasks that were attempted at both lengths count.
    """
    terms: dict[tuple[bool, bool], Rate] = {}
    correlations: dict[int, float] = {}
    splits: list[tuple[int, int]] = []
    for is_branched in (False, True):
        low, high = (list(cells[is_long, is_branched]) for is_long in (False, True))
        pairs = pair_across(low, high)
        if pairs is None:
            return None
        correlations[is_branched] = compute_correlation(pairs)
        splits.append((pairs.first, pairs.second))
        for is_long, rows in enumerate(zip(*select_pairs(low, high), strict=True)):
            terms[bool(is_long), is_branched] = compute_row_rates(rows).tsr
    length = _sum_weighted(terms, correlations, lambda is_long, _: 0.5 if is_long else -0.5)
    p_value = compute_sign_test(*map(sum, zip(*splits, strict=True)))
    return Factorial(
        Effect(length.estimate, length.low, length.high, p_value),
        _sum_weighted(terms, correlations, lambda _, is_branched: 0.5 if is_branched else -0.5),
        _sum_weighted(terms, correlations, lambda one, other: 1.0 if one == other else -1.0),
    )


def _sum_weighted(
    rates: Mapping[tuple[bool, bool], Rate],
    correlations: Mapping[int, float],
    weigh: Callable[[bool, bool], float],
) -> Effect:
    terms = [Term(weigh(*cell), rate, cell[1]) for cell, rate in rates.items()]
    return sum_rates(terms, correlations)
