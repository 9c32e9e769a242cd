"""Sections that levels put after all others of an SOP, for what its rules refer to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.artifacts.rendering.sop.resolving import RULES_SECTION
from sopforge.language.english.vocabulary import LIMITS_SECTION

_ADDED = re.compile(rf"(?:\d+\. )?(?:{RULES_SECTION}|{LIMITS_SECTION})\Z")


def drop_last_sections(statements: Sequence[Statement]) -> Sequence[Statement]:
    """Return the statements without the sections that levels have put after all others."""
    end = len(statements)
    for place in reversed(range(len(statements))):
        if statements[place].style is Style.SECTION:
            if not _ADDED.match(statements[place].text):
                break
            end = place
    return statements[:end]


def make_last_heading(statements: Sequence[Statement], title: str) -> Statement:
    """Return the heading of a section after the last one, numbered on where that has a number."""
    sections = (item.text for item in reversed(statements) if item.style is Style.SECTION)
    number = re.match(r"(\d+)\. ", next(sections, ""))
    before = f"{int(number[1]) + 1}. " if number else ""
    return Statement(Style.SECTION, f"{before}{title}")
