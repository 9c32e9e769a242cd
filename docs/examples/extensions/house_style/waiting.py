"""The dial of waiting: a call is refused n times before it is answered."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sopforge.harness.environment.events import Called
from sopforge.harness.environment.shown import Shown
from sopforge.harness.layers.desk import Desk, Solver
from sopforge.harness.layers.dial import Dial
from sopforge.harness.layers.ground import Ground
from sopforge.harness.layers.layer import Done, Layer
from sopforge.harness.layers.text.sections import add_section, find_section
from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.tool_calls import Refused

from . import waiting_session  # noqa: TID252 - types are checked where it is not installed

TITLE = "When a desk is busy"
RULE = f"A call that is answered {waiting_session.WAIT} did nothing: make the same call again."
ASKING_AGAIN = "makes a call again that has to wait"


@dataclass(frozen=True)
class Waiting(Layer[Any]):
    """The layer: ``dose`` equal calls are refused before one is answered."""

    played_by = waiting_session.Layer
    name: str = field(default="waiting", init=False)

    def show(self, shown: Shown) -> Shown:
        return replace(shown, sop=add_section(shown.sop, TITLE, [RULE]))

    def unwrap(self, task: str, done: Done) -> Done:  # noqa: ARG002 - all tasks meet it alike
        events = [
            event
            for event in done.events
            if not isinstance(event, Called) or event.reply.refusal != waiting_session.WAIT
        ]
        return Done(tuple(events), done.answer)


def work_amid_waiting(desk: Desk, model: DomainModel, solve: Solver, lacks: Collection[str]) -> str:
    """Make calls again until they are answered, as the SOP says."""
    if find_section(desk.sop, TITLE) is None or ASKING_AGAIN in lacks:
        return solve(desk, model)

    def call(tool: str, arguments: Mapping[str, Any]) -> Mapping[str, object] | Refused:
        reply = desk.call(tool, arguments)
        while isinstance(reply, Refused) and reply.code == waiting_session.WAIT:
            reply = desk.call(tool, arguments)
        return reply

    return solve(desk.with_call(call), model)


def make_waiting(ground: Ground, dose: int, seed: int) -> tuple[Waiting, None]:  # noqa: ARG001 - nothing is drawn
    """Return the layer of a dose, and that nothing but the answers is judged."""
    return Waiting(dose), None


DIAL = Dial(Waiting, make_waiting, work_amid_waiting, {"asks-once": ASKING_AGAIN})
