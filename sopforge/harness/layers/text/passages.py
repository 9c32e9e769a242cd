"""The passages of an SOP by their names, found in its lines, and the passages that lines name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

_HEADING = re.compile(r"(?:(?P<section>\d+)\. (?P<title>\S.*)|(?P<step>\d+\.\d+) (?P<of>\S.*))\Z")
_NAMED = re.compile(r"\b(step \d+\.\d+|section \d+)(?= \(|[.;,](?: |$))")
_BARE = re.compile(r"(?:\b(?:inputs|records|results) \(|\(see )(section \d+)\)")
_PART_NAMED = re.compile(r"\b(?=(section \d+))section (\d+\.\d+)\b")
STEP, SECTION = "step", "section"


class Heading(NamedTuple):
    """Where a passage begins: the line, what references call it, and its title."""

    at: int
    name: str
    title: str

    @property
    def is_section(self) -> bool:
        """Whether a section begins here."""
        return self.name.startswith(SECTION)

    @property
    def is_step(self) -> bool:
        """Whether a step begins here."""
        return self.name.startswith(STEP)


def name_step(number: str) -> str:
    """Return what references call a step of a number."""
    return f"{STEP} {number}"


def list_headings(lines: Sequence[str], *, is_after_gap: bool = True) -> list[Heading]:
    """Return the headings among lines; each stands after an empty line.

    ``is_after_gap`` says whether there is one before the first line.
    """
    found = []
    for at, line in enumerate(lines):
        if (lines[at - 1] == "" if at else is_after_gap) and (heading := _read_heading(at, line)):
            found.append(heading)
    return found


def list_spans(lines: Sequence[str], *, is_after_gap: bool = True) -> list[tuple[Heading, int]]:
    """Return the headings among lines, each with where its passage ends."""
    headings = list_headings(lines, is_after_gap=is_after_gap)
    return list(zip(headings, [*(item.at for item in headings[1:]), len(lines)], strict=True))


def find_main(text: str) -> int:
    """Return the number of the section where the procedure begins, 0 for a text without steps."""
    steps = (item for item in list_headings(text.split("\n")) if item.is_step)
    first = next(steps, None)
    return int(first.name.partition(" ")[2].partition(".")[0]) if first else 0


def is_like_heading(line: str) -> bool:
    """Return whether a line would be a heading, if it stood after an empty one."""
    return _read_heading(0, line) is not None


def _read_heading(at: int, line: str) -> Heading | None:
    found = _HEADING.match(line)
    if found is None:
        return None
    if found["section"]:
        return Heading(at, f"{SECTION} {found['section']}", found["title"])
    return Heading(at, f"{STEP} {found['step']}", found["of"])


def list_named(lines: Iterable[str]) -> list[str]:
    """Return the passages that lines name, each once, line by line."""
    return list(dict.fromkeys(name for line in lines for name in _iterate_named(line)))


def list_next_steps(lines: Sequence[str]) -> list[str]:
    """Return the steps after those that begin among lines: they lead on without naming them."""
    numbers = [item.name.partition(" ")[2] for item in list_headings(lines) if item.is_step]
    parts = [number.partition(".") for number in numbers]
    return [name_step(f"{section}.{int(place) + 1}") for section, _, place in parts]


def _iterate_named(line: str) -> Iterator[str]:
    yield from _NAMED.findall(line)
    yield from _BARE.findall(line)
    for section, number in _PART_NAMED.findall(line):
        # Parts of sections have headings like those of steps.
        yield from (section, name_step(number))
