"""The layer of a queue: several cases in one session, each filed before the next comes up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeGuard

from sopforge.harness.environment.events import Called, Event, Reply, Said
from sopforge.harness.environment.shown import Shown, ShownTask, ShownTool
from sopforge.harness.layers.layer import Done, Layer
from sopforge.harness.layers.queue.plans import Plans
from sopforge.harness.layers.queue.tallies import SessionRules
from sopforge.harness.layers.text.sections import add_section
from sopforge.sandbox.answers import JSON
from sopforge.session import layers
from sopforge.session.layers import FILE, LEFT, STATEMENT

_SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {
        STATEMENT: {"type": "string", "description": "the statement of all results of the case"}
    },
    "required": [STATEMENT],
}


def has_filed(tool: str, reply: Reply) -> bool:
    """Return whether a call filed a case, so that the next one came up, or none is left."""
    return tool == FILE and isinstance(reply.result, dict) and LEFT in reply.result


@dataclass(frozen=True)
class Queue(Layer[layers.Queue]):
    """The layer: which cases come up in each session, and what the SOP says of sessions.

    ``section`` is what the SOP says of sessions, under its ``title``.
    """

    plans: Plans
    notices: Mapping[str, Sequence[Sequence[str]]]
    rules: SessionRules
    title: str
    section: Sequence[str]
    name: str = field(default="queue", init=False)

    def show(self, shown: Shown) -> Shown:
        """Return what agents may see: sessions in the place of tasks, and what files a case."""
        tasks = {
            session: ShownTask(session, plan[0].text, plan[0].entries, "test")
            for session, plan in self.plans.items()
        }
        file = ShownTool(FILE, "File a case, and have the next one.", _SCHEMA)
        sop = add_section(shown.sop, self.title, self.section)
        return replace(shown, sop=sop, tools=(*shown.tools, file), tasks=tasks)

    def split(self, done: Done) -> list[Done]:
        """Return what was done at each case that was filed, its statement as the final text."""
        found: list[Done] = []
        since: list[Event] = []
        for event in done.events:
            if _is_filing(event):
                found.append(Done(tuple(since), str(event.arguments[STATEMENT])))
                since = []
            else:
                since.append(event)
        return found

    def list_after(self, done: Done) -> list[Event]:
        """Return what was said after the last filing, the final text included."""
        last = max((n for n, event in enumerate(done.events) if _is_filing(event)), default=-1)
        said: list[Event] = [event for event in done.events[last + 1 :] if isinstance(event, Said)]
        return [*said, Said(done.answer)] if done.answer else said

    def describe(self, task: str) -> JSON:
        """Return what makes an attempt with the layer another one, as JSON."""
        return {"dose": self.dose, "cases": len(self.plans[task])}


def _is_filing(event: Event) -> TypeGuard[Called]:
    """Return whether an event is a call that filed a case."""
    return isinstance(event, Called) and event.tool == FILE and not event.reply.refusal
