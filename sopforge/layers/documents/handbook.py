"""The layer of a handbook: documents that are searched and opened, and tools they describe."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

from sopforge.environment.events import Called, Event, Reply
from sopforge.environment.machine import Environment, Service
from sopforge.environment.shown import Shown, ShownTask, ShownTool
from sopforge.layers.dials import DOCUMENTS
from sopforge.layers.documents.document import EntryPage, Opened
from sopforge.layers.documents.searching import index_texts, rank_texts
from sopforge.layers.documents.similar_tools import SimilarTool
from sopforge.layers.documents.stating import (
    BEGINS,
    HITS,
    NUMBER,
    QUERY,
    TITLE,
    make_reply,
    read_document,
    write_entry_page,
)
from sopforge.layers.layer import Done
from sopforge.sandbox.answers import JSON, JSONValue

F = TypeVar("F")
MOST_HITS = 8
NOT_A_QUERY, NO_DOCUMENT = "invalid_query", "unknown_document"
_FIRST_WORDS = 12


@dataclass(frozen=True, slots=True)
class HandbookService(Generic[F]):
    """Answers as another service does, and opens the documents of a handbook."""

    service: Service[F]
    layer: Handbook

    def begin(self, task: ShownTask, seed: int) -> F:
        """Return what is kept before the first call."""
        return self.service.begin(task, seed)

    def answer(self, kept: F, tool: str, arguments: Mapping[str, JSONValue]) -> tuple[F, Reply]:
        """Return what is kept after a call, and the reply."""
        if tool == self.layer.page.search:
            return kept, self.layer.answer_search(arguments)
        if tool == self.layer.page.open:
            return kept, self.layer.answer_opening(arguments)
        own = self.layer.own_names.get(tool)
        if own is not None:
            return self.service.answer(kept, own.tool, arguments)
        other = self.layer.other_names.get(tool)
        if other is None:
            return self.service.answer(kept, tool, arguments)
        kept, reply = self.service.answer(kept, other.tool, arguments)
        return kept, other.change_reply(reply, arguments, self.layer.seed)


@dataclass(frozen=True)
class Handbook:
    """The layer: documents, the page that leads to them, and tools that they alone describe."""

    dose: int
    seed: int
    procedure: str
    page: EntryPage
    documents: tuple[Opened, ...]
    tools: tuple[SimilarTool, ...] = ()
    name: str = field(default=DOCUMENTS, init=False)

    @cached_property
    def own_names(self) -> Mapping[str, SimilarTool]:
        """The tools that documents describe, by the names under which this desk calls them."""
        return {item.name: item for item in self.tools}

    @cached_property
    def other_names(self) -> Mapping[str, SimilarTool]:
        """The same by the names under which another desk calls them."""
        return {item.other: item for item in self.tools}

    @cached_property
    def binding(self) -> frozenset[int]:
        """The numbers of the documents that bind, by what they say of themselves."""
        read = (read_document(make_reply(item)) for item in self.documents)
        desk, today = self.page.desk, self.page.today
        return frozenset(item.number for item in read if item.is_binding(desk, today))

    @cached_property
    def _by_number(self) -> Mapping[int, Opened]:
        return {document.number: document for document in self.documents}

    @cached_property
    def _index(self) -> Mapping[str, Mapping[int, int]]:
        return index_texts((item.number, item.title, item.text) for item in self.documents)

    def answer_search(self, arguments: Mapping[str, JSONValue]) -> Reply:
        """Return which documents fit some words best."""
        query = arguments.get(QUERY)
        if not isinstance(query, str) or len(arguments) != 1:
            return Reply(None, NOT_A_QUERY, f"{self.page.search} takes {QUERY}, a text")
        found = rank_texts(self._index, len(self.documents), query, MOST_HITS)
        hits: list[JSON] = [_describe_hit(self._by_number[number]) for number in found]
        return Reply({HITS: hits})

    def answer_opening(self, arguments: Mapping[str, JSONValue]) -> Reply:
        """Return a document."""
        number = arguments.get(NUMBER)
        if not isinstance(number, int) or isinstance(number, bool) or len(arguments) != 1:
            message = f"{self.page.open} takes {NUMBER}, a whole number"
            return Reply(None, NO_DOCUMENT, message)
        found = self._by_number.get(number)
        if found is None:
            return Reply(None, NO_DOCUMENT, f"there is no document {number}")
        return Reply(make_reply(found))

    def list_opened(self, events: Iterable[Event]) -> frozenset[int]:
        """Return the numbers of the documents that bind and were opened in a session."""
        opened = [
            event.arguments.get(NUMBER)
            for event in events
            if isinstance(event, Called) and event.tool == self.page.open
        ]
        return frozenset(number for number in self.binding if number in opened)

    def show(self, shown: Shown) -> Shown:
        """Return what agents may see: the page in the place of the SOP, and what opens the rest."""
        page = write_entry_page(self.page, self.procedure, len(self.documents))
        described = {item.tool: item for item in self.tools}
        tools = [
            other
            for tool in shown.tools
            for other in (described[tool.name].show(tool) if tool.name in described else (tool,))
        ]
        search = ShownTool(
            self.page.search,
            "Search the handbook: which documents fit some words, by title and first words.",
            _make_schema(QUERY, "string", "words to look for"),
        )
        opening = ShownTool(
            self.page.open,
            "Open a document of the handbook.",
            _make_schema(NUMBER, "integer", "the number of the document"),
        )
        return replace(shown, sop=page, tools=(search, opening, *tools))

    def join(self, environment: Environment[Any]) -> Environment[Any]:
        """Return an environment in which the SOP is a handbook."""
        service = HandbookService(environment.service, self)
        return replace(environment, shown=self.show(environment.shown), service=service)

    def find_inner(self, task: str) -> str:
        """Return the same task: the layer changes none."""
        return task

    def find_kind(self, task: str) -> str:  # noqa: ARG002 - protocol
        """Return nothing: all tasks meet the handbook alike."""
        return ""

    def unwrap(self, task: str, done: Done) -> Done:  # noqa: ARG002 - protocol
        """Return what was done without looking into the handbook.

        A call of another desk's tool is one of the tool, which returned other values.
        """
        beside = {self.page.search, self.page.open}
        events: list[Event] = [
            self._rename(event) if isinstance(event, Called) else event
            for event in done.events
            if not (isinstance(event, Called) and event.tool in beside)
        ]
        return Done(tuple(events), done.answer)

    def _rename(self, event: Called) -> Called:
        described = self.own_names.get(event.tool) or self.other_names.get(event.tool)
        return replace(event, tool=described.tool) if described else event

    def describe(self, task: str) -> JSON:  # noqa: ARG002 - protocol
        """Return what makes an attempt with the layer another one, as JSON."""
        return {"dose": self.dose, "documents": len(self.documents)}


def _describe_hit(document: Opened) -> dict[str, JSON]:
    words = document.text.split()
    begins = " ".join(words[:_FIRST_WORDS])
    more = " ..." if len(words) > _FIRST_WORDS else ""
    return {NUMBER: document.number, TITLE: document.title, BEGINS: f"{begins}{more}"}


def _make_schema(name: str, kind: str, says: str) -> Mapping[str, object]:
    return {
        "type": "object",
        "properties": {name: {"type": kind, "description": says}},
        "required": [name],
        "additionalProperties": False,
    }
