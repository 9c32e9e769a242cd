"""What the tasks cover: how many goals of each kind came to what, and each goal in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from review.pages.parts.heat import compute_heat_level
from sopforge.proof.dataset.coverage.coverage import SHOWN, Count, Coverage, GoalReport, GoalVerdict
from sopforge.proof.dataset.coverage.coverage_text import (
    COLUMNS,
    PROVED,
    describe_coverage,
    format_tasks,
    get_heading,
    phrase_proof,
    select_columns,
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


def build_coverage_lists(coverage: Coverage, primary: str) -> CoverageLists:
    """Return what a coverage report says, for people; ``primary`` is the primary outcome."""
    goals, mutants = coverage.goals.values(), coverage.mutants.values()
    return CoverageLists(
        tuple(describe_coverage(coverage, f"'{primary}'")),
        (
            _build_table("Goals", (*coverage.counts, coverage.total)),
            _build_table("Mutants", (*coverage.mutant_counts, coverage.mutant_total)),
        ),
        {
            "Undecided goals": _list_undecided_goals(goals),
            "Undecided mutants": _list_undecided_goals(mutants),
            "Goals that no task shows, and why": _list_proved_goals(goals),
        },
        {
            **{
                get_heading(row.kind): _list_covered_goals(goals, row.kind)
                for row in coverage.counts
            },
            **{
                f"Mutants: {get_heading(row.kind)}": _list_covered_goals(mutants, row.kind)
                for row in coverage.mutant_counts
            },
            "Mutants that no task notices, and why": _list_proved_goals(mutants),
        },
    )


def list_task_goals(coverage: Coverage, task: str) -> tuple[str, ...]:
    """Return the goals that a task shows, in words."""
    reports = coverage.goals.values()
    return tuple(goal.words for goal in reports if goal.is_shown and task in goal.tasks)


def _build_table(name: str, rows: Sequence[Count]) -> KindTable:
    columns = [item for item in select_columns(rows) if item is not GoalVerdict.UNDECIDED]
    shown = [item for item in columns if item in SHOWN]
    most = max((row.count_verdicts(item) for row in rows[:-1] for item in shown), default=1) or 1
    kinds = tuple(
        KindRow(
            get_heading(row.kind),
            row.asked,
            tuple((row.count_verdicts(item), _compute_heat(row, item, most)) for item in columns),
            row.count_verdicts(GoalVerdict.UNDECIDED),
        )
        for row in rows
    )
    return KindTable(name, tuple(COLUMNS[item] for item in columns), kinds)


def _compute_heat(row: Count, verdict: GoalVerdict, most: int) -> int:
    return (
        compute_heat_level(min(row.count_verdicts(verdict), most), most) if verdict in SHOWN else 0
    )


def _list_covered_goals(goals: Iterable[GoalReport], kind: str) -> tuple[GoalLine, ...]:
    found = [goal for goal in goals if goal.kind == kind and goal.is_shown]
    return tuple(GoalLine(goal.words, format_tasks(goal.tasks)) for goal in found)


def _list_proved_goals(goals: Iterable[GoalReport]) -> tuple[GoalLine, ...]:
    return tuple(
        GoalLine(goal.words, f"{PROVED[goal.verdict]}{phrase_proof(goal.proof)}", goal.proof)
        for goal in goals
        if goal.verdict in PROVED
    )


def _list_undecided_goals(goals: Iterable[GoalReport]) -> tuple[GoalLine, ...]:
    return tuple(
        GoalLine(goal.words, goal.reason) for goal in goals if goal.verdict is GoalVerdict.UNDECIDED
    )
