"""Merging a person's edit with a later text: as by diff3, line by line, with difflib.

The libraries that merge texts are under licences that this project cannot take up, or need git; on
difflib it is a page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher


@dataclass(frozen=True, slots=True)
class LineChange:
    """Lines ``start`` to ``end`` of the text before become others."""

    start: int
    end: int
    lines: tuple[str, ...]

    def has_overlap_with(self, other: LineChange) -> bool:
        """Return whether both change the same lines, or put something at the same place."""
        if self.start == self.end or other.start == other.end:
            return self.start <= other.end and other.start <= self.end
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Conflict:
    """Lines that both changed: as they were, as the later text has them, and as a person did.

    ``change`` is what the person did, without the lines around it that are in conflict too.
    """

    before: str
    later: str
    edited: str
    change: LineChange


@dataclass(frozen=True, slots=True)
class Merged:
    """A merged text; where there are conflicts it has the later text's lines."""

    text: str
    conflicts: tuple[Conflict, ...] = ()


def merge(before: str, later: str, edited: str) -> Merged:
    """Return ``later`` with what a person did to ``before``, as far as nothing else was done there.

    A change that both made alike is made once.
    """
    base = _split_lines(before)
    ours = list(_iterate_changes(base, _split_lines(later)))
    wanted = [item for item in _iterate_changes(base, _split_lines(edited)) if item not in ours]
    refused = [item for item in wanted if any(item.has_overlap_with(other) for other in ours)]
    applied = [*ours, *(item for item in wanted if item not in refused)]
    conflicts = tuple(_build_conflict(base, ours, item) for item in refused)
    return Merged("".join(_apply_changes(base, applied)), conflicts)


def is_let_go(before: str, conflict: Conflict, other: str) -> bool:
    """Return whether ``other``, made of the same text, has the later lines in place of a person's.

    Lines of the same words may stand elsewhere, and say nothing. Where a line is like one near to
    it, difflib may take one for the other; so whatever there are more of than before is not gone.
    """
    base, made, change = _split_lines(before), _split_lines(other), conflict.change
    changes = list(_iterate_changes(base, made))
    if not change.lines:
        later = _split_lines(conflict.later)
        return (
            _has_more(made, base, later)
            and _count_occurrences(_render_lines_around(base, changes, change), later) > 0
        )
    # An insertion stands between two lines, of which either may be the one that is met.
    beside = LineChange(max(change.start - 1, 0), min(change.end + 1, len(base)), change.lines)
    is_there = _count_occurrences(_render_lines_around(base, changes, beside), change.lines) > 0
    return not is_there and not _has_more(made, base, change.lines)


def _has_more(lines: Sequence[str], others: Sequence[str], part: Sequence[str]) -> bool:
    """Return whether a part stands in lines more often than in others; an empty one always does."""
    return not part or _count_occurrences(lines, part) > _count_occurrences(others, part)


def _count_occurrences(lines: Sequence[str], part: Sequence[str]) -> int:
    """Return how often a part stands in lines."""
    places = range(len(lines) - len(part) + 1)
    return sum(tuple(lines[place : place + len(part)]) == tuple(part) for place in places)


def _split_lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _iterate_changes(base: Sequence[str], other: Sequence[str]) -> Iterator[LineChange]:
    """Yield what changed; where as many lines came as went, each is a change of its own."""
    matcher = SequenceMatcher(None, base, other, autojunk=False)
    for kind, start, end, first, last in matcher.get_opcodes():
        if kind != "equal" and end - start == last - first:
            lines = other[first:last]
            yield from (LineChange(n, n + 1, (line,)) for n, line in enumerate(lines, start))
        elif kind != "equal":
            yield LineChange(start, end, tuple(other[first:last]))


def _apply_changes(base: Sequence[str], changes: Sequence[LineChange]) -> Iterator[str]:
    place = 0
    for change in sorted(changes, key=lambda item: (item.start, item.end)):
        yield from base[place : change.start]
        yield from change.lines
        place = change.end
    yield from base[place:]


def _build_conflict(
    base: Sequence[str], ours: Sequence[LineChange], change: LineChange
) -> Conflict:
    met, start, end = _find_overlapping_changes(ours, change)
    return Conflict(
        "".join(base[start:end]),
        _render_part(base, met, start, end),
        _render_part(base, [change], start, end),
        change,
    )


def _render_lines_around(
    base: Sequence[str], made: Sequence[LineChange], change: LineChange
) -> list[str]:
    """Return what changes make of the lines of another one, and of those that they reach."""
    met, start, end = _find_overlapping_changes(made, change)
    return _split_lines(_render_part(base, met, start, end))


def _find_overlapping_changes(
    made: Sequence[LineChange], change: LineChange
) -> tuple[list[LineChange], int, int]:
    """Return which changes meet another one, and the lines from the first to the last of all."""
    met = [item for item in made if item.has_overlap_with(change)]
    start = min(item.start for item in (change, *met))
    end = max(item.end for item in (change, *met))
    return met, start, end


def _render_part(base: Sequence[str], changes: Sequence[LineChange], start: int, end: int) -> str:
    """Return lines ``start`` to ``end`` with changes that lie within them."""
    moved = [LineChange(item.start - start, item.end - start, item.lines) for item in changes]
    return "".join(_apply_changes(base[start:end], moved))
