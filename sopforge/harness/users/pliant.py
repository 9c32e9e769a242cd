"""Who follows the procedure and yields to a user: the mistakes that his manners invite."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sopforge.harness.scoring.agents import Call, CalledTools, write_results
from sopforge.harness.scoring.trajectories import Trajectory
from sopforge.language.domain.model import DomainModel, Tool
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.tool_calls import Frame, Refused
from sopforge.language.logic.walking import visit_nothing, walk
from sopforge.proof.dataset.tasks.told_texts import parse_inputs

LEFT_OUT = "left_out"


@dataclass(frozen=True, slots=True)
class Yielding:
    """What is yielded to: cells that are ``believed``, tools ``skipped``, actions ``written``."""

    believed: Mapping[str, str] = field(default_factory=dict)
    skipped: frozenset[str] = frozenset()
    written: tuple[str, ...] = ()


FIRM = Yielding()


@dataclass(frozen=True, slots=True)
class PliantAgent:
    """Follows the procedure as the reference does, but for what it yields to.

    ``visit`` gets the id of each step before it is carried out.
    """

    model: DomainModel
    yielding: Yielding = FIRM
    name: str = "pliant"
    visit: Callable[[str], None] = visit_nothing

    def solve(self, inputs: Mapping[str, str], call: Call) -> Trajectory:
        fields = self.model.fields
        given = parse_inputs(self.model, inputs)
        believed = {name: fields[name].parse(cell) for name, cell in self.yielding.believed.items()}
        service = CalledTools(self.model, call)

        def answer(tool: Tool, arguments: Frame) -> dict[str, Value | None] | Refused:
            if tool.name in self.yielding.skipped:
                return Refused(LEFT_OUT, "it was left out")
            found = service(tool, arguments)
            if isinstance(found, Refused):
                return found
            return {name: believed.get(name, value) for name, value in found.items()}

        done = walk(self.model, given, answer, self.visit)
        for name in self.yielding.written:
            tool = self.model.tools[name]
            service(tool, {taken: done.known.get(taken) for taken in tool.takes})
        return Trajectory(tuple(service.calls), write_results(self.model, done))
