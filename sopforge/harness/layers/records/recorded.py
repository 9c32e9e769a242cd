"""The layer of distractor records: tasks without the key of their case, and a register of cases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sopforge.harness.environment.events import Called, Event, Reply
from sopforge.harness.environment.shown import Shown, ShownTask, ShownTool
from sopforge.harness.layers.layer import Done, Layer, make_schema
from sopforge.harness.layers.matching import Matching
from sopforge.harness.layers.records.near_duplicates import NearDuplicate
from sopforge.harness.layers.records.register import Cells, RegisterRow
from sopforge.harness.layers.text.sections import add_section
from sopforge.sandbox.answers import JSON, as_json
from sopforge.session import layers
from sopforge.session.layers import ENTRY, VALUE


@dataclass(frozen=True, slots=True)
class PartialCase:
    """A case as a task states it: in words, and which entries it leaves out."""

    text: str
    left_out: Sequence[str] = ()


@dataclass(frozen=True)
class Records(Layer[layers.Records]):
    """The layer: the register, what tasks leave out, and what the SOP says of both.

    ``key`` is the field of the key, and ``columns`` are the entries that the register has. A search
    returns ``limit`` rows at most. ``own`` has the rows that are other ones in the register of some
    task, None for one that is not there. ``near`` are the keys of near-duplicates, which lead to
    the records of other cases; ``compared`` are the tools that compare entries with a record.
    Nothing here says which row is right: what tasks leave out they state without the layer.
    """

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
        entry = {
            "type": "string",
            "enum": list(self.columns),
            "description": "name of the entry that is searched by",
        }
        value = {"type": "string", "description": "its value, as the task states it"}
        schema = make_schema((ENTRY, entry), (VALUE, value))
        tool = ShownTool(self.tool, "Search the register of cases by one entry.", schema)
        return replace(shown, sop=sop, tools=(*shown.tools, tool), tasks=tasks)

    def _show_task(self, task: ShownTask) -> ShownTask:
        partial = self.cases[task.id][0]
        inputs = {n: cell for n, cell in task.inputs.items() if n not in partial.left_out}
        return replace(task, text=partial.text, inputs=inputs)

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
        key = self.in_session.find_near(event.arguments)
        if key is None:
            return event
        given = self.in_session.resolve_arguments(event.tool, event.arguments)
        reply = layers.rename_reply(event.reply, key, self.near[key].leads_to)
        return Called(event.tool, {n: as_json(v) for n, v in given.items()}, Reply(*reply))

    def describe(self, task: str) -> dict[str, JSON]:
        """Return what makes an attempt with the layer another one, as JSON."""
        left_out: list[JSON] = [list(case.left_out) for case in self.cases[task]]
        return {"dose": self.dose, "left_out": left_out}
