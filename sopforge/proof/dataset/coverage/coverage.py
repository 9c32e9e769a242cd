"""What became of the coverage goals and the mutants: shown by tasks, proved, or open; as stored."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

from sopforge.proof.dataset.coverage.goals.goal import Goal, GoalKind
from sopforge.proof.dataset.mutants.about import About

if TYPE_CHECKING:  # reading a report needs neither the solver nor the sampling
    from sopforge.language.logic.readings.vector import Column
    from sopforge.proof.dataset.coverage.covering import Covering
    from sopforge.proof.dataset.coverage.drawing import Draw
    from sopforge.proof.dataset.coverage.sighting import Sighting

ALL = "all"
NEAREST = " (the nearest value that a case can have)"
Proofs: TypeAlias = Mapping[str, tuple[str, ...]]


class GoalVerdict(StrEnum):
    """What became of a goal, in the order in which reports count."""

    PRIMARY = "primary"
    """The primary answer of some task shows it."""
    OUTCOMES = "outcomes"
    """No primary answer, but another scored answer of some task shows it."""
    PATH_ONLY = "path only"
    """It changes no answer, which is proved; the path of some case shows it."""
    WITHOUT_EFFECT = "without effect"
    """It changes neither an answer nor a path, which is proved."""
    IMPOSSIBLE = "impossible"
    """It occurs in no case, which is proved."""
    BEYOND = "beyond the primary answer"
    """The primary answer, which alone is asked for, never shows it, which is proved."""
    UNDECIDED = "undecided"
    """Nothing is known."""


SHOWN = (GoalVerdict.PRIMARY, GoalVerdict.OUTCOMES)


@dataclass(frozen=True, slots=True)
class GoalReport:
    """A goal and what became of it; ``kind`` is what it is about.

    ``tasks`` are those that show it, or of one that only paths show, those whose path does.
    ``proof`` has the sentences of a proof, none where it is not known in parts; ``reason`` says why
    nothing is known. ``gap`` is how far from a boundary the nearest possible value lies,
    in units of its places, 0 where it is as near as the places let it.
    """

    kind: str
    words: str
    verdict: GoalVerdict
    tasks: tuple[str, ...] = ()
    proof: tuple[str, ...] = ()
    reason: str = ""
    gap: int = 0

    @property
    def is_shown(self) -> bool:
        """Whether a scored answer of some task shows it."""
        return self.verdict in SHOWN


@dataclass(frozen=True, slots=True)
class Count:
    """How many goals there are of a kind, and what became of them."""

    kind: str
    verdicts: Mapping[GoalVerdict, int]

    def count_verdicts(self, *verdicts: GoalVerdict) -> int:
        """Return how many goals came to one of several verdicts."""
        return sum(self.verdicts[verdict] for verdict in verdicts)

    @property
    def asked(self) -> int:
        """How many goals there are."""
        return sum(self.verdicts.values())

    @property
    def shown(self) -> int:
        """How many a scored answer of some task shows."""
        return self.count_verdicts(*SHOWN)

    @property
    def could_be_shown(self) -> int:
        """How many a scored answer might show, as far as nothing is proved against it."""
        return self.count_verdicts(*SHOWN, GoalVerdict.UNDECIDED)

    def as_json(self) -> dict[str, int]:
        """Return the numbers by name."""
        found = {verdict.replace(" ", "_"): self.verdicts[verdict] for verdict in GoalVerdict}
        return {"asked": self.asked, "shown": self.shown, **found}


@dataclass(frozen=True, slots=True)
class Coverage:
    """All goals and all mutants by name, in the model's order."""

    goals: Mapping[str, GoalReport] = field(default_factory=dict)
    mutants: Mapping[str, GoalReport] = field(default_factory=dict)

    @property
    def counts(self) -> tuple[Count, ...]:
        """What became of the goals of each kind that there are."""
        return _count_by_kind(self.goals.values(), tuple(GoalKind))

    @property
    def mutant_counts(self) -> tuple[Count, ...]:
        """What became of the mutants, by what their mistake is about."""
        return _count_by_kind(self.mutants.values(), tuple(About))

    @property
    def total(self) -> Count:
        """What became of all goals."""
        return _count(ALL, self.goals.values())

    @property
    def mutant_total(self) -> Count:
        """What became of all mutants."""
        return _count(ALL, self.mutants.values())

    def list_undecided(self) -> list[GoalReport]:
        """Return the goals and mutants of which nothing is known."""
        every = (*self.goals.values(), *self.mutants.values())
        return [item for item in every if item.verdict is GoalVerdict.UNDECIDED]


