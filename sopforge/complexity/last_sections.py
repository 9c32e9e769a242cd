"""Sections that levels put after all others of an SOP, for what its rules refer to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sopforge.rendering.sop.added.indirect_limits import LIMITS_SECTION
from sopforge.rendering.sop.added.moved_rules import RULES_SECTION
from sopforge.rendering.sop.document import Line, Style

_ADDED = re.compile(rf"(?:\d+\. )?(?:{RULES_SECTION}|{LIMITS_SECTION})\Z")


def drop_last_sections(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines without the sections that levels have put after all others."""
    end = len(lines)
    for place in reversed(range(len(lines))):
        if lines[place].style is Style.SECTION:
            if not _ADDED.match(lines[place].text):
                break
            end = place
    return lines[:end]


def make_last_heading(lines: Sequence[Line], title: str) -> Line:
    """Return the heading of a section after the last one, numbered on where that has a number."""
    last = next((line.text for line in reversed(lines) if line.style is Style.SECTION), "")
    number = re.match(r"(\d+)\. ", last)
    before = f"{int(number[1]) + 1}. " if number else ""
    return Line(Style.SECTION, f"{before}{title}")
