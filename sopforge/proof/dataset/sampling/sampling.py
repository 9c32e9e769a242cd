"""Realistic rows from the model's weights and ranges: whole columns, one keyed stream per field.

A value depends on the seed, its field and the number of its row alone, whichever other rows are
drawn beside it; a single row is a column of length one.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from sopforge.language.domain.expressions.expressions import (
    Expression,
    Presence,
    collect_read_fields,
    iterate_parts,
)
from sopforge.language.domain.fields import STORED, Entity, Field, Near, Sampling
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.malformed_inputs import name_malformed_mark
from sopforge.language.domain.values.patterns import Pattern, read_pattern
from sopforge.language.domain.values.text_shapes import find_shape
from sopforge.language.domain.values.types import (
    AtomType,
    BooleanType,
    EnumType,
    ListType,
    NumberType,
    OrderedType,
    SetType,
    TextType,
    Value,
)
from sopforge.language.logic.readings.vector import (
    PIECE,
    Column,
    Columns,
    ListColumn,
    evaluate_all,
    join_pieces,
)
from sopforge.proof.dataset.sampling.bulk import as_rows
from sopforge.proof.dataset.sampling.equal_texts import find_equal_texts
from sopforge.proof.dataset.sampling.following_texts import follow, iterate_followers
from sopforge.proof.dataset.sampling.pattern_texts import (
    count_numbered_texts,
    draw_texts,
    make_unique_texts,
)
from sopforge.seeds import Stream, make_stream, scale_number

Row: TypeAlias = dict[str, Value | None]


def sample_row(model: DomainModel, seed: int, number: int) -> Row:
    """Return the row of a number; it depends on the model, the seed and the number alone.

    Beside the fields it says of each entity that is referred to whether the case has a record of
    it: 1, or None where the reference is missing or leads nowhere; and of each input that may be
    malformed whether the task states it so: 1 or None. Texts that a constraint calls
    equal are drawn as one: two of a pattern would hardly agree.
    """
    return sample_rows(model, seed, [number])[0]


def sample_rows(model: DomainModel, seed: int, numbers: Iterable[int]) -> list[Row]:
    """Return the rows of the given numbers, in their order."""
    return as_rows(model, sample_columns(model, seed, list(numbers)))


def sample_columns(model: DomainModel, seed: int, numbers: Sequence[int] | Column) -> Columns:
    """Return the rows of the given numbers as columns, as ``as_columns`` makes them of rows."""
    places = np.asarray(numbers, dtype=np.uint64)
    # One piece at least: without any row there are columns all the same.
    starts = range(0, max(1, len(places)), PIECE)
    return join_pieces(
        [_sample_piece(model, seed, places[start : start + PIECE]) for start in starts]
    )


def _sample_piece(model: DomainModel, seed: int, places: Column) -> Columns:
    records = _Records(model, seed, _Kept(places, None))
    # References come first, for a record's number is what its fields are drawn by.
    for entity in model.drawn_references:
        records.refer(entity)
    records.leave_unread()
    # From the farthest record to the case's own: how a field is drawn may depend on what it
    # refers to.
    for entity in reversed(model.references):
        records.draw_fields([model.fields[name] for name in entity.fields], records.kept[entity])
    referred = {name for entity in model.references for name in entity.fields}
    own = [item for item in model.with_role(*STORED) if item.name not in referred]
    records.draw_fields(own, records.kept[model.case])
    records.mark_malformed()
    for source, copy in find_equal_texts(model):
        there, drawn = records.get_presence(source), records.values[copy]
        same = records.values[source]
        records.values[copy] = same if there is None else np.where(there, same, drawn)
    for item in iterate_followers(model):
        owner = model.find_owner(item.name) or model.case
        follow(model, seed, item.name, records.values, records.kept[owner].numbers)
    records.copy_equal_texts({name for pair in find_equal_texts(model) for name in pair})
    return Columns(len(places), records.values, records.present, records.lists)


@dataclass(frozen=True, slots=True)
class _Kept:
    """The numbers of the records that rows have of an entity, and where they have one."""

    numbers: Column
    there: Column | None


@dataclass(frozen=True, slots=True)
class _Case:
    """How a field is drawn in some rows."""

    sampling: Sampling
    holds: Column


@dataclass(slots=True)
class _Records:
    """The columns drawn so far, and the records of which they are."""

    model: DomainModel
    seed: int
    case: _Kept
    values: dict[str, Column] = field(default_factory=dict)
    present: dict[str, Column] = field(default_factory=dict)
    lists: dict[str, ListColumn] = field(default_factory=dict)
    kept: dict[Entity, _Kept] = field(default_factory=dict)
    numbers: dict[str, Column] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.kept[self.model.case] = self.case

    def get_presence(self, name: str) -> Column | None:
        """Return where a stored field has a value; None if it has one in every row."""
        owner = self.model.find_owner(name) or self.find_holder(name)
        kept = self.kept.get(owner) if owner else None
        return self.present.get(name, kept.there if kept else None)

    def find_holder(self, name: str) -> Entity | None:
        """Return the entity whose records hold a reference that rows do not have."""
        holders = self.model.unread.entities.values()
        return next((entity for entity in holders if name in entity.fields), None)

    def leave_unread(self) -> None:
        """Drop what rows do not have: references that others were drawn by, and their records."""
        for entity in self.model.unread.entities.values():
            del self.present[entity.name]
            if entity.key in self.model.unread.fields:
                del self.values[entity.key]
                self.present.pop(entity.key, None)

    def draw_fields(self, fields: Iterable[Field], kept: _Kept) -> None:
        """Draw fields of the records that rows have; 0, "" or no items where there is no value."""
        keys = {entity.key for entity in self.model.references}
        unfollowed = {entity.key: entity for entity in self.model.unread.entities.values()}
        own = [item for item in fields if item.name not in keys]
        # What texts presuppose may be of any other field of their record.
        for item in sorted(own, key=lambda item: bool(item.sampling.texts)):
            cases = self.list_cases(item.sampling)
            there = kept.there
            if item.missing:
                there = self.present[item.name] = self.draw_presence(item, kept, cases)
            if item.name in unfollowed:
                texts = self.make_keys(unfollowed[item.name], item, self.numbers[item.name])
                self.values[item.name] = _blank_missing_values(there, texts)
            elif isinstance(item.type, ListType):
                self.lists[item.name] = self.draw_items(item, item.type, kept.numbers, there, cases)
            else:
                drawn = self.draw_atoms(item, item.type, kept.numbers, cases)
                drawn = self.copy_equal_text(item, drawn, kept.numbers)
                self.values[item.name] = _blank_missing_values(there, drawn)

    def copy_equal_text(self, item: Field, drawn: Column, numbers: Column) -> Column:
        """Return the texts of a field, in a share of the rows those of the one it is said to equal.

        Where that has no value, a text is drawn on its own.
        """
        if item.sampling.same_as is None:
            return drawn
        of, share = item.sampling.same_as
        same = make_stream(self.seed, item.source, "same").has_share(share, numbers) == 1
        there = self.get_presence(of)
        same = same if there is None else same & there
        return np.asarray(np.where(same, self.values[of], drawn))

    def copy_equal_texts(self, tied: Container[str]) -> None:
        """Copy texts once more, for others may have been made equal since, or follow by now.

        What constraints call equal is ``tied``, and stays.
        """
        for item in self.model.fields.values():
            if item.sampling.same_as is not None and item.name not in tied:
                kept = self.kept[self.model.find_owner(item.name) or self.model.case]
                drawn = self.copy_equal_text(item, self.values[item.name], kept.numbers)
                there = self.get_presence(item.name)
                self.values[item.name] = _blank_missing_values(there, drawn)

    def mark_malformed(self) -> None:
        """Draw which inputs are stated malformed."""
        for item in self.model.malformable:
            if item.malformed:
                malformed = make_stream(self.seed, item.name, "malformed")
                marks = malformed.has_share(item.malformed.share, self.case.numbers) == 1
                self.present[name_malformed_mark(item.name)] = marks

    def list_cases(self, sampling: Sampling) -> list[_Case]:
        """Return the samplings that apply, each with its rows; the first one prevails."""
        given = sampling.given
        if not given:
            return []
        columns = self.to_columns()
        holding = evaluate_all([part.when for part in given], columns)
        pairs = zip(given, holding, strict=True)
        return [
            # A condition on a missing value would be about the 0 that stands for it.
            _Case(part.sampling, (holds != 0) & self.find_readable_rows(part.when))
            for part, holds in pairs
        ]

    def find_readable_rows(self, expression: Expression) -> Column:
        """Return in which rows there is all that an expression reads."""
        known = np.ones(len(self.case.numbers), dtype=bool)
        tested = {node.field for node in iterate_parts(expression) if isinstance(node, Presence)}
        # What is tested for may be missing: the test says what becomes of that.
        for name in sorted(collect_read_fields(expression) - tested):
            there = self.get_presence(name)
            known = known if there is None else known & there
        return known

    def to_columns(self) -> Columns:
        return Columns(len(self.case.numbers), self.values, self.present, self.lists)

    def draw_presence(self, item: Field, kept: _Kept, cases: Sequence[_Case] = ()) -> Column:
        missing = make_stream(self.seed, item.source, "missing")
        found = missing.has_share(item.sampling.missing_share, kept.numbers)
        for case in reversed(cases):
            other = missing.has_share(case.sampling.missing_share, kept.numbers)
            found = np.where(case.holds, other, found)
        there: Column = found == 0
        return there if kept.there is None else there & kept.there

    def draw_atoms(
        self, item: Field, kind: AtomType, numbers: Column, cases: Sequence[_Case]
    ) -> Column:
        shape = find_shape(kind) if isinstance(kind, TextType) else None
        if shape and item.sampling.unique:
            return make_unique_texts(shape, self.seed, (item.source,), numbers)
        return self.draw_by_cases(
            _Atoms(self.seed, (item.source,), numbers), kind, item.sampling, cases
        )

    def draw_by_cases(
        self, atoms: _Atoms, kind: AtomType, sampling: Sampling, cases: Sequence[_Case]
    ) -> Column:
        drawn = self.draw_values(atoms, kind, sampling)
        # In reverse, so that the first case that holds is written last and prevails.
        for case in reversed(cases):
            drawn = np.where(case.holds, self.draw_values(atoms, kind, case.sampling), drawn)
        return drawn

    def draw_values(self, atoms: _Atoms, kind: AtomType, sampling: Sampling) -> Column:
        if sampling.texts and isinstance(kind, TextType):
            return atoms.draw_fitting_text(kind, self.find_fitting_texts(kind, sampling))
        drawn = atoms.draw(kind, sampling)
        near = sampling.near
        if near is None:
            return drawn
        (middle,) = evaluate_all([near.value], self.to_columns())
        wanted = self.find_readable_rows(near.value) & (
            atoms.make_stream("near").has_share(near.share, atoms.places) != 0
        )
        close = middle + atoms.draw_offsets(near)
        return np.where(wanted, np.clip(close, *kind.bounds), drawn)

    def find_fitting_texts(self, kind: TextType, sampling: Sampling) -> Column:
        """Return for each text of a pool in which rows what it presupposes holds."""
        holding = evaluate_all([part.when for part in sampling.texts], self.to_columns())
        fitting = {
            part.text: (holds != 0) & self.find_readable_rows(part.when)
            for part, holds in zip(sampling.texts, holding, strict=True)
        }
        everywhere = np.ones(len(self.case.numbers), dtype=bool)
        return np.stack([fitting.get(text, everywhere) for text in kind.pool])

    def draw_items(
        self,
        item: Field,
        kind: ListType,
        numbers: Column,
        there: Column | None,
        cases: Sequence[_Case],
    ) -> ListColumn:
        """Draw each place of a list by itself; places that no item uses hold 0 or ""."""
        count, atoms = NumberType(0, kind.size), _Atoms(self.seed, (item.source, "items"), numbers)
        lengths = _blank_missing_values(
            there, self.draw_by_cases(atoms, count, item.sampling, cases)
        )
        shapes = dict(item.sampling.items)
        fields = {}
        for name, part in kind.fields:
            own = self.list_cases(shapes[name])
            # A stream for each place: an item does not depend on how long its list is.
            places = [
                _Atoms(self.seed, (item.source, name, place), numbers) for place in range(kind.size)
            ]
            cells = [self.draw_by_cases(atoms, part, shapes[name], own) for atoms in places]
            used = [
                _blank_missing_values(lengths > place, column) for place, column in enumerate(cells)
            ]
            fields[name] = np.stack(used, axis=1)
        return ListColumn(fields, lengths)

    def refer(self, entity: Entity) -> _Kept:
        """Draw the references to an entity; a dangling one is a key beyond those of the records."""
        item = self.get_field(entity.key)
        owner = self.find_record(entity.key)
        if item.missing:
            self.present[entity.key] = self.draw_presence(item, owner)
        holders = owner.numbers
        referring = self.get_presence(entity.key)
        keys, numbers, found = self.draw_keys(entity, item, holders)
        there = referring
        if found is not None:
            there = found if referring is None else found & referring
        if entity.same_as is not None:
            numbers, there = self.copy_reference(entity, owner, numbers, there)
            keys = self.make_keys(entity, item, numbers)
        self.values[entity.key] = _blank_missing_values(referring, keys)
        everywhere = np.ones(len(holders), dtype=bool)
        self.present[entity.name] = everywhere if there is None else there
        # Its fields are drawn by the record's number, so that all who refer to it find the same.
        self.kept[entity] = _Kept(_blank_missing_values(there, numbers), there)
        self.numbers[entity.key] = numbers
        return self.kept[entity]

    def get_field(self, name: str) -> Field:
        """Return a field that rows have, or one by which others are drawn."""
        return self.model.fields.get(name) or self.model.unread.fields[name]

    def find_record(self, name: str) -> _Kept:
        """Return the records that hold a reference."""
        owner = self.model.find_owner(name) or self.find_holder(name)
        return self.kept[owner or self.model.case]

    def draw_keys(
        self, entity: Entity, item: Field, holders: Column
    ) -> tuple[Column, Column, Column | None]:
        """Return the keys of references, the numbers of their records, and where there is one."""
        drawn = make_stream(self.seed, item.source, "record").draw_at(holders)
        numbers, found = scale_number(drawn, entity.records), None
        if entity.dangling_share:
            beyond = entity.records + scale_number(
                drawn, count_numbered_texts(_read_pattern(item)) - entity.records
            )
            dangling = make_stream(self.seed, item.source, "dangling")
            found = dangling.has_share(entity.dangling_share, holders) == 0
            numbers = np.where(found, numbers, beyond)
        return self.make_keys(entity, item, numbers), numbers, found

    def make_keys(self, entity: Entity, item: Field, numbers: Column) -> Column:
        """Return the keys of records: by the table, for references to one record are one text."""
        source = (entity.table or entity.key,)
        return make_unique_texts(_read_pattern(item), self.seed, source, numbers)

    def copy_reference(
        self, entity: Entity, owner: _Kept, numbers: Column, there: Column | None
    ) -> tuple[Column, Column | None]:
        """Return the records of a reference that equals another one in a share of the rows."""
        of, share = entity.same_as or ("", 0)
        other = next((part for part in self.kept if part.key == of), None)
        if other is None or of not in self.numbers:
            return numbers, there
        stream = make_stream(self.seed, self.get_field(entity.key).source, "same")
        same = stream.has_share(share, owner.numbers) == 1
        for name in (entity.key, of):
            # What is missing, or equal to what is missing, leads nowhere.
            is_there = self.get_presence(name)
            same = same if is_there is None else same & is_there
        found = self.kept[other].there
        if found is not None and not entity.dangling_share:
            # Nor is one that leads nowhere the same as one that never does.
            same = same & found
        if found is not None:
            everywhere = np.ones(len(same), dtype=bool)
            there = np.where(same, found, everywhere if there is None else there)
        elif there is not None:
            there = there | same
        return np.where(same, self.numbers[of], numbers), there


@dataclass(frozen=True, slots=True)
class _Atoms:
    """Draws the values of one name at numbered places."""

    seed: int
    name: tuple[str | int, ...]
    places: Column

    def draw(self, kind: AtomType, sampling: Sampling) -> Column:
        match kind:
            case OrderedType():
                return self.draw_between(kind.minimum, kind.maximum, sampling)
            case BooleanType():
                return self.make_stream().has_share(sampling.yes_share, self.places)
            case EnumType():
                return self.make_stream().pick(
                    sampling.weights or (1,) * len(kind.values), self.places
                )
            case SetType():
                return self.draw_members(kind, sampling)
            case TextType():
                return self.draw_text_values(kind)
            case _:
                raise TypeError(f"nothing draws values of {kind!r}")

    def make_stream(self, *purpose: str) -> Stream:
        return make_stream(self.seed, *self.name, *purpose)

    def draw_between(self, low: int, high: int, sampling: Sampling) -> Column:
        drawn, typical = self.make_stream().draw_at(self.places), sampling.typical
        values = self.shape_values(low, high, sampling.shape, drawn)
        if typical is None:
            return values
        span = typical.maximum - typical.minimum + 1
        narrow = typical.minimum + scale_number(drawn, span).astype(np.int64)
        is_typical = self.make_stream("typical").has_share(typical.share, self.places)
        return np.where(is_typical, narrow, values)

    def shape_values(self, low: int, high: int, weights: Sequence[int], drawn: Column) -> Column:
        """Return values of a range whose equal parts have weights."""
        if not weights:
            return np.asarray(low + scale_number(drawn, high - low + 1).astype(np.int64))
        chosen = self.make_stream("shape").pick(weights, self.places)
        span, values = high - low + 1, np.full(len(self.places), low, dtype=np.int64)
        for part in range(len(weights)):
            first, after = (span * end // len(weights) for end in (part, part + 1))
            inside = first + scale_number(drawn, after - first).astype(np.int64)
            values += np.where(chosen == part, inside, 0)
        return values

    def draw_offsets(self, near: Near) -> Column:
        drawn = self.make_stream("beyond").draw_at(self.places)
        return self.shape_values(near.low, near.high, near.shape, drawn)

    def draw_members(self, kind: SetType, sampling: Sampling) -> Column:
        masks = np.zeros(len(self.places), dtype=np.int64)
        for bit, label in enumerate(kind.values):
            chosen = self.make_stream("member", label).has_share(sampling.member_share, self.places)
            masks |= chosen << bit
        return masks

    def draw_text_values(self, kind: TextType) -> Column:
        shape = find_shape(kind)
        if shape is not None:
            return draw_texts(shape, self.seed, self.name, self.places)
        pool = np.array(kind.pool, dtype=object)
        return np.asarray(pool[self.make_stream().draw_below(len(pool), self.places)])

    def draw_fitting_text(self, kind: TextType, fitting: Column) -> Column:
        """Draw a text for each place among those that fit it, of which there is one at least."""
        pool, drawn = np.array(kind.pool, dtype=object), self.make_stream().draw_at(self.places)
        wanted = (drawn % fitting.sum(axis=0).astype(np.uint64)).astype(np.int64)
        # The first text before which, itself included, more fit than the wanted place says.
        chosen = (np.cumsum(fitting, axis=0) > wanted).argmax(axis=0)
        return np.asarray(pool[chosen])


def _read_pattern(item: Field) -> Pattern:
    return read_pattern(item.type.pattern if isinstance(item.type, TextType) else "")


def _blank_missing_values(there: Column | None, column: Column) -> Column:
    """Return a column with nothing, 0 or "", outside of the rows that have a value."""
    if there is None:
        return column
    return np.where(there, column, "" if column.dtype == object else column.dtype.type(0))
