"""What a model answers on many rows, and what it would answer with a mistake."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce

import numpy as np

from sopforge.comparing.answers import Known
from sopforge.dataset.mutants.first_differences import derive_first_difference
from sopforge.dataset.oracle import label_row
from sopforge.dataset.sampling.bulk import as_rows
from sopforge.domain.model import DomainModel
from sopforge.domain.values.types import NumberType, TextType, Value, ValueType
from sopforge.logic.readings.vector import Column, Columns, make_list_column
from sopforge.solving.unfolded_columns import ColumnPlace, ColumnUnfolder, KnownColumn
from sopforge.solving.unfolded_places import Parts, TooManyStepsError

Answers = Mapping[str, Known]


class ColumnAnswers:
    """Answers of one model, and of models that differ from it in a place, on the same rows.

    A case that is refused with nothing said of it, or that no rule decides, has no answer.
    """

    def __init__(self, model: DomainModel, columns: Columns, names: Iterable[str]) -> None:
        self.model = model
        self.columns = columns
        self.names = tuple(names)
        self.parts = Parts()
        self.places: list[ColumnPlace] = []
        self.sound = self._answer(model, self.parts)

    def answer(self, model: DomainModel) -> Answers:
        """Return what a model answers; one that is too large is taken for the sound one."""
        if model is self.model:
            return self.sound
        try:
            # On top of the sound model's parts and not among them, where each would stay.
            return self._answer(model, Parts(self.parts))
        except TooManyStepsError:
            return self.sound

    def is_noticed_where_made(self, wrong: DomainModel) -> bool:
        """Return whether a mistake makes a difference to any row at the place of the mistake.

        It is cheap to ask, and where it makes none, no answer is another one.
        """
        by = self._begin(wrong, Parts(self.parts))
        try:
            return bool(np.any(derive_first_difference(self.model, self.places, by)))
        except TooManyStepsError:
            return False

    def _begin(self, model: DomainModel, parts: Parts) -> ColumnUnfolder:
        by = ColumnUnfolder(self.columns, model, parts)
        # A model with a mistake may read what nothing has worked out.
        by.begin_with_nothing()
        return by

    def _answer(self, model: DomainModel, parts: Parts) -> Answers:
        by = self._begin(model, parts)
        places = list(by.unfold())
        if model is self.model:
            self.places = places
        ends = [place.reached for place in places if place.step.end is not None]
        ended = by.fill_rows(reduce(by.disjoin, ends, by.never))
        if not ends:
            return {name: self._answer_nothing(name) for name in self.names}
        found = by.merge_at_ends(places, self.names)
        return {name: self._read(name, item, by, ended) for name, item in found.items()}

    def _read(self, name: str, known: KnownColumn, by: ColumnUnfolder, ended: Column) -> Known:
        value = by.fill_rows(known.value)
        if value.dtype == bool:
            value = value.astype(np.int64)
        present = by.fill_rows(known.present).astype(bool) & ended
        return Known(_rescale(value, known.kind, self.model.fields[name].type), present)

    def _answer_nothing(self, name: str) -> Known:
        kind = self.model.fields[name].type
        zero: Value = "" if isinstance(kind, TextType) else 0
        nothing = np.full(self.columns.count, zero, object if zero == "" else int)
        return Known(nothing, np.zeros(self.columns.count, dtype=bool))


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
        kind = model.fields[name].type
        nothing: Value = "" if isinstance(kind, TextType) else 0
        filled = [nothing if cell is None else cell for cell in cells]
        value = make_list_column(filled) if isinstance(kind, TextType) else np.array(filled)
        found[name] = Known(value, np.array([cell is not None for cell in cells], dtype=bool))
    return found


def compare_known(one: Known, other: Known) -> Column:
    """Return on which rows two answers differ, or only one of them is there."""
    apart = np.asarray(one.value != other.value, dtype=bool)
    differ: Column = (one.present != other.present) | (one.present & other.present & apart)
    return differ
