"""Merging a person's edit with a later text: three-way, line by line, with difflib.

The libraries that merge texts are under licences that this project cannot take up, or need git; on
difflib it is a page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher


@dataclass(frozen=True, slots=True)
class Conflict:
    """Lines that both changed: as they were, as the later text has them, and as a person did."""

    before: str
    later: str
    edited: str


@dataclass(frozen=True, slots=True)
class Merged:
    """A merged text; where there are conflicts it has the later text's lines."""

    text: str
    conflicts: tuple[Conflict, ...] = ()


@dataclass(frozen=True, slots=True)
class _Change:
    """Lines ``start`` to ``end`` of the text before become others."""

    start: int
    end: int
    lines: tuple[str, ...]

    def meets(self, other: _Change) -> bool:
        """Tell whether both change the same lines, or put something at the same place."""
        if self.start == self.end or other.start == other.end:
            return self.start <= other.end and other.start <= self.end
        return self.start < other.end and other.start < self.end


def merge(before: str, later: str, edited: str) -> Merged:
    """Return ``later`` with what a person did to ``before``, as far as nothing else was done there.

    A change that both made alike is made once.
    """
    base = before.splitlines(keepends=True)
    ours = list(_changes(base, later.splitlines(keepends=True)))
    wanted = [item for item in _changes(base, edited.splitlines(keepends=True)) if item not in ours]
    refused = [item for item in wanted if any(item.meets(other) for other in ours)]
    applied = [*ours, *(item for item in wanted if item not in refused)]
    conflicts = tuple(_conflict(base, ours, item) for item in refused)
    return Merged("".join(_applied(base, applied)), conflicts)


def _changes(base: Sequence[str], other: Sequence[str]) -> Iterator[_Change]:
    matcher = SequenceMatcher(None, base, other, autojunk=False)
    for kind, start, end, first, last in matcher.get_opcodes():
        if kind != "equal":
            yield _Change(start, end, tuple(other[first:last]))


def _applied(base: Sequence[str], changes: Sequence[_Change]) -> Iterator[str]:
    place = 0
    for change in sorted(changes, key=lambda item: (item.start, item.end)):
        yield from base[place : change.start]
        yield from change.lines
        place = change.end
    yield from base[place:]


def _conflict(base: Sequence[str], ours: Sequence[_Change], change: _Change) -> Conflict:
    met = [item for item in ours if item.meets(change)]
    start = min(change.start, *(item.start for item in met))
    end = max(change.end, *(item.end for item in met))
    return Conflict(
        "".join(base[start:end]),
        _part(base, met, start, end),
        _part(base, [change], start, end),
    )


def _part(base: Sequence[str], changes: Sequence[_Change], start: int, end: int) -> str:
    """Return lines ``start`` to ``end`` with changes that lie within them."""
    moved = [_Change(item.start - start, item.end - start, item.lines) for item in changes]
    return "".join(_applied(base[start:end], moved))
