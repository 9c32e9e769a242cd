"""Gaps: whether an agent does better on the tasks of one draw than on those of another.

Who has met published tasks before, in training or elsewhere, does better on them than on tasks that
were drawn anew from the same model. The tasks are others, so that nothing is paired but the goals
that both draws have a task for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import hypot
from pathlib import Path

from sopforge.errors import Fault, MaterialError
from sopforge.evaluation.figures.repeats import compute_repeats
from sopforge.evaluation.figures.series import Series, list_series
from sopforge.evaluation.packages.proved import ProvedPackage
from sopforge.evaluation.runs.comparing import compute_sign_test
from sopforge.evaluation.runs.metrics import AttemptVerdict, Rate, compute_rates
from sopforge.evaluation.runs.rows import Row
from sopforge.evaluation.understanding.packages import (
    are_draws,
    group_draws,
    iterate_wanted,
    list_noted,
)


@dataclass(frozen=True, slots=True)
class DrawGap:
    """What one agent does on two draws of one package.

    ``first`` and ``second`` are its TSR on each. ``goals`` counts goals of which most attempts in
    the one draw alone are right, and in the other alone. ``floor`` is the run-to-run floor, the
    larger one where both are known; None where no task was attempted more than once.
    """

    series: tuple[Sequence[Series], Sequence[Series]]
    first: Rate
    second: Rate
    goals: tuple[int, int]
    floor: float | None

    @property
    def difference(self) -> float:
        """The TSR on the second draw less that on the first."""
        return (self.second.share or 0.0) - (self.first.share or 0.0)

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of 95 percent around the difference: Newcombe's, of independent shares."""
        one, other = self.first, self.second
        p, q = one.share or 0.0, other.share or 0.0
        below, above = hypot(q - other.low, one.high - p), hypot(other.high - q, p - one.low)
        return max(-1.0, self.difference - below), min(1.0, self.difference + above)

    @property
    def p_value(self) -> float:
        """How likely goals part so unevenly by chance: the sign test, exact and two-sided."""
        return compute_sign_test(*self.goals)

    @property
    def is_beyond_chance(self) -> bool:
        """Whether neither other tasks nor another run of the agent account for the difference."""
        low, high = self.interval
        return not low <= 0 <= high and abs(self.difference) > (self.floor or 0.0)


def measure_gaps(
    first: Iterable[Row],
    second: Iterable[Row],
    runs: Iterable[Path],
    named: Sequence[str],
    store: str,
) -> list[DrawGap]:
    """Return what each agent of two runs does on the draws of one and of the other.

    Several draws of one run count together. Packages are those ``named``, else those that ``runs``
    noted.

    Raises:
        SopForgeError: a package cannot be read, or no agent worked at two draws of one package.
    """
    sides = list_series(first), list_series(second)
    wanted = {item.digest for side in sides for item in side}
    places = [(name, store) for name in named] or list_noted(runs, wanted, store)
    packages = {
        package.digest: package
        for package, _ in iterate_wanted(places, wanted)
        if isinstance(package, ProvedPackage)
    }
    groups = [group_draws(side, packages) for side in sides]
    found = [
        _measure(one, other)
        for one in groups[0]
        for other in groups[1]
        if are_draws(one[0], other[0], packages)
    ]
    if not found:
        message = "the runs have no task in common, and no agent worked on two draws of one package"
        hint = "run both agents on one package with one --seed, or one agent on two draws of it;"
        hint += " if packages have moved, name them with '--packages'"
        raise MaterialError(Fault("runs-not-paired", message, "", hint))
    return found


def _measure(one: Sequence[Series], other: Sequence[Series]) -> DrawGap:
    rates = [_compute_tsr(side) for side in (one, other)]
    repeats = [compute_repeats(item) for item in (*one, *other)]
    floors = [item.floor for item in repeats if item is not None]
    goals = _count_goals(one, other)
    return DrawGap((one, other), rates[0], rates[1], goals, max(floors, default=None))


def _compute_tsr(side: Sequence[Series]) -> Rate:
    # The same id stands for another task in another draw.
    verdicts = [
        AttemptVerdict(
            row.grade.is_complete,
            row.grade.is_right,
            row.grade.path,
            (item.digest, row.asked.task),
        )
        for item in side
        for row in item.rows
    ]
    return compute_rates(verdicts).tsr


def _count_goals(one: Sequence[Series], other: Sequence[Series]) -> tuple[int, int]:
    """Return of how many goals that both have the tasks of either alone are right."""
    left, right = _find_right_goals(one), _find_right_goals(other)
    shared = left.keys() & right.keys()
    first = sum(left[goal] and not right[goal] for goal in shared)
    return first, sum(right[goal] and not left[goal] for goal in shared)


def _find_right_goals(side: Sequence[Series]) -> dict[str, bool]:
    """Return whether more than half of the attempts at the tasks of each goal are right."""
    found: defaultdict[str, list[bool]] = defaultdict(list)
    for row in (row for item in side for row in item.rows):
        if row.grade.goal:
            found[row.grade.goal].append(row.grade.is_right)
    return {goal: 2 * sum(hits) > len(hits) for goal, hits in found.items()}