def _count_by_kind(reports: Iterable[GoalReport], order: Sequence[str]) -> tuple[Count, ...]:
    by_kind: dict[str, list[GoalReport]] = {}
    for report in reports:
        by_kind.setdefault(report.kind, []).append(report)
    return tuple(_count(kind, by_kind[kind]) for kind in sorted(by_kind, key=order.index))


def _count(kind: str, reports: Iterable[GoalReport]) -> Count:
    found = Counter(report.verdict for report in reports)
    return Count(kind, {verdict: found[verdict] for verdict in GoalVerdict})


def compute_coverage(draw: Draw, proofs: Proofs) -> Coverage:
    """Return what became of the goals of a draw; ``proofs`` are those in words, by goal."""
    names = [task.id for task in draw.tasks]
    return judge_goals(draw.covering, names, draw.sightings, proofs)


def judge_goals(
    covering: Covering, names: Sequence[str], seen: Mapping[str, Sighting], proofs: Proofs
) -> Coverage:
    """Return what became of goals and mutants; ``seen`` says which of the named tasks show each."""
    judge = _Judge(covering, names, seen, proofs)
    return Coverage(
        {goal.id: judge.build_report(goal) for goal in covering.goals},
        {goal.id: judge.build_report(goal) for goal in covering.mutants},
    )


@dataclass(frozen=True, slots=True)
class _Judge:
    covering: Covering
    names: Sequence[str]
    seen: Mapping[str, Sighting]
    proofs: Proofs

    def build_report(self, goal: Goal) -> GoalReport:
        gap = self.covering.nearest.get(goal.id, 0)
        words = f"{goal.words}{NEAREST}" if gap else goal.words
        return replace(self.judge_goal(goal), words=words, gap=gap)

    def judge_goal(self, goal: Goal) -> GoalReport:
        seen, kind, words = self.seen[goal.id], str(goal.about or goal.kind), goal.words
        # Seen comes before proved or left open: a row that fills up may show it by chance.
        if seen.outcomes.any():
            verdict = GoalVerdict.PRIMARY if seen.primary.any() else GoalVerdict.OUTCOMES
            return GoalReport(kind, words, verdict, self.list_tasks(seen.outcomes))
        if goal.id in self.covering.reasons:
            reason = self.covering.reasons[goal.id]
            return GoalReport(kind, words, GoalVerdict.UNDECIDED, reason=reason)
        verdict = GoalVerdict(str(self.covering.unmet[goal.id]))
        if verdict is GoalVerdict.PATH_ONLY:
            return GoalReport(kind, words, verdict, self.list_tasks(seen.trajectory))
        return GoalReport(kind, words, verdict, proof=self.proofs.get(goal.id, ()))

    def list_tasks(self, shows: Column) -> tuple[str, ...]:
        return tuple(self.names[place] for place in shows.nonzero()[0].tolist())


def as_report(coverage: Coverage) -> dict[str, object]:
    """Return the coverage as plain JSON values, counts first."""
    goals = (*coverage.counts, coverage.total)
    mutants = (*coverage.mutant_counts, coverage.mutant_total)
    return {
        "counts": {
            "goals": {row.kind: row.as_json() for row in goals},
            "mutants": {row.kind: row.as_json() for row in mutants},
        },
        "goals": {name: _build_report_record(report) for name, report in coverage.goals.items()},
        "mutants": {
            name: _build_report_record(report) for name, report in coverage.mutants.items()
        },
    }


def read_coverage(text: str) -> Coverage:
    """Return the coverage that ``coverage.json`` holds."""
    report = json.loads(text)
    return Coverage(
        {name: _read(entry) for name, entry in report["goals"].items()},
        {name: _read(entry) for name, entry in report["mutants"].items()},
    )


def _build_report_record(report: GoalReport) -> dict[str, object]:
    found = {name: getattr(report, name) for name in GoalReport.__dataclass_fields__}
    return {name: value for name, value in found.items() if value}


def _read(entry: Mapping[str, Any]) -> GoalReport:
    return GoalReport(
        entry["kind"],
        entry["words"],
        GoalVerdict(entry["verdict"]),
        tuple(entry.get("tasks", ())),
        tuple(entry.get("proof", ())),
        entry.get("reason", ""),
        entry.get("gap", 0),
    )
