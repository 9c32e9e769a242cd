"""What a program has opened of a handbook, and how it comes to the passages that it needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sopforge.harness.layers.documents.document import Document, EntryPage
from sopforge.harness.layers.documents.stating import HITS, NUMBER, QUERY, TITLE, read_document
from sopforge.harness.layers.text.passages import (
    Heading,
    list_headings,
    list_named,
)
from sopforge.harness.scoring.agents import Call
from sopforge.language.logic.tool_calls import Refused


class LackingPassageError(Exception):
    """A passage that is needed stands in no document that was opened, or can be."""


@dataclass
class Shelf:
    """Opens documents, and keeps those that bind, in the order in which they were opened.

    One that is not ``following`` opens nothing beyond what it took at first.
    """

    call: Call = field(repr=False)
    page: EntryPage
    following: bool = True
    opened: dict[int, Document] = field(default_factory=dict)
    held: dict[int, Document] = field(default_factory=dict)
    references: dict[str, int] = field(default_factory=dict)
    passages: dict[str, list[str]] = field(default_factory=dict)

    def find_hits(self, words: str) -> Sequence[Mapping[str, Any]]:
        """Return the hits of a search, the best first."""
        reply = self.call(self.page.search, {QUERY: words})
        hits = None if isinstance(reply, Refused) else reply.get(HITS)
        return hits if isinstance(hits, list) else []

    def take_hits(self, words: str, most: int) -> None:
        """Open the first hits of a search, and keep those that bind."""
        for hit in self.find_hits(words)[:most]:
            document = self.look_at(hit[NUMBER])
            if document.is_binding(self.page.desk, self.page.today):
                self._hold(document)

    def look_at(self, number: int) -> Document:
        """Return a document, whether it binds or not.

        Raises:
            LackingPassageError: it cannot be opened.
        """
        if number not in self.opened:
            reply = self.call(self.page.open, {NUMBER: number})
            if isinstance(reply, Refused):
                raise LackingPassageError(f"document {number}")
            self.opened[number] = read_document(reply)
        return self.opened[number]

    def take(self, number: int) -> Document:
        """Return the document that binds in the place of one to which a reference leads.

        Raises:
            LackingPassageError: there is none, or nothing further is opened.
        """
        seen: set[int] = set()
        while number not in seen:
            if number in self.held:
                return self.held[number]
            if not self.following:
                break
            document = self.look_at(number)
            if document.is_binding(self.page.desk, self.page.today):
                return self._hold(document)
            seen.add(number)
            number = document.in_force
        raise LackingPassageError(f"document {number}")

    def _hold(self, document: Document) -> Document:
        self.held[document.number] = document
        self.references |= document.references
        return document

    def take_all(self) -> None:
        """Open all that binds and that references lead to."""
        left, seen = [self.page.first, self.page.start, *self.page.always], set[int]()
        while left:
            document = self.take(left.pop())
            if document.number not in seen:
                seen.add(document.number)
                left += [document.goes_on, document.follows, *document.references.values()]
                left = [number for number in left if number]

    def read_passage(self, name: str) -> list[str]:
        """Return the lines of a passage, with its heading if it has one.

        Raises:
            LackingPassageError: a document that has a part of it is lacking.
        """
        if name not in self.passages:
            self.passages[name] = self._find_passage(name)
        return self.passages[name]

    def locate(self, name: str) -> Document | None:
        """Return the document in which a passage begins, None where nothing held leads to it.

        Raises:
            LackingPassageError: there is a reference to it, and nothing further is opened.
        """
        held = next((item for item in self.held.values() if _is_stated(item, name)), None)
        number = self.references.get(name)
        return self.take(number) if held is None and number else held

    def _find_passage(self, name: str) -> list[str]:
        document = self.locate(name)
        if document is None and self.following:
            # Whoever strayed from where references lead looks through all of them.
            self.take_all()
            document = self.locate(name)
        if document is None:
            raise LackingPassageError(name)
        return self._read_on(document, name)

    def _read_on(self, document: Document, name: str) -> list[str]:
        """Return the lines from a heading to the next one, in other documents where it goes on."""
        headings = list_headings(document.lines)
        start = next((heading for heading in headings if heading.name == name), None)
        if start is None:
            raise LackingPassageError(name)
        lines, end = _select_lines(document, start, headings)
        while end is None and document.goes_on:
            document = self.take(document.goes_on)
            further, end = _select_lines(document, None, list_headings(document.lines))
            lines += further
        return lines

    def open_needed(self, name: str) -> None:
        """Open all that has to be known of a passage: itself, and what its text refers to.

        Steps to which it may lead come when the case comes to them.

        Raises:
            LackingPassageError: a document is lacking.
        """
        left, seen = [name], set[str]()
        while left:
            wanted = left.pop()
            if wanted in seen:
                continue
            seen.add(wanted)
            named = list_named(self.read_passage(wanted))
            # What a section refers to in its turn is not needed, what an item does is.
            is_followed = wanted == name or not wanted.startswith("section")
            left += [item for item in named if is_followed and not item.startswith("step")]

    def find_main_section(self) -> int:
        """Return the number of the section in which the work on a case begins.

        Raises:
            LackingPassageError: the document in which it stands is lacking.
        """
        return find_main_section(self.take(self.page.start))

    def join_text(self) -> str:
        """Return the text of what is held, each document after the one that it continues."""
        after = {item.goes_on or item.follows for item in self.held.values()}
        starts = [number for number in self.held if number not in after]
        return "\n".join(
            line for start in starts for item in self._iterate_from(start) for line in item.lines
        )

    def _iterate_from(self, number: int) -> Iterator[Document]:
        while number in self.held:
            yield self.held[number]
            number = self.held[number].goes_on or self.held[number].follows

    def find_titled(self, title: str) -> list[Document]:
        """Return the documents of a title that a search brings up."""
        return [self.look_at(hit[NUMBER]) for hit in self.find_hits(title) if hit[TITLE] == title]


def find_main_section(document: Document) -> int:
    """Return the number of the first section in a document.

    Raises:
        LackingPassageError: none begins in it.
    """
    for heading in list_headings(document.lines):
        if heading.is_section:
            return int(heading.name.partition(" ")[2])
    raise LackingPassageError("the section in which the work begins")


def _is_stated(document: Document, name: str) -> bool:
    """Return whether a passage begins in a document."""
    return any(heading.name == name for heading in list_headings(document.lines))


def _select_lines(
    document: Document, start: Heading | None, headings: Sequence[Heading]
) -> tuple[list[str], int | None]:
    """Return the lines of a passage in a document, and where it ends if it ends there.

    Without ``start``, the passage began in another document.
    """
    first = -1 if start is None else start.at
    end = next((heading.at for heading in headings if heading.at > first), None)
    return list(document.lines[max(first, 0) : end]), end
