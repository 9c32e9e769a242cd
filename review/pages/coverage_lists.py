"""What the tasks cover: how many goals of each kind few or many tasks show, and each in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from review.pages.heat import level
from sopforge.dataset.coverage import Coverage, Impossible, Open, Shown
from sopforge.dataset.coverage_text import (
    ALIKE,
    NO_CASE,
    because,
    heading,
    mutant_counts,
    told_tasks,
)

OFTEN = ((1, 1, "by 1 task"), (2, 4, "by 2 to 4"), (5, 9, "by 5 to 9"), (10, None, "by 10 or more"))
"""How many tasks show a goal, from and up to, and how a column says so."""


@dataclass(frozen=True, slots=True)
class Told:
    """A goal in words, what is to be said of it, and the sentences of a proof."""

    words: str
    says: str
    proof: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KindRow:
    """The goals of a kind: how many few and many tasks show, how many no case can, and the rest.

    ``shown`` has a number for each column of ``OFTEN``, with its heat.
    """

    name: str
    asked: int
    shown: tuple[tuple[int, int], ...]
    impossible: int
    undecided: int


@dataclass(frozen=True, slots=True)
class CoverageLists:
    """The counts of goals and mutants as tables, and lists that stand open or fold up."""

    columns: tuple[str, ...]
    kinds: tuple[KindRow, ...]
    mutants: Mapping[str, int]
    open: Mapping[str, tuple[Told, ...]]
    folded: Mapping[str, tuple[Told, ...]]


def coverage_lists(coverage: Coverage) -> CoverageLists:
    """Return what a coverage report says, for people."""
    mutants = coverage.mutants
    shown = {
        heading(row.kind): _shown(goal for goal in coverage.goals.values() if goal.kind == row.kind)
        for row in coverage.counts
    }
    return CoverageLists(
        tuple(words for _, _, words in OFTEN),
        tuple(_kinds(coverage)),
        mutant_counts(coverage),
        {
            "What no case shows, and why": _impossible(coverage.infeasible, NO_CASE),
            "Undecided goals": _open(coverage.undecided),
            "Undecided mutants": _open(mutants.undecided),
        },
        {
            **shown,
            "Mutants that a task notices": _shown(mutants.killed.values()),
            "Mutants that change only the path": _shown(mutants.other_path_only.values()),
            "Mutants that decide every case alike": _impossible(mutants.equivalent, ALIKE),
        },
    )


def goals_of(coverage: Coverage, task: str) -> tuple[str, ...]:
    """Return the goals that a task shows, in words."""
    return tuple(goal.words for goal in coverage.goals.values() if task in goal.tasks)


def _kinds(coverage: Coverage) -> Iterator[KindRow]:
    often = Counter((goal.kind, _column(len(goal.tasks))) for goal in coverage.goals.values())
    most = max(often.values(), default=1)
    for row in coverage.counts:
        numbers = [often[row.kind, place] for place in range(len(OFTEN))]
        cells = tuple((number, level(number, most)) for number in numbers)
        yield KindRow(heading(row.kind), row.asked, cells, row.impossible, row.undecided)


def _column(tasks: int) -> int:
    return sum(tasks > up_to for _, up_to, _ in OFTEN if up_to is not None)


def _shown(goals: Iterable[Shown]) -> tuple[Told, ...]:
    return tuple(Told(goal.words, told_tasks(goal.tasks)) for goal in goals)


def _impossible(goals: Mapping[str, Impossible], said: str) -> tuple[Told, ...]:
    return tuple(
        Told(goal.words, f"{said}{because(goal.proof)}", goal.proof) for goal in goals.values()
    )


def _open(goals: Mapping[str, Open]) -> tuple[Told, ...]:
    return tuple(Told(goal.words, goal.reason) for goal in goals.values())
