"""Where passages that state nothing may stand: between whole instructions, where one would look."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from sopforge.artifacts.complexity.last_sections import drop_last_sections
from sopforge.artifacts.complexity.variant import Variant
from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.artifacts.rendering.sop.marks import REMINDER, SIDE, SUPERSEDED, TANGENTIAL
from sopforge.artifacts.rendering.sop.references import PROCEDURE
from sopforge.seeds import draw_below

_HEADINGS = frozenset({Style.TITLE, Style.SECTION, Style.STEP})
_ADDED = frozenset({SUPERSEDED, TANGENTIAL, REMINDER, SIDE})


@dataclass(frozen=True, slots=True)
class Where:
    """Where a passage would stand: in a section or its steps, or with what states an item.

    It does not stand under the heading ``apart_from``. One that ``joins`` what states an item
    stands right after it, as one more of its list; one that ``precedes`` it stands right before.
    """

    section: str = ""
    states: str = ""
    apart_from: str = ""
    joins: str = ""
    precedes: str = ""


ANYWHERE = Where()


@dataclass(frozen=True, slots=True)
class AddedPassage:
    """A passage with where it would stand; as a ``list_entry``, where a list ends there.

    What it has ``besides`` stands elsewhere.
    """

    line: Statement
    where: Where = ANYWHERE
    is_list_entry: bool = False
    besides: AddedPassage | None = None


@dataclass(frozen=True, slots=True)
class _Gap:
    """A place after the line at an index, where nothing is torn apart, and what is around it.

    ``states`` are the items of all lines under its heading, ``states_before`` those of the lines
    right before it: a paragraph, or a list with what opens it.
    """

    index: int
    section: str
    heading: str
    is_step: bool
    states: frozenset[str]
    states_before: frozenset[str]
    is_opening: bool
    is_beside_added: bool


def with_passages(
    variant: Variant, operator: str, passages: Iterable[Statement], seed: int
) -> Variant:
    """Return the variant with passages at keyed places of its text, wherever they may stand."""
    return place_passages(variant, operator, map(AddedPassage, passages), seed)


def place_passages(
    variant: Variant, operator: str, passages: Iterable[AddedPassage], seed: int
) -> Variant:
    """Return the variant with each passage at a keyed one of the places where it would stand."""
    lines, given = list(variant.sop.statements), list(passages)
    for number, passage in enumerate(given):
        for part in filter(None, (passage, passage.besides)):
            index = _find_joined(lines, part.where)
            if index is None:
                gaps = _select_gaps(lines, part.where)
                index = gaps[draw_below(len(gaps), seed, operator, "position", number)].index
            is_listed = part.is_list_entry and lines[index].style is Style.BULLET
            line = replace(part.line, style=Style.BULLET) if is_listed else part.line
            lines.insert(index + 1, line)
    changed = variant.with_statements(lines)
    return changed.with_added(operator, *(passage.line.text for passage in given))


def _find_joined(lines: Sequence[Statement], where: Where) -> int | None:
    """Return the index of the line after which a passage stands, None where any will do."""
    for n, line in enumerate(lines):
        if where.joins in line.states[:1]:
            return n
        if where.precedes in line.states:
            return n - 1
    return None


def _select_gaps(lines: Sequence[Statement], where: Where) -> list[_Gap]:
    """Return the gaps for a passage: of those that suit it best, those beside no other."""
    every = list(_iterate_gaps(drop_last_sections(lines)))
    apart = [gap for gap in every if gap.heading != where.apart_from] or every
    usual = [gap for gap in apart if gap.is_opening] or apart
    found = [gap for gap in usual if _is_suitable(gap, where)] or usual
    if where.states:
        found = [gap for gap in apart if where.states in gap.states_before] or found
        found += [gap for gap in usual if where.states in gap.states and gap not in found]
    return [gap for gap in found if not gap.is_beside_added] or found


def _is_suitable(gap: _Gap, where: Where) -> bool:
    if where.section == PROCEDURE:
        return gap.section == PROCEDURE and gap.is_step
    return where.section in {"", gap.section}


def _iterate_gaps(lines: Sequence[Statement]) -> Iterator[_Gap]:
    """Yield the gaps of a text, section by section and step by step.

    One of each is where a passage usually stands: in a step after what opens it, in a section last.
    """
    section, starts = "", [n for n, line in enumerate(lines) if line.style in _HEADINGS]
    for start, end in pairwise([*starts, len(lines)]):
        heading = lines[start]
        if heading.style is Style.TITLE:
            continue
        is_step = heading.style is Style.STEP
        if not is_step:
            section = heading.text.partition(". ")[2] or heading.text
        states, before, ends = (
            _collect_states(lines[start:end]),
            start,
            _list_ends(lines, start, end),
        )
        for index in ends:
            is_beside = any(line.excused in _ADDED for line in lines[index : index + 2])
            block, before = _collect_states(lines[before : index + 1]), index + 1
            is_opening = index == (ends[0] if is_step else ends[-1])
            yield _Gap(index, section, heading.text, is_step, states, block, is_opening, is_beside)


def _collect_states(lines: Iterable[Statement]) -> frozenset[str]:
    return frozenset(name for line in lines for name in line.states)


def _list_ends(lines: Sequence[Statement], start: int, end: int) -> list[int]:
    """Return after which lines of a part a paragraph may stand: none is in a list or opens one."""
    return [
        index
        for index in range(start + 1, end)
        if index == end - 1
        or (lines[index + 1].style is Style.PARAGRAPH and not _is_continued(lines, index))
    ]


def _is_continued(lines: Sequence[Statement], index: int) -> bool:
    """Return whether a line goes on from the one before: after a transition, or a call."""
    kinds = [{name.partition(" ")[0] for name in line.states} for line in lines[index : index + 2]]
    return "effect" in kinds[1] or "edge" in kinds[0] & kinds[1]
