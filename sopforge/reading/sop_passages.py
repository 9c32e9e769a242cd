"""The passages of an SOP as its text shows them: sections, steps, sentences, lists and tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from sopforge.rendering.sop.document import Line, SopDocument
from sopforge.rendering.sop.references import MEANT

_SECTION = re.compile(r"(\d+)\. (\S.*)")
_STEP = re.compile(r"(\d+\.\d+) (\S.*)")
_FIGURE = re.compile(r"(?<![\w.-])-?\d+(?:[.:-]\d+)*")
_REFERENCE = re.compile(r"\b(?:step|section) (\d+(?:\.\d+)?) \(")
BARE_REFERENCE = re.compile(rf"\b({'|'.join(MEANT)}) \(section (\d+)\)")
"""A section by its number alone, after words that say which one is meant."""
REFERENCE_LIST = re.compile(
    r"\b[Ss]teps? \d+\.\d+(?:(?:, | and | to )\d+\.\d+)*"
    r"(?=[.;](?: |$)| \||$| (?:is|are) carried out by )"
)
"""Several steps that a sentence or a cell ends with, by their numbers alone."""
_BARE_STEP = re.compile(
    r"\b(?:continue|go|proceed|move|carry)(?: straight| directly)?(?: on)? (?:with|to|at) step "
    r"(?P<number>\d+\.\d+)(?=[.,;](?:\s|$)| (?:if|when|where|instead|unless)\b)",
    re.IGNORECASE,
)
"""A step to go to, by its number alone."""
_RANGE = re.compile(r"(\d+)\.(\d+)(?: to \1\.(\d+))?")


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence or bullet, with the list or the rows of the table below it."""

    text: str
    is_bullet: bool
    items: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)

    @property
    def whole(self) -> str:
        """The passage with all that hangs below it."""
        return "\n".join([self.text, *self.items, *map(" | ".join, self.rows)])


@dataclass(frozen=True, slots=True)
class Part:
    """A section or a step: its number, title and passages."""

    number: str
    title: str
    passages: list[Passage] = field(default_factory=list)


def read_parts(lines: Iterable[Line]) -> list[Part]:
    """Return the sections and steps in the order of the text, the title left out."""
    text = SopDocument(tuple(lines)).as_text()
    parts: list[Part] = []
    is_after_gap = False
    for line in text.splitlines():
        heading = (_SECTION.fullmatch(line) or _STEP.fullmatch(line)) if is_after_gap else None
        is_after_gap = not line
        if heading is not None:
            parts.append(Part(heading[1], heading[2]))
        elif line and parts:
            _append(parts[-1].passages, line)
    return parts


def read_passages(lines: Iterable[Line]) -> list[Passage]:
    """Return the passages of lines that are no heading."""
    passages: list[Passage] = []
    for line in SopDocument(tuple(lines)).as_text().splitlines():
        _append(passages, line)
    return passages


def name_next_steps(part: Part, titles: Mapping[str, str]) -> Part:
    """Return a part in which each step to go to has its title, as it has where it is further on.

    ``titles`` are those of steps by their numbers.
    """

    def add_title(found: re.Match[str]) -> str:
        title = titles.get(found["number"])
        return found[0] if title is None else f"{found[0]} ({title})"

    passages = [
        replace(
            passage,
            text=_BARE_STEP.sub(add_title, passage.text),
            items=[_BARE_STEP.sub(add_title, item) for item in passage.items],
        )
        for passage in part.passages
    ]
    return replace(part, passages=passages)


def _append(passages: list[Passage], line: str) -> None:
    if line.startswith("  - ") and passages:
        passages[-1].items.append(line[4:])
    elif line.startswith("| ") and passages:
        passages[-1].rows.append(_split_cells(line))
    else:
        passages.append(Passage(line.removeprefix("- "), line.startswith("- ")))


def _split_cells(line: str) -> list[str]:
    return line.removeprefix("| ").removesuffix(" |").split(" | ")


@dataclass(frozen=True, slots=True)
class Facts:
    """What a text says in quotation marks, in figures, and in references to steps."""

    quoted: tuple[str, ...]
    figures: tuple[str, ...]
    references: tuple[str, ...]


def collect_facts(text: str) -> Facts:
    """Return the quoted words, figures and references of a text, in their order."""
    bare = re.sub(r'"[^"]*"', "", text)
    lists = REFERENCE_LIST.findall(bare)
    sections = [number for _, number in BARE_REFERENCE.findall(bare)]
    bare = BARE_REFERENCE.sub("", REFERENCE_LIST.sub("", bare))
    listed = [number for item in lists for number in _iterate_numbers(item)]
    references = (*_REFERENCE.findall(bare), *sections, *listed)
    figures = tuple(_FIGURE.findall(_REFERENCE.sub("(", bare)))
    return Facts(tuple(re.findall(r'"([^"]*)"', text)), figures, references)


def _iterate_numbers(references: str) -> Iterator[str]:
    """Yield the numbers of steps in a list of them, each of a range."""
    for section, first, last in _RANGE.findall(references):
        for number in range(int(first), int(last or first) + 1):
            yield f"{section}.{number}"
