"""A text cut at lines into pieces, each of which becomes a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from sopforge.harness.layers.text.passages import Heading, is_like_heading, list_headings

LONGEST = 60
"""The most lines of a document."""
_SHORTEST = 6
_NAMED_STEPS = 2


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines of a text from one place to another; the end is not part of it.

    One that ``is_cut`` ends in the middle of a passage.
    """

    start: int
    end: int
    title: str
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class _Passage:
    start: int
    end: int
    heading: Heading | None

    @property
    def size(self) -> int:
        return self.end - self.start


def cut_text(lines: Sequence[str], most: int) -> list[Piece]:
    """Return the lines in pieces of at most so many lines.

    Passages of a section stay together as far as there is room. No piece has lines of two sections,
    but for what stands before the first one. No two have one title.
    """
    pieces = [
        piece for passages in _split_sections(lines) for piece in _group(lines, passages, most)
    ]
    return list(_distinguish(pieces))


def choose_size(lines: Sequence[str], wanted: int) -> int:
    """Return of how many lines the pieces of a text are so that there are at most so many."""
    for most in range(_SHORTEST, LONGEST):
        if len(cut_text(lines, most)) <= wanted:
            return most
    return LONGEST


def _split_sections(lines: Sequence[str]) -> Iterator[list[_Passage]]:
    """Yield the passages of each section; those before the first one go with it."""
    headings = list_headings(lines, is_after_gap=False)
    starts = [0, *(heading.at for heading in headings), len(lines)]
    named = [None, *headings]
    spans = list(zip(pairwise(starts), named, strict=True))
    group: list[_Passage] = []
    for (start, end), heading in spans:
        is_new = heading is not None and heading.is_section
        if is_new and any(passage.heading for passage in group):
            yield group
            group = []
        if end > start:
            group.append(_Passage(start, end, heading))
    yield group


def _group(lines: Sequence[str], passages: Sequence[_Passage], most: int) -> Iterator[Piece]:
    """Yield passages as pieces: several in one where they fit, one in several where it is long."""
    held: list[_Passage] = []
    for passage in passages:
        if held and passage.end - held[0].start > most:
            yield _join(held)
            held = []
        if passage.size > most:
            yield from _cut(lines, passage, most)
        else:
            held.append(passage)
    if held:
        yield _join(held)


def _join(passages: Sequence[_Passage]) -> Piece:
    return Piece(passages[0].start, passages[-1].end, _make_title(passages))


def _make_title(passages: Sequence[_Passage]) -> str:
    headings = [passage.heading for passage in passages if passage.heading]
    sections = [heading.title for heading in headings if heading.is_section]
    others = [heading.title for heading in headings if not heading.is_section]
    named = "; ".join(others[:_NAMED_STEPS])
    left = len(others) - _NAMED_STEPS
    more = f"; {left} more" if left > 0 else ""
    return ": ".join([*sections, *([f"{named}{more}"] if named else [])]) or "Opening"


def _cut(lines: Sequence[str], passage: _Passage, most: int) -> Iterator[Piece]:
    count = -(-passage.size // most)
    drawn = [passage.start + passage.size * n // count for n in range(1, count)]
    # A document that begins with a line like a heading would seem to begin with another passage.
    places = [place for place in drawn if not is_like_heading(lines[place])]
    title = _make_title([passage])
    for start, end in pairwise([passage.start, *places, passage.end]):
        is_first, is_last = start == passage.start, end == passage.end
        yield Piece(start, end, title if is_first else f"{title}, continued", not is_last)


def _distinguish(pieces: Sequence[Piece]) -> Iterator[Piece]:
    seen: dict[str, int] = {}
    for piece in pieces:
        times = seen[piece.title] = seen.get(piece.title, 0) + 1
        title = piece.title if times == 1 else f"{piece.title} ({times})"
        yield replace(piece, title=title)
