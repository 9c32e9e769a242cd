"""Two documents statement by statement: which of one stands in the place of which of the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher, get_close_matches
from typing import NamedTuple

from sopforge.artifacts.rendering.sop.document import SopDocument, Statement, Style, join_lines

_HEADINGS = (
    (Style.STEP, re.compile(r"\d+\.\d+ \S")),
    (Style.SECTION, re.compile(r"\d+\. \S")),
)
_MARKS = ((Style.NESTED, "  - "), (Style.BULLET, "- "))


class Pair(NamedTuple):
    """A statement of one document and that in its place in another; None where there is none."""

    before: Statement | None
    after: Statement | None


def align(before: Sequence[Statement], after: Sequence[Statement]) -> Iterator[Pair]:
    """Yield the statements of two documents in pairs, in the order of the second.

    Where as many came as went, each is in the place of its own; else of the one most like it.
    """
    first, second = ([(x.style, x.text) for x in items] for items in (before, after))
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    for _, start, end, place, last in matcher.get_opcodes():
        yield from _align_part(list(before[start:end]), after[place:last])


def _align_part(left: list[Statement], after: Sequence[Statement]) -> Iterator[Pair]:
    is_even = len(left) == len(after)
    for item in after:
        meant = left[0] if is_even else _find_similar(item, left)
        if meant is None or meant.style is not item.style:
            yield Pair(None, item)
            meant = None if not is_even else left.pop(0)
            if meant is not None:
                yield Pair(meant, None)
            continue
        place = left.index(meant)
        yield from (Pair(gone, None) for gone in left[:place])
        yield Pair(meant, item)
        del left[: place + 1]
    yield from (Pair(gone, None) for gone in left)


def _find_similar(item: Statement, others: Sequence[Statement]) -> Statement | None:
    """Return the statement of the same style with the words most like its own, if there is one."""
    alike = [other for other in others if other.style is item.style]
    found = get_close_matches(item.text, [other.text for other in alike], n=1)
    return next((other for other in alike if other.text in found), None)


def with_text(document: SopDocument, text: str) -> SopDocument:
    """Return a document with another plain text.

    A statement that was reworded is taken to state what it did: whether it does, the checks find
    out. One that is new states nothing. What a language model read stays with what stays.
    """
    found = []
    for known, item in align(document.statements, join_lines(_parse_lines(text))):
        if known is not None and item is not None:
            is_same = known.text == item.text
            found.append(
                known if is_same else replace(known, text=item.text, read_as="", read_by="")
            )
        elif item is not None:
            found.append(item)
    return SopDocument(tuple(found))


def attach_terms(derived: SopDocument, stored: SopDocument) -> SopDocument:
    """Return a stored document with what the statements say of which it has the words.

    Those that a person worded have no term: nothing can be put into their words.
    """
    found = []
    for known, item in align(derived.statements, stored.statements):
        if item is not None:
            is_same = known is not None and known.text == item.text
            term = (known.kind, known.term) if is_same and known is not None else ("", None)
            found.append(replace(item, kind=term[0], term=term[1]))
    return SopDocument(tuple(found))


def _parse_lines(text: str) -> Iterator[Statement]:
    is_first, is_after_gap = True, False
    for line in map(str.rstrip, text.splitlines()):
        if not line:
            is_after_gap = True
            continue
        yield (
            Statement(Style.TITLE, line)
            if is_first
            else _parse_line(line, is_after_gap=is_after_gap)
        )
        is_first, is_after_gap = False, False


def _parse_line(text: str, *, is_after_gap: bool) -> Statement:
    for style, pattern in _HEADINGS:
        if is_after_gap and pattern.match(text):
            return Statement(style, text)
    for style, mark in _MARKS:
        if text.startswith(mark):
            return Statement(style, text.removeprefix(mark))
    return Statement(Style.ROW if text.startswith("| ") else Style.PARAGRAPH, text)
