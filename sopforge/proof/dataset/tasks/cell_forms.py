"""How the cells of a task's inputs are shown in its text, and read from it.

A form writes the cells that it is for, and its pattern fits what it writes and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from sopforge.language.domain.fields import Field
from sopforge.language.domain.values.types import (
    BOOLEAN_WORDS,
    SET_SEPARATOR,
    AtomType,
    BooleanType,
    EnumType,
    Item,
    ListType,
    MomentType,
    NumberType,
    SetType,
    TextType,
    ValueNotAllowedError,
    ValueType,
    list_items,
)
from sopforge.language.english.nouns import contains_unit, format_quantity, list_unit_forms

_NUMBER = r"-?[0-9]+(?:\.[0-9]+)?"
_SENTENCES = r'[^"\n]+'
_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?: [0-9]{2}:[0-9]{2})?"


class CellForm(Protocol):
    """One form in which cells of a field are shown."""

    def write(self, cell: str) -> str | None:
        """Return what is shown for a cell, None for one that has another form."""

    def read(self, shown: str) -> str:
        """Return the cell of what the group of the pattern has found."""

    def build_pattern(self, name: str) -> str:
        """Return a pattern of what is shown, with a group of that name in it."""


@dataclass(frozen=True, slots=True)
class PlainForm:
    """Cells as they are: a pattern of them, and what stands around them."""

    cells: str
    before: str = ""
    after: str = ""

    def write(self, cell: str) -> str | None:
        """Return the cell with what stands around it."""
        is_its_own = re.fullmatch(self.cells, cell, re.DOTALL)
        return f"{self.before}{cell}{self.after}" if is_its_own else None

    def read(self, shown: str) -> str:
        """Return the cell."""
        return shown

    def build_pattern(self, name: str) -> str:
        """Return a pattern with the cell alone in its group."""
        return f"{re.escape(self.before)}(?P<{name}>{self.cells}){re.escape(self.after)}"


@dataclass(frozen=True, slots=True)
class ClauseForm:
    """One cell, and the clause that stands for it."""

    cell: str
    clause: str

    def write(self, cell: str) -> str | None:
        """Return the clause."""
        return self.clause if cell == self.cell else None

    def read(self, shown: str) -> str:  # noqa: ARG002 - there is one
        """Return the cell."""
        return self.cell

    def build_pattern(self, name: str) -> str:
        """Return the clause as a group."""
        return f"(?P<{name}>{re.escape(self.clause)})"


@dataclass(frozen=True, slots=True)
class EntriesForm:
    """A list entry by entry: "(1) part: Lid, cost: 5.00 EUR; (2) part: Box, cost: 1.50 EUR"."""

    item: Field
    kind: ListType
    mark: str

    def write(self, cell: str) -> str | None:
        """Return the entries; None where they could not be read back."""
        try:
            entries = list_items(self.kind.encode(cell))
        except ValueNotAllowedError:
            return None
        words = [f"({number}) {self._write_entry(x)}" for number, x in enumerate(entries, start=1)]
        shown = "; ".join(words)
        is_whole = bool(words) and re.fullmatch(self.build_pattern("cell"), shown) is not None
        return shown if is_whole and self.read(shown) == cell else None

    def _write_entry(self, entry: Item) -> str:
        cells = {name: kind.to_cell(entry[name]) for name, kind in self.kind.fields}
        values = {name: self._write_value(kind, cells[name]) for name, kind in self.kind.fields}
        return ", ".join(f"{self.item.label_part(name)}: {value}" for name, value in values.items())

    def _write_value(self, kind: AtomType, cell: str) -> str:
        if isinstance(kind, NumberType):
            return format_quantity(cell, kind.unit)
        return cell if isinstance(kind, MomentType) else f"{self.mark}{cell}{self.mark}"

    def read(self, shown: str) -> str:
        """Return the list as its cell has it."""
        names = [name for name, _ in self.kind.fields]
        found = re.finditer(self._build_entry_pattern("(", ")"), shown)
        entries = [dict(zip(names, match.groups(), strict=True)) for match in found]
        return self.kind.to_cell(self.kind.encode(entries))

    def build_pattern(self, name: str) -> str:
        """Return a pattern of one entry or more."""
        entry = self._build_entry_pattern("(?:", ")")
        return f"(?P<{name}>{entry}(?:; {entry})*)"

    def _build_entry_pattern(self, before: str, after: str) -> str:
        """Return a pattern of an entry, in which these stand around each value."""
        labels = [re.escape(self.item.label_part(name)) for name, _ in self.kind.fields]
        values = [self._build_part_pattern(kind, before, after) for _, kind in self.kind.fields]
        parts = [f"{label}: {value}" for label, value in zip(labels, values, strict=True)]
        return rf"\([0-9]+\) {', '.join(parts)}"

    def _build_part_pattern(self, kind: AtomType, before: str, after: str) -> str:
        match kind:
            case NumberType():
                units = build_choice_pattern(f" {unit}" for unit in list_unit_forms(kind.unit))
                return f"{before}{_NUMBER}{after}(?:{units})"
            case MomentType():
                return f"{before}{_DAY}{after}"
            case _:
                words = _build_word_pattern(kind)
                return f"{self.mark}{before}{words}{after}{self.mark}"


def list_value_forms(item: Field, mark: str, before: str) -> list[CellForm]:
    """Return the forms of the cells of a field that have a value of its type.

    ``mark`` stands on both sides of words, and ``before`` ahead of these.
    """
    kind = item.type
    match kind:
        case NumberType():
            unit = "" if contains_unit(item.label, kind) else kind.unit
            one, many = (
                format_quantity(number, unit).removeprefix(number) for number in ("1", "2")
            )
            return [PlainForm("-?1", after=one), PlainForm(_NUMBER, after=many)]
        case MomentType():
            return [PlainForm(_DAY)]
        case ListType():
            none = PlainForm(re.escape(kind.empty), mark, mark)
            listed = PlainForm(r"\[.*\]")
            # Where a text may hold a comma, nothing shows where it ends.
            is_free = any(isinstance(part, TextType) and not part.pool for _, part in kind.fields)
            return [none, listed] if is_free else [none, EntriesForm(item, kind, mark), listed]
        case TextType() if item.tells:
            return [PlainForm(_SENTENCES, f"{before}{mark}", mark)]
        case _:
            return [PlainForm(_build_word_pattern(kind), f"{before}{mark}", mark)]


def _build_word_pattern(kind: ValueType) -> str:
    """Return a pattern of the cells of a type whose cells are words."""
    match kind:
        case BooleanType():
            return build_choice_pattern(BOOLEAN_WORDS)
        case EnumType():
            return build_choice_pattern(kind.values)
        case SetType():
            one_of = f"(?:{build_choice_pattern(kind.values)})"
            return f"{one_of}(?:{SET_SEPARATOR}{one_of})*|{re.escape(kind.empty)}"
        case TextType():
            return build_choice_pattern(kind.pool) or "[A-Za-z0-9 @_.,-]*"
        case _:
            raise TypeError(f"cells of {kind!r} are no words")


def build_choice_pattern(texts: Iterable[str]) -> str:
    """Return a pattern of the texts, longer ones first, for one may begin another."""
    return "|".join(re.escape(text) for text in sorted(texts, key=lambda text: (-len(text), text)))
