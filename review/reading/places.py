"""Where in a text a finding points to: the line that a person is to look at.

A finding names its line in one of several forms: the number of the line, its words, a path of
names in a document, or a name in the message. What fits none of them has no place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sopforge.errors import Fault
from sopforge.findings import Finding

_NUMBER = re.compile(r"\.\w+:(\d+)|\bline (\d+)")
_QUOTED = re.compile(r"'([^']+)'")
_NAME = re.compile(r"\b(?:[a-z]+[A-Z]|[A-Za-z]+_)\w+")
_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])?\s*")
_SHORTEST = 8


@dataclass(frozen=True, slots=True)
class TextPlace:
    """A line of a text, by its number from 1."""

    line: int
    text: str


def find_place(fault: Finding | Fault, text: str) -> TextPlace | None:
    r"""Return the line of a text that a finding or a fault is about, None if it names none.

    >>> find_place(Fault("unknown-field", "no field 'b'", "domain.yaml:2, model.x"), "a: 1\nb: 2\n")
    TextPlace(line=2, text='b: 2')
    """
    lines = text.splitlines()
    evidence = fault.evidence if isinstance(fault, Finding) else ""
    tries = (
        _find_by_number(lines, f"{fault.where} {fault.message}"),
        _find_by_words(lines, evidence),
        _find_by_path(lines, fault.where),
        _find_by_name(lines, fault.message),
    )
    index = next((found for found in tries if found is not None), None)
    return None if index is None else TextPlace(index + 1, lines[index].strip())


def _find_by_number(lines: Sequence[str], words: str) -> int | None:
    found = _NUMBER.search(words)
    if found is None:
        return None
    index = int(found[1] or found[2]) - 1
    return index if 0 <= index < len(lines) else None


def _find_by_words(lines: Sequence[str], evidence: str) -> int | None:
    """Return the longest line of those that the evidence quotes."""
    plain = [_BULLET.sub("", line).strip() for line in lines]
    quoted = [
        index for index, line in enumerate(plain) if len(line) >= _SHORTEST and line in evidence
    ]
    return max(quoted, key=lambda index: len(plain[index]), default=None)


def _find_by_path(lines: Sequence[str], where: str) -> int | None:
    """Return the line to which the names of a path lead, each searched for after the one before."""
    if "/" in where:
        return None
    found = None
    for name in re.findall(r"\w+", where):
        key = re.compile(rf"(?:^|[\s{{,-])(?:id: )?[\"']?{name}[\"']?\s*(?:[:,}}]|$)")
        start = found or 0
        found = next((at for at in range(start, len(lines)) if key.search(lines[at])), found)
    return found


def _find_by_name(lines: Sequence[str], message: str) -> int | None:
    """Return the first line with what a message quotes, or with a name that it uses."""
    for name in (*_QUOTED.findall(message), *_NAME.findall(message)):
        word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        for index, line in enumerate(lines):
            if word.search(line):
                return index
    return None
