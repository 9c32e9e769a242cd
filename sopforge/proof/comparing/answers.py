"""The answers of two readings brought to one form, so that equal ones are known to be equal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sopforge.language.domain.expressions.expressions import (
    Choice,
    Combination,
    Constant,
    Contains,
    Expression,
    Lookup,
    OneOf,
    SetOperation,
)
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import (
    BooleanType,
    EnumType,
    NumberType,
    SetType,
    Value,
    require_integer,
)
from sopforge.language.logic.readings.vector import Column
from sopforge.language.logic.variants.substitution import Replacement
from sopforge.proof.comparing.aligning.alignment import (
    LABELLED,
    Alignment,
    is_comparable,
    list_cells,
)
from sopforge.proof.solving.unfolding import TRUE, build_conjunction, negate_condition

NOTHING = "no value"


@dataclass(frozen=True, slots=True)
class Known:
    """The answers of one kind on rows, and on which of them there is one."""

    value: Column
    present: Column


@dataclass(frozen=True, slots=True)
class AnswerPair:
    """An outcome of ours and the one of theirs that it is.

    ``cells`` are the labels of both, ours first; ``ours_codes`` and ``theirs_codes`` have for the
    code of each label its place among them, None where it stands for no value. ``absent`` is the
    place of what theirs says where it gives no value, None where ours says nothing there either.
    """

    ours: Field
    theirs: Field
    cells: tuple[str, ...] = ()
    ours_codes: tuple[int | None, ...] = ()
    theirs_codes: tuple[int | None, ...] = ()
    absent: int | None = None

    @property
    def is_labelled(self) -> bool:
        """Whether its values are labels, which are brought to one list."""
        return bool(self.cells)

    def convert_ours(self, known: Replacement) -> Replacement:
        """Return an answer of ours in the form in which it is compared."""
        return self._convert(known, self.ours_codes, None)

    def convert_theirs(self, known: Replacement) -> Replacement:
        """Return an answer of theirs in the form in which it is compared."""
        return self._convert(known, self.theirs_codes, self.absent)

    def _convert(
        self, known: Replacement, codes: tuple[int | None, ...], absent: int | None
    ) -> Replacement:
        if not self.is_labelled:
            return known
        if isinstance(self.ours.type, SetType):
            return Replacement(_relabel_set(known.value, codes, self.cells), known.present)
        kind = EnumType(self.cells)
        value, present = _relabel(known.value, codes, kind), known.present
        silent = [code for code, place in enumerate(codes) if place is None]
        if silent:
            says = _build_membership(known.value, silent)
            present = build_conjunction(present or TRUE, negate_condition(says))
        if absent is not None and present is not None:
            value = Choice(kind, present, value, Constant(kind, absent))
            present = None
        return Replacement(value, present)

    def read_ours(self, known: Known) -> Known:
        """Return a column of answers of ours in the form in which they are compared."""
        return self._read(known, self.ours, self.ours_codes, None)

    def read_theirs(self, known: Known) -> Known:
        """Return a column of answers of theirs in the form in which they are compared."""
        return self._read(known, self.theirs, self.theirs_codes, self.absent)

    def _read(
        self, known: Known, item: Field, codes: tuple[int | None, ...], absent: int | None
    ) -> Known:
        if not self.is_labelled:
            return Known(self._rescale(known.value, item), known.present)
        if isinstance(self.ours.type, SetType):
            return Known(_move_bits(known.value, codes), known.present)
        places = np.array([-1 if place is None else place for place in codes])
        clipped = np.clip(known.value.astype(np.int64), 0, len(codes) - 1)
        value = places[clipped]
        present = known.present & (value >= 0)
        if absent is not None:
            value = np.where(present, value, absent)
            present = np.ones(len(value), dtype=bool)
        return Known(value, present)

    def _rescale(self, value: Column, item: Field) -> Column:
        kinds = self.ours.type, self.theirs.type
        if not isinstance(item.type, NumberType):
            return value
        most = max(kind.places for kind in kinds if isinstance(kind, NumberType))
        scaled: Column = value * 10 ** (most - item.type.places)
        return scaled

    def is_apart(self, ours: Value | None, theirs: Value | None) -> bool:
        """Return whether two answers to one case are not the same."""
        one, other = (
            Known(_make_column(value), np.array([value is not None])) for value in (ours, theirs)
        )
        left, right = self.read_ours(one), self.read_theirs(other)
        if not (left.present[0] and right.present[0]):
            return bool(left.present[0] != right.present[0])
        return bool(left.value[0] != right.value[0])

    def format_ours(self, value: Value | None) -> str:
        """Return an answer of ours as people write it."""
        return NOTHING if value is None and not self.ours.missing else self.ours.format_cell(value)

    def format_theirs(self, value: Value | None) -> str:
        """Return an answer of theirs in the words of ours, where ours has words for it."""
        if not self.is_labelled:
            return self.format_ours(value) if value is None else self.theirs.format_cell(value)
        if value is None:
            return self.format_ours(None) if self.absent is None else self.cells[self.absent]
        if isinstance(self.theirs.type, SetType):
            bits = _move_bits(np.array([value]), self.theirs_codes)
            empty = getattr(self.ours.type, "empty", NOTHING)
            return SetType(self.cells, empty).to_cell(int(bits[0]))
        place = self.theirs_codes[require_integer(value)]
        return self.format_ours(None) if place is None else self.cells[place]


def _make_column(value: Value | None) -> Column:
    column = np.empty(1, dtype=object if isinstance(value, str | tuple) else np.int64)
    column[0] = 0 if value is None else value
    return column


def pair_answers(ours: DomainModel, theirs: DomainModel, alignment: Alignment) -> list[AnswerPair]:
    """Return the outcomes and scored values that can be compared, each with its partner."""
    return [
        _build_pair(ours.fields[item.name], theirs.fields[name], item.labels)
        for name, item in alignment.outcomes.items()
        if is_comparable(ours.fields[item.name].type, theirs.fields[name].type)
    ]


def _build_pair(ours: Field, theirs: Field, labels: Mapping[str, str]) -> AnswerPair:
    kinds = ours.type, theirs.type
    if isinstance(kinds[0], SetType) and isinstance(kinds[1], SetType):
        named = [labels.get(label, label) for label in kinds[1].values]
        whole = tuple(dict.fromkeys([*kinds[0].values, *named]))
        own = tuple(range(len(kinds[0].values)))
        return AnswerPair(ours, theirs, whole, own, tuple(map(whole.index, named)))
    if not isinstance(kinds[0], LABELLED) or not isinstance(kinds[1], LABELLED):
        return AnswerPair(ours, theirs)
    *first, nothing = list_cells(ours)
    *second, silence = list_cells(theirs)
    meant = [labels.get(label, label) for label in second]
    cells = [*first, *(label for label in dict.fromkeys(meant) if label not in {*first, nothing})]
    absent = labels.get(silence, nothing)
    return AnswerPair(
        ours,
        theirs,
        tuple(cells),
        tuple(range(len(first))),
        tuple(None if label == nothing else cells.index(label) for label in meant),
        None if absent == nothing or absent not in cells else cells.index(absent),
    )


def _relabel(value: Expression, codes: tuple[int | None, ...], kind: EnumType) -> Expression:
    """Return a label by its place in another list."""
    if isinstance(value.type, EnumType) and codes == tuple(range(len(codes))):
        return value
    entries = tuple(Constant(kind, code or 0) for code in codes)
    if isinstance(value.type, BooleanType):
        no, yes = entries
        return Choice(kind, value, yes, no)
    return Lookup(kind, value, entries)


def _relabel_set(
    value: Expression, codes: tuple[int | None, ...], cells: tuple[str, ...]
) -> Expression:
    """Return a set with its labels by their places in another list."""
    kind = SetType(cells, "")
    if not isinstance(value.type, SetType) or codes == tuple(range(len(cells))):
        return value
    found: Expression = Constant(kind, 0)
    for place, code in enumerate(codes):
        there = Contains(value, value.type.values[place], place)
        bit = Choice(kind, there, Constant(kind, 1 << (code or 0)), Constant(kind, 0))
        found = Combination(kind, SetOperation.UNION, found, bit)
    return found


def _move_bits(value: Column, codes: tuple[int | None, ...]) -> Column:
    bits = [(value >> place & 1) << (code or 0) for place, code in enumerate(codes)]
    moved: Column = np.sum(np.stack(bits), axis=0)
    return moved


def _build_membership(value: Expression, codes: list[int]) -> Expression:
    if isinstance(value.type, BooleanType):
        return value if codes == [1] else negate_condition(value)
    return OneOf(value, tuple(Constant(value.type, code) for code in codes))
