"""An SOP as a document of headings, paragraphs, lists and tables, each passage with its marks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from review.pages.parts.model_items import Item, get_item
from sopforge.artifacts.rendering.sop.document import Statement, Style, split_table_row
from sopforge.artifacts.rendering.sop.marks import (
    CONTROL,
    DISTRACTOR,
    DRAFT,
    LIMIT,
    OWN_WORDS,
    REDUNDANT,
    REFERENCE,
    REMINDER,
    SIDE,
    SUPERSEDED,
    TANGENTIAL,
)

MARKS: Mapping[str, tuple[str, str]] = {
    OWN_WORDS: ("own words", "A language model added this; no proof covers it."),
    REDUNDANT: ("redundant", "Added: where it stands, it changes no decision."),
    SUPERSEDED: ("superseded", "Added to be ignored: it applies to no case."),
    TANGENTIAL: ("tangential", "Has nothing to do with the decisions."),
    SIDE: ("side value", "Works out or describes a value that nothing uses."),
    REFERENCE: ("reference", "Points to a rule that was moved into an annex."),
    LIMIT: ("limit", "Gives a limit under a name that rules refer to."),
    REMINDER: ("reminder", "Repeats what another passage states."),
    DISTRACTOR: ("distractor", "Describes an entry that no answer depends on."),
    DRAFT: ("from the draft", "Copied from the brief."),
    CONTROL: ("control", "Describes the document itself."),
}
_HEADINGS = {Style.TITLE: 2, Style.SECTION: 3, Style.STEP: 4}
_LISTED = {Style.BULLET, Style.NESTED}


@dataclass(frozen=True, slots=True)
class ShownPassage:
    """A line as it is shown; ``cells`` are those of a table's row.

    ``mark`` names what kind of passage it is, where it need not state a model item.
    """

    number: int
    text: str
    states: tuple[Item, ...]
    mark: str
    meaning: str
    cells: tuple[str, ...] = ()
    is_nested: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """Passages that belong together: ``kind`` is heading, paragraph, list or table."""

    kind: str
    level: int
    passages: tuple[ShownPassage, ...]


@dataclass(frozen=True, slots=True)
class Traced:
    """A model item with the passages that state it, each under the heading it stands below."""

    item: Item
    passages: tuple[tuple[int, str], ...]


def build_blocks(lines: Sequence[Statement], items: Mapping[str, Item]) -> tuple[Block, ...]:
    """Return the lines of an SOP as blocks, in order."""
    passages = [_build_passage(number, line, items) for number, line in enumerate(lines, start=1)]
    found: list[Block] = []
    pairs = list(zip(lines, passages, strict=True))
    for kind, group in groupby(pairs, key=lambda pair: _classify_line(pair[0])):
        members = list(group)
        if kind in {"list", "table"}:
            found.append(Block(kind, 0, tuple(passage for _, passage in members)))
            continue
        found += [
            Block(kind, _HEADINGS.get(line.style, 0), (passage,)) for line, passage in members
        ]
    return tuple(found)


def group_stated_items(
    lines: Iterable[Statement], items: Mapping[str, Item], own: Iterable[Item] = ()
) -> dict[str, tuple[Traced, ...]]:
    """Return the stated items by kind, each with its passages; ``own`` are those to be stated."""
    found: dict[Item, list[tuple[int, str]]] = {item: [] for item in own}
    heading = ""
    for number, line in enumerate(lines, start=1):
        heading = line.text if line.style in _HEADINGS else heading
        for name in dict.fromkeys(line.states):
            found.setdefault(get_item(items, name), []).append((number, heading))
    kinds: dict[str, list[Traced]] = {}
    for item, passages in found.items():
        kinds.setdefault(item.kind, []).append(Traced(item, tuple(passages)))
    return {kind: tuple(members) for kind, members in kinds.items()}


def count_marks(blocks: Iterable[Block]) -> dict[str, tuple[str, int]]:
    """Return the marks that occur, each with what it means and how often it occurs."""
    found: dict[str, tuple[str, int]] = {}
    for passage in _iterate_passages(blocks):
        if passage.mark:
            found[passage.mark] = (passage.meaning, found.get(passage.mark, ("", 0))[1] + 1)
    return found


def _iterate_passages(blocks: Iterable[Block]) -> Iterator[ShownPassage]:
    for block in blocks:
        yield from block.passages


def _build_passage(number: int, line: Statement, items: Mapping[str, Item]) -> ShownPassage:
    mark, meaning = MARKS.get(line.excused, (line.excused, ""))
    states = tuple(get_item(items, name) for name in dict.fromkeys(line.states))
    cells: tuple[str, ...] = ()
    if line.style is Style.ROW:
        cells = split_table_row(line.text)
    return ShownPassage(number, line.text, states, mark, meaning, cells, line.style is Style.NESTED)


def _classify_line(line: Statement) -> str:
    if line.style in _HEADINGS:
        return "heading"
    if line.style in _LISTED:
        return "list"
    return "table" if line.style is Style.ROW else "paragraph"
