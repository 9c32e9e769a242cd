"""The layer of faults: calls that fail as a schedule says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sopforge.harness.environment.events import Called, Event
from sopforge.harness.environment.shown import Shown
from sopforge.harness.layers.call_names import name_call
from sopforge.harness.layers.faults.recovery import Recovery
from sopforge.harness.layers.faults.schedule import NO_FAULTS, Schedule
from sopforge.harness.layers.faults.stating import add_recovery
from sopforge.harness.layers.layer import Done, Layer
from sopforge.sandbox.answers import JSON
from sopforge.session import layers


@dataclass(frozen=True)
class Faults(Layer[layers.Faults]):
    """The layer: schedules by task, and the rules of recovery that the SOP states.

    ``lookups`` are the tools whose results have days beside their values. It holds nothing of what
    is right: which calls fail, and what they show instead.
    """

    seed: int
    recovery: Recovery
    lookups: frozenset[str]
    schedules: Mapping[str, Schedule]
    name: str = "faults"

    @property
    def tools(self) -> Mapping[str, str]:
        """The tool of each stand-in."""
        return self.in_session.tools

    def show(self, shown: Shown) -> Shown:
        """Return what agents may see: stand-ins beside the tools, and the rules in the SOP."""
        known = {tool.name: tool for tool in shown.tools}
        others = [
            replace(known[tool], name=other, description=f"Stand-in. {known[tool].description}")
            for tool, other in self.recovery.stand_ins.items()
        ]
        sop = add_recovery(shown.sop, self.recovery)
        return replace(shown, sop=sop, tools=(*shown.tools, *others))

    def unwrap(self, task: str, done: Done) -> Done:
        """Return what was done as it would be without faults: what failed was not called."""
        made: dict[str, int] = {}
        found: list[Event] = []
        for event in done.events:
            if not isinstance(event, Called):
                found.append(event)
                continue
            call = name_call(event.tool, event.arguments)
            fault = self.in_session.find_fault(task, call, made.get(call, 0))
            made[call] = made.get(call, 0) + 1
            if fault is None:
                found.append(self._make_core(event))
        return Done(tuple(found), done.answer)

    def _make_core(self, event: Called) -> Called:
        reply = event.reply
        days = {self.recovery.copied, self.recovery.changed}
        tool = self.tools.get(event.tool, event.tool)
        if isinstance(reply.result, dict) and tool in self.lookups:
            kept = {name: value for name, value in reply.result.items() if name not in days}
            reply = reply._replace(result=kept)
        return Called(tool, event.arguments, reply)

    def describe(self, task: str) -> dict[str, JSON]:
        """Return what makes an attempt with the layer another one, as JSON."""
        kinds: list[JSON] = [*self.schedules.get(task, NO_FAULTS).list_kinds()]
        return {"dose": self.dose, "met": kinds}
