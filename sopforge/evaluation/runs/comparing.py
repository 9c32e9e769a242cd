"""Two runs on the same tasks, compared pair by pair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path

from sopforge.errors import Fault, MaterialError
from sopforge.evaluation.runs.rows import ROWS, Asked, Row, RunFolder, read_asked

SEPARATOR = "#"


@dataclass(frozen=True, slots=True)
class Pairs:
    """On how many tasks both, one or none of two runs are right.

    ``lone`` counts the attempts of either run that the other has no attempt to pair with.
    """

    package: str
    both: int
    first: int
    second: int
    neither: int
    lone: int
    apart: Mapping[str, tuple[int, int]]
    """By goal, how many tasks the first run alone has right, and the second alone."""

    @property
    def count(self) -> int:
        """How many pairs there are."""
        return self.both + self.first + self.second + self.neither

    @property
    def difference(self) -> float:
        """The TSR of the second run less that of the first, on the tasks of both."""
        return (self.second - self.first) / self.count

    @property
    def p_value(self) -> float:
        """How likely so uneven a split is by chance: McNemar's test, exact and two-sided."""
        return compute_sign_test(self.first, self.second)

    def as_record(self) -> dict[str, object]:
        """Return the counts and what they come to, for programs."""
        return {
            "tasks": self.count,
            "both": self.both,
            "first": self.first,
            "second": self.second,
            "neither": self.neither,
            "lone": self.lone,
            "difference": self.difference,
            "p_value": self.p_value,
        }


def compute_sign_test(first: int, second: int) -> float:
    """Return how likely a fair coin falls as unevenly as this, or more so."""
    count = first + second
    tail = sum(comb(count, hits) for hits in range(min(first, second) + 1))
    # Whole numbers up to here: the sum has hundreds of digits where runs are long.
    return min(1.0, 2 * tail / (1 << count))


def locate_run(named: str) -> Path:
    """Return the folder of a run as it was named."""
    return Path(named.partition(SEPARATOR)[0])


def read_run(named: str) -> list[Row]:
    """Return the rows of one agent in a folder: ``FOLDER``, or ``FOLDER#AGENT`` where it has more.

    Raises:
        MaterialError: the folder has no rows, those of several agents, or none of the one named.
    """
    return read_runs(named, most=1)


def read_runs(named: str, *, most: int | None = None) -> list[Row]:
    """Return the rows of a folder, or of one agent in it: ``FOLDER#AGENT``.

    Raises:
        MaterialError: the folder has no rows, those of more than ``most`` agents, or none of the
            one named.
    """
    place, _, agent = named.partition(SEPARATOR)
    if not (Path(place) / ROWS).is_file():
        message = f"there is no {ROWS} in {place}"
        hint = "name the folder that you gave to 'sopforge evaluate --out'"
        raise MaterialError(Fault("run-not-found", message, named, hint))
    rows = list(RunFolder(Path(place), is_read=True).rows.values())
    if not rows:
        hint = "run 'sopforge evaluate' into the folder again, which repeats interrupted attempts"
        raise MaterialError(Fault("run-not-found", f"{ROWS} has no rows yet", named, hint))
    agents = list(dict.fromkeys(row.asked.agent for row in rows))
    is_clear = agent in agents if agent else most is None or len(agents) == most
    if not is_clear:
        message = f"it has no agent '{agent}'" if agent else "it has rows of several agents"
        hint = f"name one of them: {', '.join(f'{place}{SEPARATOR}{name}' for name in agents)}"
        raise MaterialError(Fault("run-agent-unclear", message, named, hint))
    return [row for row in rows if not agent or row.asked.agent == agent]


def read_asked_runs(named: Iterable[str]) -> list[Asked]:
    """Return what was asked for in the folders of runs, as they were named."""
    folders = dict.fromkeys(map(locate_run, named))
    return [item for folder in folders for item in read_asked(folder)]


def has_common_package(first: str, second: str) -> bool:
    """Return whether two runs, as they were named, are of one package at least.

    Raises:
        MaterialError: as ``read_runs``.
    """
    one, other = ({row.asked.digest for row in read_runs(named)} for named in (first, second))
    return not one.isdisjoint(other)


def pair_runs(first: Iterable[Row], second: Iterable[Row]) -> list[Pairs]:
    """Return how two runs compare, package by package, where both have attempts of its tasks.

    Attempts are paired by the package's digest, task, seed and epoch.

    Raises:
        MaterialError: no attempt of one has a pair.
    """
    left, right = (_split_by_digest(rows) for rows in (first, second))
    pairs = (pair_across(rows, right.get(digest, ())) for digest, rows in left.items())
    found = [item for item in pairs if item is not None]
    if not found:
        message = "the runs have no task of the same package in common"
        hint = "run both agents on the same package, with the same --seed"
        raise MaterialError(Fault("runs-not-paired", message, "", hint))
    return found


def pair_across(first: Iterable[Row], second: Iterable[Row]) -> Pairs | None:
    """Return how attempts at one package compare with those at one that has the same tasks.

    Attempts are paired by task, seed and epoch; where there is no such pair, nothing is compared.
    """
    left, right = (list(rows) for rows in (first, second))
    pairs = select_pairs(left, right)
    if not pairs:
        return None
    attempts = len({_name_pair(row) for row in left}) + len({_name_pair(row) for row in right})
    return _count_pairs(pairs, attempts - 2 * len(pairs))


def select_pairs(first: Iterable[Row], second: Iterable[Row]) -> list[tuple[Row, Row]]:
    """Return the attempts at the same task, with the same seed and epoch, in the first's order."""
    left, right = ({_name_pair(row): row for row in rows} for rows in (first, second))
    return [(row, right[key]) for key, row in left.items() if key in right]


def _split_by_digest(rows: Iterable[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.asked.digest, []).append(row)
    return found


def _name_pair(row: Row) -> tuple[str, int, int]:
    return row.asked.task, row.asked.seed, row.asked.epoch


def _count_pairs(pairs: Sequence[tuple[Row, Row]], lone: int) -> Pairs:
    counts = {(one, other): 0 for one in (True, False) for other in (True, False)}
    apart: dict[str, tuple[int, int]] = {}
    for left, right in pairs:
        verdict = left.grade.is_right, right.grade.is_right
        counts[verdict] += 1
        if verdict[0] != verdict[1]:
            before = apart.get(left.grade.goal, (0, 0))
            apart[left.grade.goal] = before[0] + verdict[0], before[1] + verdict[1]
    return Pairs(
        package=pairs[0][0].asked.package,
        both=counts[True, True],
        first=counts[True, False],
        second=counts[False, True],
        neither=counts[False, False],
        lone=lone,
        apart=dict(sorted(apart.items())),
    )
