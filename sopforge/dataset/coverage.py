"""What became of the coverage goals: shown by tasks, proved impossible, or open; as stored."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from sopforge.dataset.goals import Goal, Kind

if TYPE_CHECKING:  # reading a report needs neither the solver nor the sampling
    from sopforge.dataset.covering import Covering
    from sopforge.dataset.drawing import Draw

ALL = "all"
Proofs: TypeAlias = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Shown:
    """A goal and the tasks that show it; of a mutant, those that notice it."""

    kind: str
    words: str
    tasks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Impossible:
    """A goal that no case shows, and facts of the model that it cannot hold with.

    The proof is empty where none in such parts was found; that there is no case is proved anyway.
    """

    kind: str
    words: str
    proof: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Open:
    """A goal of which nothing is known, and why."""

    kind: str
    words: str
    reason: str


@dataclass(frozen=True, slots=True)
class Count:
    """How many goals there are of a kind, and what became of them."""

    kind: str
    asked: int
    shown: int
    impossible: int
    undecided: int


@dataclass(frozen=True, slots=True)
class Mutants:
    """What became of the mutants, by name.

    ``other_path_only`` change no answer, but lead these tasks along another path.
    """

    killed: Mapping[str, Shown] = field(default_factory=dict)
    other_path_only: Mapping[str, Shown] = field(default_factory=dict)
    equivalent: Mapping[str, Impossible] = field(default_factory=dict)
    undecided: Mapping[str, Open] = field(default_factory=dict)

    @property
    def asked(self) -> int:
        """How many mutants there are."""
        parts = (self.killed, self.other_path_only, self.equivalent, self.undecided)
        return sum(map(len, parts))


@dataclass(frozen=True, slots=True)
class Coverage:
    """All goals by name, in the model's order, and the mutants."""

    goals: Mapping[str, Shown]
    infeasible: Mapping[str, Impossible]
    undecided: Mapping[str, Open]
    mutants: Mutants

    @property
    def counts(self) -> tuple[Count, ...]:
        """What became of the goals of each kind that there are; mutants are counted apart."""
        shown, unable, unknown = (
            Counter(goal.kind for goal in part.values())
            for part in (self.goals, self.infeasible, self.undecided)
        )
        rows = [
            Count(kind, shown[kind] + unable[kind] + unknown[kind], *numbers)
            for kind in Kind
            for numbers in [(shown[kind], unable[kind], unknown[kind])]
        ]
        return tuple(row for row in rows if row.asked)

    @property
    def total(self) -> Count:
        """What became of all goals."""
        shown, unable, unknown = map(len, (self.goals, self.infeasible, self.undecided))
        return Count(ALL, shown + unable + unknown, shown, unable, unknown)


def coverage_of(draw: Draw, proofs: Proofs) -> Coverage:
    """Return what became of the goals of a draw; ``proofs`` are those in words, by goal."""
    return judged(draw.covering, draw.goals, proofs)


def judged(covering: Covering, met: Mapping[str, tuple[str, ...]], proofs: Proofs) -> Coverage:
    """Return what became of goals and mutants; ``met`` has the tasks that meet each."""
    found = _Judged(covering, met, proofs)
    return Coverage(
        found.shown(covering.goals),
        found.impossible(covering.goals),
        found.open(covering.goals),
        Mutants(
            found.shown(covering.mutants),
            {
                goal.id: Shown(goal.kind, goal.words, covering.other_paths[goal.id])
                for goal in covering.mutants
                if goal.id in covering.other_paths
            },
            found.impossible(covering.mutants),
            found.open(covering.mutants),
        ),
    )


@dataclass(frozen=True, slots=True)
class _Judged:
    covering: Covering
    met: Mapping[str, tuple[str, ...]]
    proofs: Proofs

    def shown(self, goals: Iterable[Goal]) -> dict[str, Shown]:
        return {
            goal.id: Shown(goal.kind, goal.words, self.met[goal.id])
            for goal in goals
            if self.met[goal.id]
        }

    def impossible(self, goals: Iterable[Goal]) -> dict[str, Impossible]:
        unable = set(self.covering.infeasible) - set(self.covering.other_paths)
        return {
            goal.id: Impossible(goal.kind, goal.words, self.proofs.get(goal.id, ()))
            for goal in goals
            if goal.id in unable
        }

    def open(self, goals: Iterable[Goal]) -> dict[str, Open]:
        left = set(self.covering.undecided)
        return {
            goal.id: Open(goal.kind, goal.words, self.covering.reasons[goal.id])
            for goal in goals
            if goal.id in left
        }


def as_report(coverage: Coverage) -> dict[str, object]:
    """Return the coverage as plain JSON values, counts first."""
    mutants = coverage.mutants
    parts = {name: getattr(mutants, name) for name in Mutants.__dataclass_fields__}
    counts = {"asked": mutants.asked, **{name: len(part) for name, part in parts.items()}}
    return {
        "counts": {
            row.kind: {name: number for name, number in asdict(row).items() if name != "kind"}
            for row in (*coverage.counts, coverage.total)
        },
        "goals": _plain(coverage.goals),
        "infeasible": _plain(coverage.infeasible),
        "undecided": _plain(coverage.undecided),
        "mutants": {"counts": counts, **{name: _plain(part) for name, part in parts.items()}},
    }


def read_coverage(text: str) -> Coverage:
    """Return the coverage that ``coverage.json`` holds."""
    report = json.loads(text)
    mutants = report["mutants"]
    return Coverage(
        _read(report["goals"], Shown),
        _read(report["infeasible"], Impossible),
        _read(report["undecided"], Open),
        Mutants(
            _read(mutants["killed"], Shown),
            _read(mutants["other_path_only"], Shown),
            _read(mutants["equivalent"], Impossible),
            _read(mutants["undecided"], Open),
        ),
    )


def _plain(part: Mapping[str, Any]) -> dict[str, object]:
    return {name: asdict(goal) for name, goal in part.items()}


def _read(part: Mapping[str, Any], kind: Any) -> dict[str, Any]:  # noqa: ANN401 - parsed JSON
    return {
        name: kind(**{key: tuple(v) if isinstance(v, list) else v for key, v in entry.items()})
        for name, entry in part.items()
    }
