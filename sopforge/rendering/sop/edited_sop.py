"""An SOP whose text a person edited: lines that stayed keep what they state."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher, get_close_matches

from sopforge.rendering.sop.document import Line, SopDocument, Style

_HEADINGS = (
    (Style.STEP, re.compile(r"\d+\.\d+ \S")),
    (Style.SECTION, re.compile(r"\d+\. \S")),
)
_READ_BACK = ("edge ", "rule ")
_MARKS = ((Style.NESTED, "  - "), (Style.BULLET, "- "))


def with_text(document: SopDocument, text: str) -> SopDocument:
    """Return a document with another plain text.

    A line that was reworded is taken to state what it did: whether it does, the checks find out.
    A line that is new states nothing. What a language model read stays with a line that stays.
    """
    lines = tuple(_parse_lines(text))
    before = [(line.style, line.text) for line in document.lines]
    after = [(line.style, line.text) for line in lines]
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    found: list[Line] = []
    for _, start, end, first, last in matcher.get_opcodes():
        found += _trace_lines(document.lines[start:end], lines[first:last])
    return SopDocument(tuple(found))


def _trace_lines(before: Sequence[Line], after: Sequence[Line]) -> Iterator[Line]:
    """Yield lines with the trace of those in whose place they are, in their order.

    Where as many came as went, each is in the place of its own; else of the one most like it.
    """
    if len(after) == 1 and _are_joined(before, after[0]):
        states = tuple(dict.fromkeys(item for line in before for item in line.states))
        yield Line(before[0].style, after[0].text, states, before[0].excused)
        return
    left = list(before)
    for line in after:
        meant = left[0] if len(before) == len(after) else _find_similar_line(line, left)
        if meant is None or meant.style is not line.style:
            yield line
        elif meant.text == line.text:
            yield meant
        else:
            yield Line(meant.style, line.text, meant.states, meant.excused)
        if meant is not None:
            del left[: left.index(meant) + 1]


def _are_joined(before: Sequence[Line], line: Line) -> bool:
    """Return whether a line is in the place of several that are read back, and so proved."""
    return len(before) > 1 and all(
        item.style is line.style
        and any(state.startswith(_READ_BACK) for state in item.states)
        and all(state.startswith((*_READ_BACK, "policy ")) for state in item.states)
        for item in before
    )


def _find_similar_line(line: Line, lines: Sequence[Line]) -> Line | None:
    """Return the line of the same style with the words most like its own, None without one."""
    alike = [item for item in lines if item.style is line.style]
    found = get_close_matches(line.text, [item.text for item in alike], n=1)
    return next((item for item in alike if item.text in found), None)


def _parse_lines(text: str) -> Iterator[Line]:
    is_first, is_after_gap = True, False
    for line in map(str.rstrip, text.splitlines()):
        if not line:
            is_after_gap = True
            continue
        yield (
            Line(Style.TITLE, line) if is_first else _parse_line(line, is_after_gap=is_after_gap)
        )
        is_first, is_after_gap = False, False


def _parse_line(text: str, *, is_after_gap: bool) -> Line:
    for style, pattern in _HEADINGS:
        if is_after_gap and pattern.match(text):
            return Line(style, text)
    for style, mark in _MARKS:
        if text.startswith(mark):
            return Line(style, text.removeprefix(mark))
    return Line(Style.ROW if text.startswith("| ") else Style.PARAGRAPH, text)
