"""The documents that bind: the text of an SOP in pieces, and what describes tools."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from sopforge.artifacts.rendering.sop.sections.procedure import is_called
from sopforge.harness.environment.shown import Shown
from sopforge.harness.layers.call_names import find_free_name
from sopforge.harness.layers.documents.composing.cutting import Piece
from sopforge.harness.layers.documents.composing.register import Register
from sopforge.harness.layers.documents.document import Document, EntryPage
from sopforge.harness.layers.documents.similar_tools import SimilarTool
from sopforge.harness.layers.documents.stating import write_sheet
from sopforge.harness.layers.text.passages import (
    Heading,
    list_headings,
    list_named,
    list_next_steps,
)

SEARCH, OPEN = "searchHandbook", "openDocument"
EARLIER = 2
"""How many editions before the one in force a document may have."""
SINCE = 700
"""Within how many days before today what binds came into force."""
_AGED = "It shows the records as they were before their last change. No other desk uses it."


@dataclass(frozen=True)
class TextInPieces:
    """The lines of an SOP, and the pieces in which they become documents, each with its number."""

    lines: Sequence[str]
    pieces: Sequence[Piece]
    numbers: Sequence[int]

    @cached_property
    def headings(self) -> list[Heading]:
        """Where the passages of the text begin."""
        return list_headings(self.lines, is_after_gap=False)

    @cached_property
    def main(self) -> int:
        """The number of the section in which the procedure begins."""
        step = next(item for item in self.headings if item.is_step)
        return int(step.name.partition(" ")[2].partition(".")[0])

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """The titles of the passages, by their names."""
        named = (item for item in self.headings if item.is_step or item.is_section)
        return {item.name: item.title for item in named}

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The document in which each passage begins."""
        return {item.name: self.numbers[self.find_piece(item.at)] for item in self.headings}

    def find_piece(self, at: int) -> int:
        """Return the place of the piece that has a line."""
        return next(n for n, item in enumerate(self.pieces) if item.start <= at < item.end)


def make_page(
    text: TextInPieces, core: str, taken: Collection[str], register: Register
) -> EntryPage:
    """Return the entry page of a handbook of a text.

    ``core`` is the SOP without layers: the sections that these add hold for each case.
    """
    known = {item.title for item in list_headings(core.split("\n"))}
    added = [item for item in text.headings if item.is_section and item.title not in known]
    return EntryPage(
        desk=register.desks[0],
        today=register.today,
        search=find_free_name(SEARCH, taken),
        open=find_free_name(OPEN, taken),
        first=text.numbers[0],
        start=text.places[f"section {text.main}"],
        always=tuple(text.places[item.name] for item in added),
    )


def iterate_rules(
    text: TextInPieces, tools: Sequence[SimilarTool], register: Register
) -> Iterator[Document]:
    """Yield the documents that have the text between them, in its order."""
    following = [*text.numbers[1:], 0]
    for place, piece in enumerate(text.pieces):
        lines = text.lines[piece.start : piece.end]
        number, further = text.numbers[place], following[place]
        names = [*list_named(lines), *list_next_steps(lines)]
        named = {name: text.places[name] for name in names if name in text.places}
        sheets = {
            f"tool {item.tool}": item.sheet
            for item in tools
            if any(is_called(item.tool, line) for line in lines)
        }
        yield Document(
            number=number,
            title=piece.title,
            owner=register.desks[0],
            edition=register.draw_edition(1 + EARLIER, "rule", place),
            since=register.draw_day_before(register.today, SINCE, "rule", place),
            lines=tuple(lines),
            goes_on=further if piece.is_cut else 0,
            follows=0 if piece.is_cut else further,
            references={name: at for name, at in named.items() if at != number} | sheets,
        )


def iterate_sheets(
    tools: Sequence[SimilarTool], shown: Shown, register: Register
) -> Iterator[Document]:
    """Yield what describes tools: for each, one document of this desk and one of another."""
    known = {tool.name: tool.description for tool in shown.tools}
    desks = register.desks
    for place, item in enumerate(tools):
        other = desks[1 + place % (len(desks) - 1)]
        ours = (item.sheet, desks[0], item.name, known[item.tool])
        theirs = (item.other_sheet, other, item.other, _AGED)
        for number, desk, name, words in (ours, theirs):
            yield Document(
                number=number,
                title=f"Tool {name}",
                owner=desk,
                edition=register.draw_edition(1, "sheet", number),
                since=register.draw_day_before(register.today, SINCE, "sheet", number),
                lines=(f"{write_sheet(desk, name, item.tool)} {words}",),
            )
