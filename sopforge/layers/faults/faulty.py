"""A service whose calls fail as a schedule says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Generic, TypeVar

from sopforge.environment.events import Called, Event, Reply
from sopforge.environment.machine import Environment, Service
from sopforge.environment.shown import Shown, ShownTask
from sopforge.layers.call_names import draw_in_session, name_call
from sopforge.layers.faults.recovery import BUSY, CLOSED, LATE, Recovery
from sopforge.layers.faults.schedule import NO_FAULTS, Kind, Schedule, ToolFault
from sopforge.layers.faults.stating import add_recovery
from sopforge.layers.layer import Done
from sopforge.sandbox.answers import JSON, JSONValue

F = TypeVar("F")
_FIRST_DAY = date(2025, 1, 6).toordinal()
_DAYS = 300
_LAG = 20
_SAYS = {
    Kind.BUSY: (BUSY, "the service is busy; nothing was done"),
    Kind.LATE: (LATE, "the service did not answer in time; nothing was done"),
    Kind.CLOSED: (CLOSED, "the service is closed; nothing was done"),
}


@dataclass(frozen=True, slots=True)
class Lived(Generic[F]):
    """What a session keeps: what the tools keep, its task, and how often each call was made."""

    inner: F
    task: str
    made: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class FaultyService(Generic[F]):
    """Answers as another service does, but for the faults of a task."""

    service: Service[F]
    layer: Faults

    def begin(self, task: ShownTask, seed: int) -> Lived[F]:
        """Return what is kept before the first call."""
        return Lived(self.service.begin(task, seed), task.id)

    def answer(
        self, kept: Lived[F], tool: str, arguments: Mapping[str, JSONValue]
    ) -> tuple[Lived[F], Reply]:
        """Return what is kept after a call, and the reply."""
        meant = self.layer.tools.get(tool, tool)
        call = name_call(tool, arguments)
        made = kept.made.get(call, 0)
        kept = replace(kept, made={**kept.made, call: made + 1})
        fault = self.layer.find_fault(kept.task, call, made)
        if fault is not None and fault.kind in _SAYS:
            return kept, Reply(None, *_SAYS[fault.kind])
        inner, reply = self.service.answer(kept.inner, meant, arguments)
        return replace(kept, inner=inner), self.layer.change_reply(
            kept.task, meant, call, reply, fault
        )


@dataclass(frozen=True)
class Faults:
    """The layer: schedules by task, and the rules of recovery that the SOP states.

    ``lookups`` are the tools whose results have days beside their values. It holds nothing of what
    is right: which calls fail, and what they show instead.
    """

    dose: int
    seed: int
    recovery: Recovery
    lookups: frozenset[str]
    schedules: Mapping[str, Schedule]
    name: str = "faults"

    @property
    def tools(self) -> Mapping[str, str]:
        """The tool of each stand-in."""
        return {other: tool for tool, other in self.recovery.stand_ins.items()}

    def find_fault(self, task: str, call: str, made: int) -> ToolFault | None:
        """Return what goes wrong at a call of a task after so many equal ones."""
        return self.schedules.get(task, NO_FAULTS).find(call, made)

    def change_reply(
        self, task: str, tool: str, call: str, reply: Reply, fault: ToolFault | None
    ) -> Reply:
        """Return a reply with the days of a look-up, and with what a fault does to it."""
        if reply.refusal or tool not in self.lookups or not isinstance(reply.result, dict):
            return reply
        result: dict[str, JSON] = dict(reply.result)
        lag = draw_in_session(_LAG, self.seed, "lag", task, call)
        changed = _FIRST_DAY + draw_in_session(_DAYS, self.seed, "changed", task, call)
        copied = changed + lag
        if fault is not None:
            result = {
                n: fault.values.get(n, v) for n, v in result.items() if n not in fault.left_out
            }
            copied = changed - 1 - lag if fault.kind is Kind.STALE else copied
        days = {self.recovery.copied: copied, self.recovery.changed: changed}
        return Reply(
            {**result, **{n: date.fromordinal(day).isoformat() for n, day in days.items()}}
        )

    def show(self, shown: Shown) -> Shown:
        """Return what agents may see: stand-ins beside the tools, and the rules in the SOP."""
        known = {tool.name: tool for tool in shown.tools}
        others = [
            replace(known[tool], name=other, description=f"Stand-in. {known[tool].description}")
            for tool, other in self.recovery.stand_ins.items()
        ]
        sop = add_recovery(shown.sop, self.recovery)
        return replace(shown, sop=sop, tools=(*shown.tools, *others))

    def join(self, environment: Environment[Any]) -> Environment[Any]:
        """Return an environment whose calls fail."""
        service = FaultyService(environment.service, self)
        return replace(environment, shown=self.show(environment.shown), service=service)

    def find_kind(self, task: str) -> str:  # noqa: ARG002 - protocol
        """Return nothing: whether a task meets faults, nothing is to show."""
        return ""

    def unwrap(self, task: str, done: Done) -> Done:
        """Return what was done as it would be without faults: what failed was not called."""
        made: dict[str, int] = {}
        found: list[Event] = []
        for event in done.events:
            if not isinstance(event, Called):
                found.append(event)
                continue
            call = name_call(event.tool, event.arguments)
            fault = self.find_fault(task, call, made.get(call, 0))
            made[call] = made.get(call, 0) + 1
            if fault is None:
                found.append(self._make_core(event))
        return Done(tuple(found), done.answer)

    def find_inner(self, task: str) -> str:
        """Return the task: it is the same one."""
        return task

    def _make_core(self, event: Called) -> Called:
        reply = event.reply
        days = {self.recovery.copied, self.recovery.changed}
        tool = self.tools.get(event.tool, event.tool)
        if isinstance(reply.result, dict) and tool in self.lookups:
            kept = {name: value for name, value in reply.result.items() if name not in days}
            reply = replace(reply, result=kept)
        return Called(tool, event.arguments, reply)

    def describe(self, task: str) -> dict[str, JSON]:
        """Return what makes an attempt with the layer another one, as JSON."""
        kinds: list[JSON] = [*self.schedules.get(task, NO_FAULTS).list_kinds()]
        return {"dose": self.dose, "met": kinds}
