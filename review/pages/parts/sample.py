"""A sample of tasks chosen by path, and the error rate that it rules out if all of it is right.

From each path a share of its tasks is drawn at random: in proportion, and one at least where there
is room. That a number of wrong tasks all escape such a sample has a probability that depends on
the paths that they lie on; the bound holds for the worst of these cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sopforge.language.domain.tasks import Task
from sopforge.seeds import draw

CONFIDENCE = 95
SIZES = (20, 59, 100, 200, 299)
"""What can be asked for; 59 right ones of very many rule out that 5 % are wrong."""
USUAL_SIZE = 59


@dataclass(frozen=True, slots=True)
class Sample:
    """The tasks to look at, of all; ``paths`` of them with a task in it.

    If all are right, ``wrong`` or more wrong tasks among all are ruled out; None if nothing is
    ruled out.
    """

    tasks: tuple[Task, ...]
    total: int
    paths: int
    paths_total: int
    wrong: int | None

    @property
    def is_all(self) -> bool:
        """Whether no task is left out."""
        return len(self.tasks) == self.total

    @property
    def rate(self) -> str:
        """The error rate that is ruled out, in percent."""
        return f"{100 * (self.wrong or 0) / self.total:.1f}"


def draw_sample(tasks: Sequence[Task], size: int, seed: int) -> Sample:
    """Return a sample of a size; equal tasks, sizes and seeds give the same."""
    paths: dict[tuple[str, ...], list[Task]] = {}
    for task in tasks:
        paths.setdefault(task.path, []).append(task)
    strata = sorted(paths.values(), key=len, reverse=True)
    shares = allocate_shares([len(stratum) for stratum in strata], size)
    chosen = {
        task.id
        for stratum, share in zip(strata, shares, strict=True)
        # By the task's own id: tasks that are added later change the place of no other (ADR 0005).
        for task in sorted(stratum, key=lambda task: draw(seed, "review", task.id))[:share]
    }
    pairs = [(len(stratum), share) for stratum, share in zip(strata, shares, strict=True)]
    return Sample(
        tuple(task for stratum in strata for task in stratum if task.id in chosen),
        len(tasks),
        sum(share > 0 for share in shares),
        len(strata),
        count_ruled_out(pairs),
    )


def allocate_shares(sizes: Sequence[int], wanted: int) -> list[int]:
    """Return how many of each group to take: one of each, largest first, the rest in proportion.

    >>> allocate_shares([80, 15, 5], 10)
    [7, 2, 1]
    """
    wanted = min(wanted, sum(sizes))
    shares = [int(place < wanted) for place in range(len(sizes))]
    left = wanted - sum(shares)
    room = [size - share for size, share in zip(sizes, shares, strict=True)]
    total = sum(room)
    if left <= 0 or not total:
        return shares
    parts = [left * space // total for space in room]
    rests = sorted(range(len(room)), key=lambda place: (-(left * room[place] % total), place))
    for place in rests[: left - sum(parts)]:
        parts[place] += 1
    return [share + part for share, part in zip(shares, parts, strict=True)]


def count_ruled_out(groups: Sequence[tuple[int, int]]) -> int | None:
    """Return the least number of wrong tasks that a sample without one rules out, at 95 %.

    ``groups`` have their size and how many of them are looked at. Wrong tasks are put where they
    escape best, one by one: in each group another one escapes less easily than the one before, so
    that this is the worst case. The probabilities are exact (hypergeometric).

    >>> count_ruled_out([(20, 20)]), count_ruled_out([(100, 0)])
    (1, None)
    """
    hidden = [0] * len(groups)
    escaping = 1.0
    for wrong in range(1, sum(size for size, _ in groups) + 1):
        chances = [
            (size - put - looked) / (size - put) if put < size - looked else 0.0
            for (size, looked), put in zip(groups, hidden, strict=True)
        ]
        best = max(range(len(groups)), key=chances.__getitem__)
        escaping *= chances[best]
        hidden[best] += 1
        if 100 * escaping <= 100 - CONFIDENCE:
            return wrong
    return None
