"""Cases that both readings decide, side by side: as rows of ours, and as rows of theirs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce

import numpy as np

from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.readings.vector import Column, Columns, evaluate_all, join_pieces
from sopforge.proof.comparing.answers import AnswerPair
from sopforge.proof.comparing.column_answers import (
    Answers,
    ColumnAnswers,
    compare_known,
    walk_answers,
)
from sopforge.proof.comparing.limit_cases import move_rows
from sopforge.proof.comparing.translating import Constants, Row, Translation
from sopforge.proof.dataset.sampling.bulk import as_columns, as_rows
from sopforge.proof.dataset.sampling.sampling import sample_columns
from sopforge.proof.solving.unfolded_places import TooManyStepsError

BASES = 24
"""How many drawn rows are moved to each limit."""
FURTHER = 1_000_000
"""The numbers from which rows are drawn that are moved to limits: none of them is counted."""


@dataclass(frozen=True, slots=True)
class Census:
    """How many cases were drawn, how many of them theirs can hold, and what of others they cannot.

    ``unheld`` counts rows by the first field of theirs that has no such value.
    """

    drawn: int
    held: int
    unheld: Mapping[str, int] = field(default_factory=dict)


class Cases:
    """Rows that both readings can hold: those that were drawn come first, then those at limits."""

    def __init__(
        self, translation: Translation, pairs: Sequence[AnswerPair], seed: int, ours: Columns
    ) -> None:
        self.translation = translation
        self.pairs = tuple(pairs)
        self.seed = seed
        self.ours = ours
        self.filled = translation.draw(seed, list(range(ours.count)))
        self.theirs = translation.translate_columns(ours, self.filled)

    def take(self, places: Column) -> Cases:
        """Return some of the cases."""
        taken = Cases.__new__(Cases)
        taken.translation, taken.pairs, taken.seed = self.translation, self.pairs, self.seed
        taken.ours, taken.filled = self.ours.take_rows(places), self.filled.take_rows(places)
        taken.theirs = self.theirs.take_rows(places)
        return taken

    def with_constants(self, constants: Constants) -> Cases:
        """Return the cases with other values of facts that ours does not hold."""
        other = self.take(np.arange(self.ours.count))
        other.translation = self.translation.with_constants(constants)
        other.theirs = other.translation.translate_columns(self.ours, self.filled)
        return other

    def with_rows(self, rows: Sequence[Row]) -> Cases:
        """Return the cases with further ones after them."""
        more = as_columns(self.translation.ours, rows)
        return Cases(self.translation, self.pairs, self.seed, join_pieces([self.ours, more]))

    def read_ours(self, model: DomainModel) -> ColumnAnswers:
        """Return what a model of ours answers, so that mistakes can be compared with it."""
        return ColumnAnswers(model, self.ours, [pair.ours.name for pair in self.pairs])

    def read_theirs(self, model: DomainModel) -> ColumnAnswers:
        """Return what a model of theirs answers, so that mistakes can be compared with it."""
        return ColumnAnswers(model, self.theirs, [pair.theirs.name for pair in self.pairs])

    def compare(self, ours: Answers, theirs: Answers) -> Column:
        """Return which of the cases are answered otherwise."""
        none: Column = np.zeros(self.ours.count, dtype=bool)
        return reduce(
            np.logical_or,
            (
                compare_known(
                    pair.read_ours(ours[pair.ours.name]),
                    pair.read_theirs(theirs[pair.theirs.name]),
                )
                for pair in self.pairs
            ),
            none,
        )

    @cached_property
    def differing(self) -> Column:
        """Which of the cases the two readings themselves answer otherwise."""
        sides = self.translation.ours, self.translation.theirs
        try:
            return self.compare(self.read_ours(sides[0]).sound, self.read_theirs(sides[1]).sound)
        except TooManyStepsError:
            pass
        names = [pair.ours.name for pair in self.pairs], [pair.theirs.name for pair in self.pairs]
        return self.compare(
            walk_answers(sides[0], self.ours, names[0]),
            walk_answers(sides[1], self.theirs, names[1]),
        )


def draw_cases(
    translation: Translation, pairs: Sequence[AnswerPair], seed: int, count: int
) -> tuple[Cases, Census]:
    """Return drawn cases of ours that theirs can hold, and what became of all that were drawn."""
    model = translation.ours
    drawn = _keep_cases(model, sample_columns(model, seed, list(range(count))))
    unheld = translation.find_unheld(drawn)
    held, counts = np.ones(drawn.count, dtype=bool), Counter[str]()
    for name, missed in unheld.items():
        counts[name] += int((held & missed).sum())
        held &= ~missed
    census = Census(drawn.count, int(held.sum()), {name: n for name, n in counts.items() if n})
    return Cases(translation, pairs, seed, drawn.take_rows(np.flatnonzero(held))), census


def draw_limit_rows(translation: Translation, seed: int) -> list[Row]:
    """Return rows at the limits of both readings that theirs can hold too."""
    model = translation.ours
    numbers = list(range(FURTHER, FURTHER + 4 * BASES))
    drawn = _keep_cases(model, sample_columns(model, seed, numbers))
    moved = move_rows(translation, as_rows(model, drawn)[:BASES])
    return keep_held(translation, moved)


def keep_held(translation: Translation, rows: Sequence[Row]) -> list[Row]:
    """Return the rows of ours that theirs can hold."""
    if not rows:
        return []
    unheld = translation.find_unheld(as_columns(translation.ours, rows))
    missed = reduce(np.logical_or, unheld.values(), np.zeros(len(rows), dtype=bool))
    return [row for row, is_missed in zip(rows, missed.tolist(), strict=True) if not is_missed]


def _keep_cases(model: DomainModel, columns: Columns) -> Columns:
    """Return the rows that meet a model's own conditions."""
    if not model.row_conditions:
        return columns
    met = evaluate_all(model.row_conditions, columns)
    return columns.take_rows(np.flatnonzero(np.logical_and.reduce(met)))
