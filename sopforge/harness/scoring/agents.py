"""Agents that need no language model: the reference, and three that must fail."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from sopforge.harness.scoring.trajectories import AgentCall, Trajectory, read_answer, write_answer
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel, Tool
from sopforge.language.domain.values.types import ListType, TextType, Value, ValueNotAllowedError
from sopforge.language.logic.tool_calls import Frame, Refused
from sopforge.language.logic.walking import Walk, collect_outcomes, visit_nothing, walk
from sopforge.proof.dataset.tasks.told_texts import parse_inputs
from sopforge.session.environment import Reply

Call: TypeAlias = Callable[[str, Mapping[str, object]], Mapping[str, object] | Refused]

MALFORMED_RESULT = "malformed_result"
# Enough: passed over are only values of which one's cell holds the other's, such as 1 and 15.
_TRIED = 99


def read_reply(reply: Reply) -> Mapping[str, object] | Refused:
    """Return what a call is answered, as programs take it: a result is an object."""
    if reply.refusal or not isinstance(reply.result, dict):
        return Refused(reply.refusal or MALFORMED_RESULT, reply.message)
    return reply.result


class Agent(Protocol):
    """Solves a task from its inputs with the published tools."""

    @property
    def name(self) -> str:
        """The agent's name in reports."""

    def solve(self, inputs: Mapping[str, str], call: Call) -> Trajectory:
        """Return what the agent did; ``call`` reaches the tools, nothing reaches the answers."""


@dataclass(frozen=True, slots=True)
class ReferenceAgent:
    """Follows the procedure: it knows the rules, and observes everything else through the tools.

    ``visit`` gets the id of each step before it is carried out.
    """

    model: DomainModel
    name: str = "reference"
    visit: Callable[[str], None] = visit_nothing

    def solve(self, inputs: Mapping[str, str], call: Call) -> Trajectory:
        service = CalledTools(self.model, call)
        done = walk(self.model, parse_inputs(self.model, inputs), service, self.visit)
        return Trajectory(tuple(service.calls), write_results(self.model, done))


def write_results(model: DomainModel, done: Walk) -> str:
    """Return the final text of a walk: its outcomes, and the values in between that are scored."""
    intermediates = {item.name for item in model.intermediates} & set(done.known)
    found = {
        **collect_outcomes(model, done),
        **{name: done.known[name] for name in sorted(intermediates)},
    }
    cells = {name: model.fields[name].format_cell(value) for name, value in found.items()}
    return write_answer(cells)


@dataclass(slots=True)
class CalledTools:
    """Turns the procedure's calls into calls of the published tools, and remembers them."""

    model: DomainModel
    call: Call
    calls: list[AgentCall] = field(default_factory=list)

    def __call__(self, tool: Tool, arguments: Frame) -> dict[str, Value | None] | Refused:
        fields, offered = self.model.fields, tool.offered_name
        sent = {
            name: fields[actual].as_json(arguments[actual])
            for name, actual in tool.parameters.items()
        }
        reply = self.call(offered, sent)
        refusal = reply.code if isinstance(reply, Refused) else ""
        self.calls.append(AgentCall(offered, sent, refusal))
        if isinstance(reply, Refused):
            return reply
        try:
            return {
                name: fields[name].parse(reply[result]) for name, result in tool.results.items()
            }
        except (KeyError, ValueNotAllowedError) as cause:
            # As after a refusal without an edge, the walk ends: there is nothing to go on with.
            return Refused(MALFORMED_RESULT, f"{offered} returned no usable value: {cause}")


@dataclass(frozen=True, slots=True)
class WrongAgent:
    """Works as the reference does, and then states another value for everything."""

    reference: ReferenceAgent
    name: str = "wrong"

    def solve(self, inputs: Mapping[str, str], call: Call) -> Trajectory:
        trajectory = self.reference.solve(inputs, call)
        fields = self.reference.model.fields
        right = read_answer(trajectory.answer)
        wrong = {name: make_wrong_answer(fields[name], cell) for name, cell in right.items()}
        return Trajectory(trajectory.calls, write_answer(wrong))


@dataclass(frozen=True, slots=True)
class SilentAgent:
    """Says nothing."""

    name: str = "silent"

    def solve(self, inputs: Mapping[str, str], call: Call) -> Trajectory:  # noqa: ARG002 - protocol
        return Trajectory((), "")


@dataclass(frozen=True, slots=True)
class OneLetterAgent:
    """States the letter "e" for everything, which loose matchers find in many a label."""

    model: DomainModel
    name: str = "one letter"

    def solve(self, inputs: Mapping[str, str], call: Call) -> Trajectory:  # noqa: ARG002 - protocol
        asked = (*self.model.outcomes, *self.model.intermediates)
        return Trajectory((), write_answer({item.name: "e" for item in asked}))


def build_trivial_agents(model: DomainModel) -> tuple[Agent, ...]:
    """Return the reference agent, and the agents that must score nothing."""
    reference = ReferenceAgent(model)
    return (reference, WrongAgent(reference), SilentAgent(), OneLetterAgent(model))


def make_wrong_answer(item: Field, right: str) -> str:
    """Return an answer to a field that no reader takes for the right one, however loosely.

    Neither contains the other, where the field has such a value.
    """
    if isinstance(item.type, TextType | ListType):
        return "no such answer"
    low, high = item.type.bounds
    cells = [item.format_cell(value) for value in range(low, min(high, low + _TRIED) + 1)]
    cells.append(item.format_cell(high))
    apart = (cell for cell in cells if cell not in right and right not in cell)
    return next(apart, "no such answer")
