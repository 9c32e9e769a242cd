"""What the tasks cover: how many goals of each kind came to what, and each goal in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from review.pages.parts.heat import level
from sopforge.dataset.coverage.coverage import SHOWN, Count, Coverage, GoalReport, Verdict
from sopforge.dataset.coverage.coverage_text import (
    COLUMNS,
    PROVED,
    because,
    columns_of,
    heading,
    summary,
    told_tasks,
)


@dataclass(frozen=True, slots=True)
class GoalLine:
    """A goal in words, what is to be said of it, and the sentences of a proof."""

    words: str
    says: str
    proof: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KindRow:
    """The goals of a kind by what became of them: a number for each column, with its heat."""

    name: str
    asked: int
    cells: tuple[tuple[int, int], ...]
    undecided: int


@dataclass(frozen=True, slots=True)
class KindTable:
    """A table of goals, or of mutants, by kind."""

    name: str
    columns: tuple[str, ...]
    kinds: tuple[KindRow, ...]


@dataclass(frozen=True, slots=True)
class CoverageLists:
    """The coverage in sentences, in tables, and in lists that stand open or fold up."""

    says: tuple[str, ...]
    tables: tuple[KindTable, ...]
    open: Mapping[str, tuple[GoalLine, ...]]
    folded: Mapping[str, tuple[GoalLine, ...]]


def coverage_lists(coverage: Coverage, primary: str) -> CoverageLists:
    """Return what a coverage report says, for people; ``primary`` is the primary outcome."""
    goals, mutants = coverage.goals.values(), coverage.mutants.values()
    return CoverageLists(
        tuple(summary(coverage, f"'{primary}'")),
        (
            _table("Goals", (*coverage.counts, coverage.total)),
            _table("Mutants", (*coverage.mutant_counts, coverage.mutant_total)),
        ),
        {
            "Undecided goals": _open(goals),
            "Undecided mutants": _open(mutants),
            "Goals that no task shows, and why": _proved(goals),
        },
        {
            **{heading(row.kind): _shown(goals, row.kind) for row in coverage.counts},
            **{
                f"Mutants: {heading(row.kind)}": _shown(mutants, row.kind)
                for row in coverage.mutant_counts
            },
            "Mutants that no task notices, and why": _proved(mutants),
        },
    )


def goals_of(coverage: Coverage, task: str) -> tuple[str, ...]:
    """Return the goals that a task shows, in words."""
    reports = coverage.goals.values()
    return tuple(goal.words for goal in reports if goal.is_shown and task in goal.tasks)


def _table(name: str, rows: Sequence[Count]) -> KindTable:
    columns = [item for item in columns_of(rows) if item is not Verdict.UNDECIDED]
    shown = [item for item in columns if item in SHOWN]
    most = max((row.of(item) for row in rows[:-1] for item in shown), default=1) or 1
    kinds = tuple(
        KindRow(
            heading(row.kind),
            row.asked,
            tuple((row.of(item), _heat(row, item, most)) for item in columns),
            row.of(Verdict.UNDECIDED),
        )
        for row in rows
    )
    return KindTable(name, tuple(COLUMNS[item] for item in columns), kinds)


def _heat(row: Count, verdict: Verdict, most: int) -> int:
    return level(min(row.of(verdict), most), most) if verdict in SHOWN else 0


def _shown(goals: Iterable[GoalReport], kind: str) -> tuple[GoalLine, ...]:
    found = [goal for goal in goals if goal.kind == kind and goal.is_shown]
    return tuple(GoalLine(goal.words, told_tasks(goal.tasks)) for goal in found)


def _proved(goals: Iterable[GoalReport]) -> tuple[GoalLine, ...]:
    return tuple(
        GoalLine(goal.words, f"{PROVED[goal.verdict]}{because(goal.proof)}", goal.proof)
        for goal in goals
        if goal.verdict in PROVED
    )


def _open(goals: Iterable[GoalReport]) -> tuple[GoalLine, ...]:
    return tuple(
        GoalLine(goal.words, goal.reason) for goal in goals if goal.verdict is Verdict.UNDECIDED
    )
