"""Sections that layers add to an SOP, and find in one."""

from __future__ import annotations

import re
from collections.abc import Iterable

_HEADING = re.compile(r"^(\d+)\. (?=\S)", re.MULTILINE)


class UnreadableTextError(ValueError):
    """A text does not state what whoever works by it has to know."""


def add_section(sop: str, title: str, lines: Iterable[str]) -> str:
    """Return an SOP with one more section, its last, under the number that follows."""
    number = max((int(found[1]) for found in _HEADING.finditer(sop)), default=0) + 1
    text = "\n".join(lines)
    return f"{sop.rstrip()}\n\n{number}. {title}\n{text}\n"


def find_section(sop: str, title: str) -> str | None:
    """Return the text of a section up to the next one, None where there is none of that title."""
    found = re.search(rf"^\d+\. {re.escape(title)}$", sop, re.MULTILINE)
    if found is None:
        return None
    rest = sop[found.end() :]
    following = _HEADING.search(rest)
    return rest[: following.start()] if following else rest
