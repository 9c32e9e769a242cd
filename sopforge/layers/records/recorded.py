"""The layer of distractor records: tasks without the key of their case, and a register of cases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from sopforge.domain.model import INVALID_PARAMETER
from sopforge.environment.events import Called, Event, Reply
from sopforge.environment.machine import Environment, Service
from sopforge.environment.shown import Shown, ShownTask, ShownTool
from sopforge.layers.layer import Done
from sopforge.layers.matching import Matching
from sopforge.layers.queue.queued import CASE
from sopforge.layers.records.near_duplicates import NearDuplicate
from sopforge.layers.records.register import Cells, RegisterRow, search_register
from sopforge.layers.sections import add_section
from sopforge.layers.stated_cases import read_following_case
from sopforge.sandbox.answers import JSON, JSONValue, as_json

F = TypeVar("F")
ENTRY, VALUE, FOUND, ROWS = "entry", "value", "found", "rows"


@dataclass(frozen=True, slots=True)
class PartialCase:
    """A case as a task states it: in words, and which entries it leaves out."""

    text: str
    left_out: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Kept(Generic[F]):
    """What a session keeps: what the tools keep, its task, and how many cases came up."""

    inner: F
    task: str
    cases: int = 1


@dataclass(frozen=True)
class RegisterService(Generic[F]):
    """Answers as another service does, and searches the register."""

    service: Service[F]
    layer: Records
    tasks: Mapping[str, ShownTask]

    def begin(self, task: ShownTask, seed: int) -> Kept[F]:
        """Return what is kept before the first call."""
        return Kept(self.service.begin(self.tasks[task.id], seed), task.id)

    def answer(
        self, kept: Kept[F], tool: str, arguments: Mapping[str, JSONValue]
    ) -> tuple[Kept[F], Reply]:
        """Return what is kept after a call, and the reply."""
        if tool == self.layer.tool:
            return kept, self.layer.search(kept.task, arguments)
        inner, reply = self.service.answer(
            kept.inner, tool, self.layer.resolve_arguments(tool, arguments)
        )
        kept = replace(kept, inner=inner)
        key = self.layer.find_near(arguments)
        if key is not None:
            return kept, self.layer.near[key].rename_reply(key, reply)
        result = reply.result if isinstance(reply.result, dict) else {}
        case = read_following_case(tool, result)
        if case is None:
            return kept, reply
        partial = self.layer.cases[kept.task][kept.cases]
        shown: dict[str, JSON] = {**result, CASE: _leave_out(case, partial)}
        return replace(kept, cases=kept.cases + 1), Reply(shown)


def _leave_out(case: Mapping[str, Any], partial: PartialCase) -> JSON:
    """Return a case as its session states it."""
    entries = {n: cell for n, cell in case["entries"].items() if n not in partial.left_out}
    return {**case, "text": partial.text, "entries": entries}


@dataclass(frozen=True)
class Records:
    """The layer: the register, what tasks leave out, and what the SOP says of both.

    ``key`` is the field of the key, and ``columns`` are the entries that the register has. A search
    returns ``limit`` rows at most. ``own`` has the rows that are other ones in the register of some
    task, None for one that is not there. ``near`` are the keys of near-duplicates, which lead to
    the records of other cases; ``compared`` are the tools that compare entries with a record.
    Nothing here says which row is right: what tasks leave out they state without the layer.
    """

    dose: int
    tool: str
    key: str
    columns: Mapping[str, Matching]
    limit: int
    rows: Sequence[RegisterRow]
    own: Mapping[str, Mapping[str, Cells | None]]
    cases: Mapping[str, Sequence[PartialCase]]
    near: Mapping[str, NearDuplicate]
    compared: frozenset[str]
    title: str
    section: Sequence[str]
    name: str = field(default="records", init=False)

    def show(self, shown: Shown) -> Shown:
        """Return what agents may see: tasks without their keys, and what searches the register."""
        tasks = {name: self._show_task(task) for name, task in shown.tasks.items()}
        sop = add_section(shown.sop, self.title, self.section)
        schema = {
            "type": "object",
            "properties": {
                ENTRY: {
                    "type": "string",
                    "enum": list(self.columns),
                    "description": "name of the entry that is searched by",
                },
                VALUE: {"type": "string", "description": "its value, as the task states it"},
            },
            "required": [ENTRY, VALUE],
            "additionalProperties": False,
        }
        tool = ShownTool(self.tool, "Search the register of cases by one entry.", schema)
        return replace(shown, sop=sop, tools=(*shown.tools, tool), tasks=tasks)

    def _show_task(self, task: ShownTask) -> ShownTask:
        partial = self.cases[task.id][0]
        inputs = {n: cell for n, cell in task.inputs.items() if n not in partial.left_out}
        return replace(task, text=partial.text, inputs=inputs)

    def join(self, environment: Environment[Any]) -> Environment[Any]:
        """Return an environment with a register."""
        inner = environment.shown
        service = RegisterService(environment.service, self, inner.tasks)
        return replace(environment, shown=self.show(inner), service=service)

    def list_rows(self, task: str) -> Iterator[RegisterRow]:
        """Yield the rows of the register in a session of a task, in order."""
        own = self.own.get(task, {})
        for row in self.rows:
            cells = own.get(row.key, row.cells)
            if cells is not None:
                yield RegisterRow(row.key, cells)

    def search(self, task: str, arguments: Mapping[str, JSONValue]) -> Reply:
        """Return the reply to a search in a session of a task."""
        name = arguments.get(ENTRY)
        if arguments.keys() != {ENTRY, VALUE} or not isinstance(name, str):
            return Reply(None, INVALID_PARAMETER, f"{self.tool} takes {ENTRY} and {VALUE}")
        if name not in self.columns:
            known = ", ".join(self.columns)
            return Reply(None, INVALID_PARAMETER, f"the register has no {name}; it has {known}")
        given = as_json(arguments[VALUE])
        found = search_register(self.list_rows(task), name, self.columns[name], given)
        rows: list[JSON] = [{self.key: row.key, **row.cells} for row in found[: self.limit]]
        return Reply({FOUND: len(found), ROWS: rows})

    def find_near(self, arguments: Mapping[str, JSONValue]) -> str | None:
        """Return the key of a near-duplicate among arguments, None where there is none."""
        texts = (value for value in arguments.values() if isinstance(value, str))
        return next((text for text in texts if text in self.near), None)

    def resolve_arguments(
        self, tool: str, arguments: Mapping[str, JSONValue]
    ) -> Mapping[str, JSONValue]:
        """Return the arguments of a call as the tools get them."""
        key = self.find_near(arguments)
        if key is None:
            return arguments
        is_compared = tool in self.compared
        return self.near[key].resolve_arguments(key, arguments, is_compared=is_compared)

    def find_inner(self, task: str) -> str:
        """Return the task: it is the same one."""
        return task

    def find_kind(self, task: str) -> str:  # noqa: ARG002 - protocol
        """Return nothing: each case stands among its like."""
        return ""

    def unwrap(self, task: str, done: Done) -> Done:  # noqa: ARG002 - protocol
        """Return what was done without searches; a near-duplicate is the case it leads to."""
        return Done(tuple(self._unwrap_events(done.events)), done.answer)

    def _unwrap_events(self, events: Sequence[Event]) -> Iterator[Event]:
        for event in events:
            if not isinstance(event, Called):
                yield event
            elif event.tool != self.tool:
                yield self._unwrap_call(event)

    def _unwrap_call(self, event: Called) -> Called:
        key = self.find_near(event.arguments)
        if key is None:
            return event
        given = self.resolve_arguments(event.tool, event.arguments)
        near = NearDuplicate(key)
        reply = near.rename_reply(self.near[key].leads_to, event.reply)
        return Called(event.tool, {n: as_json(value) for n, value in given.items()}, reply)

    def describe(self, task: str) -> dict[str, JSON]:
        """Return what makes an attempt with the layer another one, as JSON."""
        left_out: list[JSON] = [list(case.left_out) for case in self.cases[task]]
        return {"dose": self.dose, "left_out": left_out}
