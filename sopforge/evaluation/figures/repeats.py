"""What repeated attempts at the same tasks say: pass^k, and how much two runs differ by chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, sqrt
from statistics import stdev

from sopforge.evaluation.figures.series import Series
from sopforge.evaluation.runs.metrics import Z

WANTED = 4
"""Epochs from which on the figures are worth reading."""


@dataclass(frozen=True, slots=True)
class Repeats:
    """The figures of a series with several epochs.

    ``pass_k`` has pass^1, pass^2 and so on; ``shares`` the TSR of each epoch over the tasks of all.
    ``floor`` is the run-to-run floor: in 95 of 100 cases, two runs of the same agent differ in TSR
    by no more than that. ``widest`` is how much two of these epochs differ at most.
    """

    epochs: int
    pass_k: tuple[float, ...]
    shares: tuple[float, ...]
    deviation: float
    floor: float
    widest: float


def compute_repeats(series: Series) -> Repeats | None:
    """Return the figures of the tasks that each epoch has; None with fewer than two epochs."""
    repetitions = list(series.repetitions.values())
    attempts = Counter(row.asked.task for row in series.rows)
    tasks = {task for task, count in attempts.items() if count == len(repetitions)}
    if len(repetitions) < 2 or not tasks:  # noqa: PLR2004 - one run says nothing of two
        return None
    right = Counter(row.asked.task for row in series.rows if row.grade.is_right)
    counts = [right[task] for task in tasks]
    epochs = len(repetitions)
    shares = tuple(
        sum(row.grade.is_right for row in rows if row.asked.task in tasks) / len(tasks)
        for rows in repetitions
    )
    deviation = stdev(shares)
    return Repeats(
        epochs,
        tuple(estimate_pass(counts, epochs, k) for k in range(1, epochs + 1)),
        shares,
        deviation,
        Z * sqrt(2) * deviation,
        max(shares) - min(shares),
    )


def estimate_pass(right: Sequence[int], epochs: int, k: int) -> float:
    """Return how likely k attempts at a task are all right, over tasks on average.

    Without bias: of all choices of k of a task's attempts, the share in which all are right.
    """
    return sum(comb(count, k) for count in right) / (comb(epochs, k) * len(right))
