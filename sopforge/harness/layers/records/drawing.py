"""Rows that differ from that of a case by little, drawn by the seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from sopforge.harness.layers.records.known_cases import KnownCase, list_compared_entries
from sopforge.harness.layers.records.near_duplicates import Entry, NearDuplicate
from sopforge.harness.layers.records.register import Cells
from sopforge.harness.layers.records.varying import is_variable, vary_cell
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.malformed_inputs import is_malformed
from sopforge.language.domain.values.text_shapes import find_shape
from sopforge.language.domain.values.types import TextType
from sopforge.proof.dataset.sampling.pattern_texts import make_unique_text
from sopforge.sandbox.answers import as_json, as_text
from sopforge.seeds import draw_below, permute_items

_TWICE = 3
"""One in how many rows differs in two entries."""
_KEYS_TRIED = 1000
"""How many texts are tried before there is no further key."""


class NearRow(NamedTuple):
    """A row with a key of its own, and the case whose record that key leads to."""

    entries: Cells
    near: NearDuplicate


@dataclass(frozen=True)
class Drawer:
    """Draws rows beside those that are published."""

    model: DomainModel
    columns: Sequence[str]
    published: Mapping[str, Cells]
    seed: int
    taken: set[str] = field(default_factory=set)

    def draw(self, case: KnownCase, left_out: Sequence[str], turn: int) -> NearRow | None:
        """Return a row near to a case whose task leaves out some entries, None where none is drawn.

        What the task leaves out is another value in it, and one or two entries of the others are.
        """
        key = case.entries[self.model.key]
        stated = [name for name in self.columns if name in case.entries and name not in left_out]
        changed = self._vary(case, stated, turn)
        other, fresh = self._draw_other(case, turn), self._draw_key()
        if not changed or other is None or fresh is None:
            return None
        for name in left_out[1:]:
            cells = self._list_cells(name, case.entries[name])
            if not cells:
                return None
            changed[name] = cells[draw_below(len(cells), self.seed, "other", key, name, turn)]
        entries = {**self.published[key], **case.entries, **changed, self.model.key: fresh}
        return NearRow(entries, NearDuplicate(other, self._compare(entries, self.published[other])))

    def _vary(self, case: KnownCase, stated: Sequence[str], turn: int) -> dict[str, str]:
        """Return one or two entries as they are not; none where none is found."""
        key, fields = case.entries[self.model.key], self.model.fields
        entries = case.entries
        able = [name for name in stated if is_variable(fields[name], entries[name])]
        # What a tool compares with the record gives a row away as soon as it is called.
        able = [name for name in able if name not in self.compared] or able
        size = len(able)
        if not size:
            return {}
        drawn = permute_items(able, self.seed, "entries", key)
        twice = size > 1 and not draw_below(_TWICE, self.seed, "twice", key, turn)
        names = {drawn[turn % size], drawn[(turn + 1 + turn // size) % size] if twice else ""}
        found = {
            name: vary_cell(fields[name], entries[name], self.seed, key, name, turn)
            for name in drawn
            if name in names
        }
        return {name: cell for name, cell in found.items() if cell is not None}

    @cached_property
    def compared(self) -> frozenset[str]:
        """The entries that some tool compares with the record of a case."""
        names = list_compared_entries(self.model).values()
        return frozenset(name for found in names for name in found)

    def _draw_other(self, case: KnownCase, turn: int) -> str | None:
        """Return the key of a case that has nothing to do with this one, and has a record."""
        own = case.entries[self.model.key]
        keys = [key for key in self.sound_keys if key != own]
        if not keys:
            return None
        return keys[draw_below(len(keys), self.seed, "leads to", own, turn)]

    @cached_property
    def sound_keys(self) -> Sequence[str]:
        """The keys of all cases that have a record."""
        kind = self.model.fields[self.model.key].type
        return [key for key in self.published if not is_malformed(kind, key)]

    def _draw_key(self) -> str | None:
        """Return a key that no case has, None where there is none."""
        return next(self._fresh_keys, None)

    @cached_property
    def _fresh_keys(self) -> Iterator[str]:
        return self._iterate_keys()

    def _iterate_keys(self) -> Iterator[str]:
        kind = self.model.fields[self.model.key].type
        shape = find_shape(kind) if isinstance(kind, TextType) else None
        number = misses = 0
        while shape is not None and misses < _KEYS_TRIED:
            text = make_unique_text(shape, self.seed, "near-duplicates", number)
            number += 1
            if text in self.taken or text in self.published:
                misses += 1
                continue
            misses = 0
            self.taken.add(text)
            yield text

    def _list_cells(self, name: str, own: str) -> list[str]:
        """Return what other cases have of an entry, without words for no value."""
        return [cell for cell in self._cells[name] if cell != own]

    @cached_property
    def _cells(self) -> Mapping[str, Sequence[str]]:
        return {
            name: sorted(
                {row[name] for row in self.published.values()} - {self.model.fields[name].missing}
            )
            for name in self.columns
        }

    def _compare(self, shown: Cells, held: Cells) -> dict[str, Entry]:
        return {
            name: Entry(*(self._write_cell(name, row[name]) for row in (shown, held)))
            for name in self.columns
            if name in self.compared
        }

    def _write_cell(self, name: str, cell: str) -> str:
        """Return an entry as a tool is called with it, as JSON text."""
        item = self.model.fields[name]
        return as_text(as_json(item.as_json(item.parse(cell))))
