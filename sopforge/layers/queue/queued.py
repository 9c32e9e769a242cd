"""The layer of a queue: several cases in one session, each filed before the next comes up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeGuard, TypeVar

from sopforge.environment.events import Called, Event, Reply, Said
from sopforge.environment.machine import Environment, Service
from sopforge.environment.shown import Shown, ShownTask, ShownTool
from sopforge.layers.layer import Done
from sopforge.layers.queue.plans import FILE, STATEMENT, Plans
from sopforge.layers.queue.tallies import SessionRules
from sopforge.layers.sections import add_section
from sopforge.sandbox.answers import JSON, JSONValue

F = TypeVar("F")
CASE, NOTICES, LEFT = "case", "notices", "cases_left"
NO_CASE, NOT_A_TEXT = "no_case_open", "invalid_statement"
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


@dataclass(frozen=True, slots=True)
class Held(Generic[F]):
    """What a session keeps: what the tools keep, its task, and how many cases were filed."""

    inner: F
    task: str
    filed: int = 0


@dataclass(frozen=True, slots=True)
class QueueService(Generic[F]):
    """Answers as another service does, and hands out the cases of a queue."""

    service: Service[F]
    layer: Queue
    tasks: Mapping[str, ShownTask]

    def begin(self, task: ShownTask, seed: int) -> Held[F]:
        """Return what is kept before the first call."""
        first = self.layer.plans[task.id][0].task
        return Held(self.service.begin(self.tasks[first], seed), task.id)

    def answer(
        self, kept: Held[F], tool: str, arguments: Mapping[str, JSONValue]
    ) -> tuple[Held[F], Reply]:
        """Return what is kept after a call, and the reply."""
        if tool != FILE:
            inner, reply = self.service.answer(kept.inner, tool, arguments)
            return replace(kept, inner=inner), reply
        if not isinstance(arguments.get(STATEMENT), str) or len(arguments) != 1:
            return kept, Reply(None, NOT_A_TEXT, f"{FILE} takes {STATEMENT}, a text")
        plan = self.layer.plans[kept.task]
        if kept.filed == len(plan):
            return kept, Reply(None, NO_CASE, "all cases of the session are filed")
        filed = kept.filed + 1
        return replace(kept, filed=filed), Reply(self.layer.bring(kept.task, filed))


@dataclass(frozen=True)
class Queue:
    """The layer: which cases come up in each session, and what the SOP says of sessions.

    ``section`` is what the SOP says of sessions, under its ``title``.
    """

    dose: int
    plans: Plans
    notices: Mapping[str, Sequence[Sequence[str]]]
    rules: SessionRules
    title: str
    section: Sequence[str]
    name: str = field(default="queue", init=False)

    def bring(self, session: str, filed: int) -> JSON:
        """Return the case that comes up after so many, or that none is left."""
        plan = self.plans[session]
        if filed == len(plan):
            return {LEFT: 0, NOTICES: [], CASE: None}
        place = plan[filed]
        case: dict[str, JSON] = {
            "text": plan[filed].text,
            "entries": dict(place.entries),
            "is_correction": place.is_correction,
        }
        return {
            LEFT: len(plan) - filed,
            NOTICES: list(self.notices[session][filed]),
            CASE: case,
        }

    def show(self, shown: Shown) -> Shown:
        """Return what agents may see: sessions in the place of tasks, and what files a case."""
        tasks = {
            session: ShownTask(session, plan[0].text, plan[0].entries, "test")
            for session, plan in self.plans.items()
        }
        file = ShownTool(FILE, "File a case, and have the next one.", _SCHEMA)
        sop = add_section(shown.sop, self.title, self.section)
        return replace(shown, sop=sop, tools=(*shown.tools, file), tasks=tasks)

    def join(self, environment: Environment[Any]) -> Environment[Any]:
        """Return an environment whose sessions have several cases."""
        inner = environment.shown.tasks
        service = QueueService(environment.service, self, inner)
        return replace(environment, shown=self.show(environment.shown), service=service)

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
