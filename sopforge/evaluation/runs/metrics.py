"""Rates over the tasks of a run, with intervals: of all tasks that were asked for.

ECR is the share of tasks with a complete answer, C-TSR that of right ones among these, TSR that of
right ones among all (SOP-Bench v1, section 5). TSR is ECR times C-TSR.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import sqrt

Z = 1.959963984540054
"""Of 95 percent, two-sided."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of tasks from 0 to 1, and the interval of 95 percent around it.

    ``of`` is how many tasks it is a share of; of none, there is no share.
    """

    share: float | None
    low: float
    high: float
    of: int


@dataclass(frozen=True, slots=True)
class AttemptVerdict:
    """What is counted of one attempt. Tasks of one path are much alike: their ``path`` says so.

    ``task`` is given where there are several attempts of it, which are more alike still.
    """

    is_complete: bool
    is_right: bool
    path: Hashable
    task: Hashable = None


@dataclass(frozen=True, slots=True)
class Rates:
    """The rates of a run."""

    ecr: Rate
    c_tsr: Rate
    tsr: Rate


def compute_rates(verdicts: Sequence[AttemptVerdict]) -> Rates:
    """Return the rates of all attempts that were asked for."""
    complete = [item for item in verdicts if item.is_complete]
    return Rates(
        _compute_rate_of(verdicts, [item.is_complete for item in verdicts]),
        _compute_rate_of(complete, [item.is_right for item in complete]),
        _compute_rate_of(verdicts, [item.is_right for item in verdicts]),
    )


def _compute_rate_of(verdicts: Sequence[AttemptVerdict], hits: Sequence[bool]) -> Rate:
    tasks = [item.task for item in verdicts]
    return compute_rate(
        list(zip(hits, (item.path for item in verdicts), strict=True)),
        None if None in tasks else tasks,
    )


def compute_rate(
    hits: Sequence[tuple[bool, Hashable]], tasks: Sequence[Hashable] | None = None
) -> Rate:
    """Return the share of hits, with Wilson's interval for their effective number.

    Hits of one cluster go together, so that n of them say no more than n divided by the design
    effect: the variance of the share between clusters over that of independent hits, 1 at least.
    Where there are several attempts of ``tasks``, these are clusters too, and the greater effect
    counts.
    """
    count = len(hits)
    if not count:
        return Rate(None, 0.0, 1.0, 0)
    share = sum(hit for hit, _ in hits) / count
    effect = _compute_design_effect(hits, share)
    if tasks is not None and len(set(tasks)) < count:
        repeated = [(hit, task) for (hit, _), task in zip(hits, tasks, strict=True)]
        # Where all attempts end alike nothing shows how much they depend on each other: wholly.
        most = 1.0 if 0 < share < 1 else count / len(set(tasks))
        effect = max(effect, most, _compute_design_effect(repeated, share))
    low, high = compute_wilson_interval(share, count / effect)
    return Rate(share, low, high, count)


def compute_wilson_interval(share: float, count: float) -> tuple[float, float]:
    """Return Wilson's score interval of a share of so many independent tasks."""
    middle = share + Z * Z / (2 * count)
    spread = Z * sqrt(share * (1 - share) / count + Z * Z / (4 * count * count))
    whole = 1 + Z * Z / count
    return max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)


def _compute_design_effect(hits: Sequence[tuple[bool, Hashable]], share: float) -> float:
    count, alone = len(hits), share * (1 - share)
    sums: defaultdict[Hashable, float] = defaultdict(float)
    for hit, cluster in hits:
        sums[cluster] += hit - share
    clusters = len(sums)
    if not alone or clusters < 2:  # noqa: PLR2004 - nothing varies between clusters
        return 1.0
    between = sum(total * total for total in sums.values()) * clusters / (clusters - 1)
    return max(1.0, between / (count * alone))
