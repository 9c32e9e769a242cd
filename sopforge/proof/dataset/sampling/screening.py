"""Which of many rows may become tasks, and the path of each: whole columns at once.

The procedure unfolded says when each edge is taken. Rows that take the same edges have one path,
so that one of them is walked and lends its path to the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np

from sopforge.language.domain.expressions.expressions import Expression, Not, iterate_parts
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.readings.scalar import holds
from sopforge.language.logic.readings.vector import PIECE, Columns, evaluate_all
from sopforge.language.logic.tables import build_coverage_condition
from sopforge.language.logic.variants.substitution import Substitution
from sopforge.language.logic.walking import Walk
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.bulk import as_columns, as_rows
from sopforge.proof.dataset.sampling.completions import DETERMINED, Completions
from sopforge.proof.dataset.sampling.sampling import sample_columns
from sopforge.proof.solving.unfolded_places import TooManyStepsError
from sopforge.proof.solving.unfolding import FALSE, TRUE, Unfolded, build_conjunction, unfold

BROKEN = "a constraint does not hold"
REFUSED = "a tool refuses"
NO_RULE = "no rule applies"
Path: TypeAlias = tuple[str, ...]
Verdict: TypeAlias = str | Path
"""Why a row cannot become a task, or the path of one that may."""
_FEW = 256
_CELLS = 1 << 24


@dataclass(frozen=True, slots=True)
class Screened:
    """The numbers of rows that may become tasks, each with its path, and why others may not."""

    paths: Mapping[int, Path]
    rejected: Mapping[str, int]


class Screening(Protocol):
    """A method that screens rows: ``piece`` rows at a time, a verdict for each."""

    @property
    def piece(self) -> int:
        """How many rows are screened at a time."""

    def judge_rows(self, columns: Columns) -> list[Verdict]:
        """Return a verdict for each row."""


def screen_rows(
    model: DomainModel, seed: int, numbers: Sequence[int], *, completes: bool = True
) -> Screened:
    """Return what becomes of the rows of the given numbers; none of them is kept in memory.

    Whoever looks at few of many rows asks himself whether what those lack matters (``completes``).
    """
    screening, completions = choose_screening(model), Completions(model)
    paths: dict[int, Path] = {}
    rejected: Counter[str] = Counter()
    for start in range(0, len(numbers), screening.piece):
        asked = numbers[start : start + screening.piece]
        columns = sample_columns(model, seed, asked)
        found = screening.judge_rows(columns)
        if model.lacking and completes:
            found = _refuse_determined(completions, columns, found)
        for number, verdict in zip(asked, found, strict=True):
            if isinstance(verdict, str):
                rejected[verdict] += 1
            else:
                paths[number] = verdict
    return Screened(paths, dict(rejected))


def _refuse_determined(
    completions: Completions, columns: Columns, verdicts: Sequence[Verdict]
) -> list[Verdict]:
    """Return verdicts that refuse rows with an entry lacking that may be of no account."""
    model, found = completions.model, list(verdicts)
    # Few rows lack an entry, and only these are looked at one by one.
    lacking = [columns.present[name] for name in model.lacking if name in columns.present]
    full = np.logical_and.reduce(lacking) if lacking else np.ones(columns.count, dtype=bool)
    for place in np.flatnonzero(~full):
        (row,) = as_rows(model, columns.slice_rows(int(place), int(place) + 1))
        if not isinstance(found[place], str) and completions.is_determined(row):
            found[place] = DETERMINED
    return found


def choose_screening(model: DomainModel) -> Screening:
    """Return the quickest method to screen rows that agrees with the oracle."""
    try:
        return ByColumns(model, unfold(model))
    except TooManyStepsError:
        return Walking(model)


def trace_paths(model: DomainModel, rows: Sequence[Mapping[str, Value | None]]) -> list[Path]:
    """Return the path of each row, of one that cannot be a task as far as it goes."""
    found = choose_screening(model).judge_rows(as_columns(model, rows))
    return [
        tuple(label_row(model, row).path) if isinstance(verdict, str) else verdict
        for row, verdict in zip(rows, found, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Walking:
    """Walks every row."""

    model: DomainModel
    piece: int = _FEW

    def judge_rows(self, columns: Columns) -> list[Verdict]:
        return [self.judge_row(row) for row in as_rows(self.model, columns)]

    def judge_row(self, row: Mapping[str, Value | None]) -> Verdict:
        if not all(holds(constraint, row) for constraint in self.model.row_conditions):
            return BROKEN
        done = label_row(self.model, row)
        return describe_fault(done) or tuple(done.path)


class ByColumns:
    """Reads constraints, refusals, gaps and edges over columns, and walks one row per path."""

    def __init__(self, model: DomainModel, places: Sequence[Unfolded]) -> None:
        self.model = model
        # One that never occurs, for a model in which nothing can go wrong.
        faults: list[tuple[str, Expression]] = [(BROKEN, FALSE)]
        faults += [(BROKEN, Not(constraint)) for constraint in model.row_conditions]
        faults += [fault for place in places for fault in _iterate_faults(model, place)]
        self.reasons = [reason for reason, _ in faults]
        # Where there is one edge alone, it distinguishes no paths.
        forks = [place for place in places if len(place.transitions) > 1]
        edges = [edge.condition for place in forks for edge in place.transitions]
        self.conditions = [*(condition for _, condition in faults), TRUE, *edges]
        # Each part of a condition has a column in memory: a long procedure takes fewer rows.
        self.piece = max(
            _FEW, min(PIECE, _CELLS // sum(1 for _ in iterate_parts(*self.conditions)))
        )
        self.known: dict[bytes, Path] = {}

    def judge_rows(self, columns: Columns) -> list[Verdict]:
        met = np.stack([column != 0 for column in evaluate_all(self.conditions, columns)], axis=1)
        none = len(self.reasons)  # after the faults stands a condition that always holds
        faults, edges = np.split(met, [none + 1], axis=1)
        taken = np.packbits(edges, axis=1)
        return [
            self.find_path(columns, place, taken[place].tobytes())
            if fault == none
            else self.reasons[fault]
            for place, fault in enumerate(faults.argmax(axis=1).tolist())
        ]

    def find_path(self, columns: Columns, place: int, taken: bytes) -> Path:
        """Return the path of rows that take these edges, of which one stands at a place."""
        if taken not in self.known:
            (row,) = as_rows(self.model, columns.slice_rows(place, place + 1))
            self.known[taken] = tuple(label_row(self.model, row).path)
        return self.known[taken]


def _iterate_faults(model: DomainModel, place: Unfolded) -> Iterator[tuple[str, Expression]]:
    """Return what ends a case at a step before its time, in the order in which it does."""
    for refusal in place.refusals:
        yield f"{REFUSED} with {refusal.code}", refusal.condition
    for target, moment in place.moments.items():
        condition = build_coverage_condition(model.decisions[target])
        if condition is not None:
            decided = Substitution(moment.known, TRUE).apply_to(condition)
            yield f"{NO_RULE} of {target}", build_conjunction(moment.reached, Not(decided))


def describe_fault(done: Walk) -> str:
    """Return why a walk is no task, "" if it is one."""
    if done.refusal is not None:
        return f"{REFUSED} with {done.refusal.code}"
    return f"{NO_RULE} of {done.undecided}" if done.undecided else ""
