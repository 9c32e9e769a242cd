"""The layer of the user: cases that state less, and a requester who is asked for the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sopforge.harness.environment.events import Called, Event, Said
from sopforge.harness.environment.shown import Shown, ShownTool
from sopforge.harness.layers.layer import Done, Layer, make_schema
from sopforge.harness.layers.text.sections import add_section
from sopforge.sandbox.answers import JSON
from sopforge.session import layers
from sopforge.session.layers import REPLY, TEXT

_SCHEMA = make_schema((TEXT, {"type": "string", "description": "what is said to the requester"}))


@dataclass(frozen=True, slots=True)
class Request:
    """A case as its requester states it, and what he says when he is asked for an entry.

    ``before`` are his words by entry until he is asked for the one that is ``turning``, ``after``
    those from then on. With that entry he says what he comes up with ``late``, once.
    """

    text: str
    entries: Mapping[str, str]
    before: Mapping[str, str]
    after: Mapping[str, str]
    turning: str = ""
    late: Sequence[str] = ()


@dataclass(frozen=True)
class Requester(Layer[layers.User]):
    """The layer: what cases state and what they leave out, and what the SOP says of that.

    ``phrases`` have the fields that some words ask for, ``plurals`` these words by their plurals,
    and ``unknown`` his words for each field that he does not know, in declared order. Asked for
    nothing, he insists as often as there are words for it. Nothing here says what is right at a
    case, but its entries.
    """

    tool: str
    cases: Mapping[str, Sequence[Request]]
    phrases: Mapping[str, Sequence[str]]
    plurals: Mapping[str, str]
    unknown: Mapping[str, str]
    insisting: Sequence[str]
    closing: str
    title: str
    section: Sequence[str]
    name: str = field(default="user", init=False)

    def show(self, shown: Shown) -> Shown:
        """Return what agents may see: tasks that state less, and what reaches the requester."""
        tasks = {
            name: replace(task, text=first.text, inputs=first.entries)
            for name, task in shown.tasks.items()
            for first in self.cases[name][:1]
        }
        tool = ShownTool(self.tool, "Say something to the requester of the case.", _SCHEMA)
        sop = add_section(shown.sop, self.title, self.section)
        return replace(shown, sop=sop, tools=(*shown.tools, tool), tasks=tasks)

    def unwrap(self, task: str, done: Done) -> Done:  # noqa: ARG002 - protocol
        """Return what was done, with each message to the requester as something that was said."""
        return Done(tuple(self._unwrap_events(done.events)), done.answer)

    def _unwrap_events(self, events: Sequence[Event]) -> Iterator[Event]:
        for event in events:
            if not isinstance(event, Called) or event.tool != self.tool:
                yield event
            elif isinstance(text := event.arguments.get(TEXT), str):
                result = event.reply.result
                yield Said(text, str(result[REPLY]) if isinstance(result, dict) else "")

    def describe(self, task: str) -> dict[str, JSON]:
        """Return what makes an attempt with the layer another one, as JSON."""
        kept_back = [len(item.before.keys() - item.entries.keys()) for item in self.cases[task]]
        return {"dose": self.dose, "kept_back": [*kept_back]}
