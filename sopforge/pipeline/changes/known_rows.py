"""The rows of one model as another knows them: what both have, in the other's own values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from sopforge.language.domain.fields import STORED, Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.malformed_inputs import name_malformed_mark
from sopforge.language.domain.values.text_shapes import find_shape
from sopforge.language.domain.values.types import TextType, Value, ValueNotAllowedError
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.solving.comparing.models import collect_names_read
from sopforge.proof.solving.consequences import derive_consequences
from sopforge.proof.solving.unfolded_places import TooManyStepsError

Row: TypeAlias = Mapping[str, Value | None]


@dataclass(frozen=True, slots=True)
class KnownRows:
    """The rows that another model knows, by their places among those given.

    ``unknown`` counts those that it does not know, by the field that holds a value of which it has
    none. ``lacking`` are fields that it needs and no row has: then it knows none.
    """

    rows: Mapping[int, Row] = field(default_factory=dict)
    unknown: Mapping[str, int] = field(default_factory=dict)
    lacking: tuple[str, ...] = ()


def convert_rows(
    source: DomainModel, target: DomainModel, rows: Sequence[Row], seed: int
) -> KnownRows:
    """Return rows of one model as rows of another.

    What the other does not need to decide, and the rows do not hold, is drawn as it draws it.
    """
    needed = find_needed_names(target)
    there = _collect_stored_names(source)
    lacking = tuple(
        sorted(name for name in needed if name in _collect_stored_names(target) - there)
    )
    if lacking:
        return KnownRows(lacking=lacking)
    converters = dict(_iterate_converters(source, target))
    found: dict[int, Row] = {}
    unknown: Counter[str] = Counter()
    for place, (row, drawn) in enumerate(
        zip(rows, sample_rows(target, seed, range(len(rows))), strict=True)
    ):
        try:
            marks = _convert_marks(source, target, row)
            found[place] = {**_convert_row(converters, needed, row, drawn), **marks}
        except _UnknownError as odd:
            unknown[odd.name] += 1
    return KnownRows(found, dict(unknown))


def find_needed_names(model: DomainModel) -> frozenset[str]:
    """Return the names of what a row must hold for its answers to be worked out."""
    stored = _collect_stored_names(model)
    try:
        return collect_names_read(model, derive_consequences(model).iterate_expressions()) & stored
    except TooManyStepsError:
        return stored


class _UnknownError(ValueError):
    """A row holds a value that the other model does not have."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


_Conversion: TypeAlias = Callable[[Value | None], Value | None]


def _collect_stored_names(model: DomainModel) -> frozenset[str]:
    stored = {item.name for item in model.with_role(*STORED)}
    return frozenset(stored | {item.name for item in model.references})


def _convert_row(
    converters: Mapping[str, _Conversion], needed: Iterable[str], row: Row, drawn: Row
) -> Row:
    made = dict(drawn)
    for name, convert in converters.items():
        try:
            made[name] = convert(row[name])
        except ValueNotAllowedError as cause:
            if name in needed:
                raise _UnknownError(name) from cause
    return made


def _iterate_converters(
    source: DomainModel, target: DomainModel
) -> Iterator[tuple[str, _Conversion]]:
    """Return how the value of each name is brought over."""
    for name in _collect_stored_names(source) & _collect_stored_names(target):
        before, after = source.fields.get(name), target.fields.get(name)
        if before is None or after is None:
            yield name, _as_it_is
        else:
            yield name, _build_converter(before, after, target)


def _convert_marks(source: DomainModel, target: DomainModel, row: Row) -> Row:
    """Return which inputs are stated malformed, as the other model marks them.

    Raises:
        _UnknownError: one is, that in the other model never is.
    """
    able = {item.name for item in target.malformable}
    found = [item.name for item in source.malformable if row[name_malformed_mark(item.name)]]
    for name in found:
        if name not in able:
            raise _UnknownError(name)
    return {name_malformed_mark(name): 1 if name in found else None for name in able}


def _as_it_is(value: Value | None) -> Value | None:
    return value


def _build_converter(before: Field, after: Field, target: DomainModel) -> _Conversion:
    owner = target.find_owner(after.name)
    may_be_missing = bool(after.missing) or (owner is not None and target.may_lack(owner))

    def convert_value(value: Value | None) -> Value | None:
        if value is None and not may_be_missing:
            raise ValueNotAllowedError(after.name)
        if value is None or before.type == after.type:
            return value
        cell = before.format_cell(value)
        if not _has(after, cell):
            raise ValueNotAllowedError(cell)
        return after.parse(cell)

    return convert_value


def _has(item: Field, cell: str) -> bool:
    """Return whether a text is one of a field's, which reading it does not say."""
    if not isinstance(item.type, TextType):
        return True
    shape = find_shape(item.type)
    return shape.has(cell) if shape else not item.type.pool or cell in item.type.pool
