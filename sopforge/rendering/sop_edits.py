"""An SOP whose text a person edited: lines that stayed keep what they state."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from sopforge.rendering.sop_document import Line, SopDocument, Style

_HEADINGS = (
    (Style.STEP, re.compile(r"\d+\.\d+ \S")),
    (Style.SECTION, re.compile(r"\d+\. \S")),
)
_MARKS = ((Style.NESTED, "  - "), (Style.BULLET, "- "))


def with_text(document: SopDocument, text: str) -> SopDocument:
    """Return a document with another plain text.

    A line that was reworded is taken to state what it did: whether it does, the checks find out.
    A line that is new states nothing.
    """
    lines = tuple(_parsed(text))
    before = [(line.style, line.text) for line in document.lines]
    after = [(line.style, line.text) for line in lines]
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    found: list[Line] = []
    for _, start, end, first, last in matcher.get_opcodes():
        found += _traced(document.lines[start:end], lines[first:last])
    return SopDocument(tuple(found))


def _traced(before: Sequence[Line], after: Sequence[Line]) -> Iterator[Line]:
    """Yield lines with the trace of those in whose place they are, in their order."""
    for number, line in enumerate(after):
        if number < len(before) and before[number].style is line.style:
            yield replace(before[number], text=line.text)
        else:
            yield line


def _parsed(text: str) -> Iterator[Line]:
    is_first, is_behind_gap = True, False
    for line in text.splitlines():
        if not line.strip():
            is_behind_gap = True
            continue
        yield Line(Style.TITLE, line) if is_first else _line(line, is_behind_gap=is_behind_gap)
        is_first, is_behind_gap = False, False


def _line(text: str, *, is_behind_gap: bool) -> Line:
    for style, pattern in _HEADINGS:
        if is_behind_gap and pattern.match(text):
            return Line(style, text)
    for style, mark in _MARKS:
        if text.startswith(mark):
            return Line(style, text.removeprefix(mark))
    return Line(Style.ROW if text.startswith("| ") else Style.PARAGRAPH, text)
