"""What a model answers on many rows, and what it would answer with a mistake."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial, reduce

import numpy as np

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import NumberType, ValueType
from sopforge.language.logic.readings.vector import Column, Columns
from sopforge.proof.comparing.answers import Known
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.bulk import as_rows
from sopforge.proof.solving.comparing.beside import Comparison
from sopforge.proof.solving.unfolded_columns import (
    ColumnPlace,
    ColumnUnfolder,
    KnownColumn,
    make_nothing_column,
)
from sopforge.proof.solving.unfolded_places import PlaceUnfolder, TooManyStepsError

Answers = Mapping[str, Known]


class ColumnAnswers:
    """Answers of one model, and of models that differ from it in a place, on the same rows.

    A case that is refused with nothing said of it, or that no rule decides, has no answer.
    """

    def __init__(self, model: DomainModel, columns: Columns, names: Iterable[str]) -> None:
        self.model = model
        self.count = columns.count
        self.names = tuple(names)
        self.comparison = Comparison(model, partial(ColumnUnfolder, columns))
        self.sound = self._read(self.comparison.sound, self.comparison.places)

    def answer(self, model: DomainModel) -> Answers:
        """Return what a model answers; one that is too large is taken for the sound one."""
        if model is self.model:
            return self.sound
        try:
            return self._read(*self.comparison.unfold_beside(model))
        except TooManyStepsError:
            return self.sound

    def is_noticed_where_made(self, wrong: DomainModel) -> bool:
        """Return whether a mistake makes a difference to any row at the place of the mistake.

        It is cheap to ask, and where it makes none, no answer is another one.
        """
        try:
            return bool(np.any(self.comparison.derive_first_difference(wrong)))
        except TooManyStepsError:
            return False

    def _read(
        self, by: PlaceUnfolder[Column, KnownColumn, None], places: Sequence[ColumnPlace]
    ) -> Answers:
        kinds = {name: self.model.fields[name].type for name in self.names}
        ends = [place.reached for place in places if place.step.end is not None]
        if not ends:
            nothing = np.zeros(self.count, dtype=bool)
            return {
                name: Known(make_nothing_column(kind, self.count), nothing)
                for name, kind in kinds.items()
            }
        ended = reduce(by.disjoin, ends, by.never)
        found = by.merge_at_ends(places, self.names)
        return {name: self._read_value(kinds[name], item, ended) for name, item in found.items()}

    def _read_value(self, kind: ValueType, known: KnownColumn, ended: Column) -> Known:
        value = np.broadcast_to(known.value, (self.count,))
        if value.dtype == bool:
            value = value.astype(np.int64)
        present = np.broadcast_to(known.present.astype(bool) & ended, (self.count,))
        return Known(_rescale(value, known.kind, kind), present)


def _rescale(value: Column, found: ValueType, declared: ValueType) -> Column:
    """Return numbers at the scale of their field; a mistake may give them more or fewer places."""
    if not isinstance(found, NumberType) or not isinstance(declared, NumberType):
        return value
    digits = declared.places - found.places
    scaled: Column = value * 10**digits if digits >= 0 else value // 10**-digits
    return scaled


def walk_answers(model: DomainModel, columns: Columns, names: Iterable[str]) -> Answers:
    """Return what a model answers by walking each row: for one that unfolds into too much."""
    walks = [label_row(model, row) for row in as_rows(model, columns)]
    found: dict[str, Known] = {}
    for name in names:
        cells = [
            None if done.refusal is not None or done.undecided else done.known.get(name)
            for done in walks
        ]
        value = make_nothing_column(model.fields[name].type, columns.count)
        for place, cell in enumerate(cells):
            value[place] = value[place] if cell is None else cell
        found[name] = Known(value, np.array([cell is not None for cell in cells], dtype=bool))
    return found


def compare_known(one: Known, other: Known) -> Column:
    """Return on which rows two answers differ, or only one of them is there."""
    apart = np.asarray(one.value != other.value, dtype=bool)
    differ: Column = (one.present != other.present) | (one.present & other.present & apart)
    return differ
