"""The layer of a handbook: documents that are searched and opened, and tools they describe."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from sopforge.harness.environment.events import Called, Event, Reply
from sopforge.harness.environment.shown import Shown, ShownTool
from sopforge.harness.layers.documents.document import EntryPage, Opened
from sopforge.harness.layers.documents.similar_tools import SimilarTool
from sopforge.harness.layers.documents.stating import (
    NUMBER,
    QUERY,
    make_reply,
    read_document,
    write_entry_page,
)
from sopforge.harness.layers.layer import Done, Layer, make_schema
from sopforge.sandbox.answers import JSON, JSONValue
from sopforge.session import layers


@dataclass(frozen=True)
class Handbook(Layer[layers.Handbook]):
    """The layer: documents, the page that leads to them, and tools that they alone describe."""

    seed: int
    procedure: str
    page: EntryPage
    documents: tuple[Opened, ...]
    tools: tuple[SimilarTool, ...] = ()
    name: str = field(default="documents", init=False)

    @cached_property
    def binding(self) -> frozenset[int]:
        """The numbers of the documents that bind, by what they say of themselves."""
        read = (read_document(make_reply(item)) for item in self.documents)
        desk, today = self.page.desk, self.page.today
        return frozenset(item.number for item in read if item.is_binding(desk, today))

    def answer_search(self, arguments: Mapping[str, JSONValue]) -> Reply:
        """Return which documents fit some words best."""
        return Reply(*self.in_session.find(arguments))

    def answer_opening(self, arguments: Mapping[str, JSONValue]) -> Reply:
        """Return a document."""
        return Reply(*self.in_session.open(arguments))

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
            make_schema((QUERY, {"type": "string", "description": "words to look for"})),
        )
        opening = ShownTool(
            self.page.open,
            "Open a document of the handbook.",
            make_schema((NUMBER, {"type": "integer", "description": "the number of the document"})),
        )
        return replace(shown, sop=page, tools=(search, opening, *tools))

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
        names = {**self.in_session.others, **self.in_session.own}
        return event._replace(tool=names[event.tool]["tool"]) if event.tool in names else event

    def describe(self, task: str) -> JSON:  # noqa: ARG002 - protocol
        """Return what makes an attempt with the layer another one, as JSON."""
        return {"dose": self.dose, "documents": len(self.documents)}
