"""Where passages that state nothing may stand: between whole instructions, where one would look."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sopforge.complexity.annexes import drop_annexes
from sopforge.complexity.variant import Variant
from sopforge.rendering.sop.document import Line, SopDocument, Style, insert_after
from sopforge.rendering.sop.references import PROCEDURE
from sopforge.seeds import draw_below

_HEADINGS = frozenset({Style.TITLE, Style.SECTION, Style.STEP})
_WHOLE = frozenset({Style.PARAGRAPH, Style.BULLET})
_ADDED = frozenset({"superseded", "tangential", "reminder"})


@dataclass(frozen=True, slots=True)
class Where:
    """Where a passage would stand: in a section or its steps, or with what states an item.

    It does not stand under the heading ``apart_from``.
    """

    section: str = ""
    states: str = ""
    apart_from: str = ""


ANYWHERE = Where()


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage with where it would stand; as a ``list_entry``, where a list ends there."""

    line: Line
    where: Where = ANYWHERE
    is_list_entry: bool = False


@dataclass(frozen=True, slots=True)
class _Gap:
    """A place after the line at an index, where nothing is torn apart, and what is around it."""

    index: int
    section: str
    heading: str
    states: frozenset[str]
    is_step: bool
    is_last: bool
    is_beside_added: bool


def with_passages(variant: Variant, operator: str, passages: Iterable[Line], seed: int) -> Variant:
    """Return the variant with passages at keyed places of its text, wherever they may stand."""
    return place_passages(variant, operator, map(Passage, passages), seed)


def place_passages(
    variant: Variant, operator: str, passages: Iterable[Passage], seed: int
) -> Variant:
    """Return the variant with each passage at a keyed one of the places where it would stand."""
    lines, given = variant.sop.lines, list(passages)
    for number, passage in enumerate(given):
        gaps = _select_gaps(lines, passage.where)
        gap = gaps[draw_below(len(gaps), seed, operator, "position", number)]
        is_listed = passage.is_list_entry and lines[gap.index].style is Style.BULLET
        line = replace(passage.line, style=Style.BULLET) if is_listed else passage.line
        lines = insert_after(lines, gap.index, line)
    changed = replace(variant, sop=SopDocument(lines))
    return changed.with_added(operator, *(passage.line.text for passage in given))


def _select_gaps(lines: Sequence[Line], where: Where) -> list[_Gap]:
    """Return the gaps for a passage: of those that suit it best, those beside no other."""
    every = list(_iterate_gaps(drop_annexes(lines)))
    apart = [gap for gap in every if gap.heading != where.apart_from] or every
    if where.states:
        meant = [gap for gap in apart if where.states in gap.states]
    else:
        meant = [gap for gap in apart if where.section in {"", gap.section}]
    if where.section == PROCEDURE:
        meant = [gap for gap in meant if gap.is_step]
    # In a step, what is beside the matter follows what it is about; in a section, it comes last.
    usual = [gap for gap in meant or apart if gap.is_last or gap.is_step]
    found = usual or meant or apart
    return [gap for gap in found if not gap.is_beside_added] or found


def _iterate_gaps(lines: Sequence[Line]) -> Iterator[_Gap]:
    """Yield the gaps of a text, section by section and step by step."""
    section, starts = "", [n for n, line in enumerate(lines) if line.style in _HEADINGS]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        heading = lines[start]
        if heading.style is Style.TITLE:
            continue
        if heading.style is Style.SECTION:
            section = heading.text.partition(". ")[2] or heading.text
        states = frozenset(name for line in lines[start:end] for name in line.states)
        inner = list(_iterate_ends(lines, start, end))
        is_step = heading.style is Style.STEP
        for index in inner[: 2 if is_step else None] if len(inner) > 1 else inner:
            around = lines[index : index + 2]
            yield _Gap(
                index, section, heading.text, states, is_step, index == end - 1,
                any(line.excused in _ADDED for line in around),
            )  # fmt: skip


def _iterate_ends(lines: Sequence[Line], start: int, end: int) -> Iterator[int]:
    """Yield after which lines of a part a paragraph may stand: none is in a list or opens one."""
    for index in range(start + 1, end):
        line = lines[index]
        is_end = index == end - 1 or lines[index + 1].style is Style.PARAGRAPH
        if is_end and (line.style in _WHOLE or (line.style is Style.ROW and index < end - 1)):
            yield index
