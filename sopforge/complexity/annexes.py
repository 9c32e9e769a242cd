"""Annexes: numbered sections after all others of an SOP, each with a letter of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sopforge.rendering.sop.document import Line, Style

_ANNEX = re.compile(r"(?:\d+\. )?Annex [A-Z]: ")
_LETTERS = "ABCDEFGH"


def drop_annexes(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines up to the first annex."""
    starts = (n for n, line in enumerate(lines) if _is_annex(line))
    return lines[: next(starts, len(lines))]


def make_annex_heading(lines: Sequence[Line], title: str) -> Line:
    """Return the heading of an annex after the last section."""
    letter = _LETTERS[sum(map(_is_annex, lines))]
    return make_last_heading(lines, f"Annex {letter}: {title}")


def make_last_heading(lines: Sequence[Line], title: str) -> Line:
    """Return the heading of a section after the last one, numbered on where that has a number."""
    last = next((line.text for line in reversed(lines) if line.style is Style.SECTION), "")
    number = re.match(r"(\d+)\. ", last)
    before = f"{int(number[1]) + 1}. " if number else ""
    return Line(Style.SECTION, f"{before}{title}")


def _is_annex(line: Line) -> bool:
    return line.style is Style.SECTION and _ANNEX.match(line.text) is not None
