"""Means over attempts, with intervals that know how much attempts depend on each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

from sopforge.evaluation.runs.metrics import (
    AttemptVerdict,
    Rate,
    Rates,
    Z,
    compute_rate,
    compute_rates,
)
from sopforge.evaluation.runs.rows import Row


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean, and the interval of 95 percent around it; None where there are too few values."""

    value: float | None
    low: float | None
    high: float | None
    of: int


def compute_mean(values: Sequence[tuple[float, Hashable]]) -> Mean:
    """Return the mean of values, each with its cluster: those of one cluster go together.

    The interval is the normal one, from the variance of the sums of clusters.
    """
    count = len(values)
    if not count:
        return Mean(None, None, None, 0)
    mean = sum(value for value, _ in values) / count
    sums: defaultdict[Hashable, float] = defaultdict(float)
    for value, cluster in values:
        sums[cluster] += value - mean
    clusters = len(sums)
    if clusters < 2:  # noqa: PLR2004 - nothing varies between clusters
        return Mean(mean, None, None, count)
    variance = sum(total * total for total in sums.values()) * clusters / (clusters - 1)
    spread = Z * sqrt(variance) / count
    return Mean(mean, mean - spread, mean + spread, count)


def compute_row_mean(rows: Iterable[Row], read: Callable[[Row], float | None]) -> Mean:
    """Return the mean of what rows have, clustered by path; rows that have none do not count."""
    read_rows = ((read(row), row.grade.path) for row in rows)
    return compute_mean([(value, path) for value, path in read_rows if value is not None])


def compute_row_rates(rows: Iterable[Row]) -> Rates:
    """Return ECR, C-TSR and TSR of rows."""
    return compute_rates(
        [
            AttemptVerdict(
                row.grade.is_complete, row.grade.is_right, row.grade.path, row.asked.task
            )
            for row in rows
        ]
    )


def compute_row_rate(rows: Iterable[Row], read: Callable[[Row], bool | None]) -> Rate:
    """Return the share of rows of which something is true; where it is None, it is not asked."""
    asked = [(found, row) for row in rows if (found := read(row)) is not None]
    return compute_rate(
        [(found, row.grade.path) for found, row in asked], [row.asked.task for _, row in asked]
    )
