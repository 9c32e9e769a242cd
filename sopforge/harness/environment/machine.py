"""The environment: from one state of a session to the next, without anything else changing.

A state is a value. Whoever keeps one can go on from it twice, and both go on alike: replies are a
function of the package, the task, the seed and what was called before.

    state = environment.start("task-05723013")
    state = environment.call(state, "openFile", {"case_id": "C-1"})
    state.events[-1].reply.as_text()     # what the agent reads
    state = environment.finish(state, "<decision>approved</decision>")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from sopforge.harness.environment.events import Called, Reply, Said
from sopforge.harness.environment.shown import Shown, ShownTask, ShownTool
from sopforge.sandbox.answers import JSONValue, as_json
from sopforge.session.environment import SessionOverError, State, make_text

__all__ = ["Environment", "Observation", "Service", "SessionOverError", "State", "User"]

F = TypeVar("F")


class Service(Protocol[F]):
    """What answers calls about a task; ``F`` is the value that it keeps between them."""

    def begin(self, task: ShownTask, seed: int) -> F:
        """Return what it keeps before the first call."""

    def answer(self, kept: F, tool: str, arguments: Mapping[str, JSONValue]) -> tuple[F, Reply]:
        """Return what it keeps after a call of a tool that there is, and the reply."""


class User(Protocol):
    """Whoever asks for what a task is about, and may be spoken to in its session."""

    def answer(self, task: str, said: Sequence[str]) -> str:
        """Return the reply to the last of all that an agent has said to the user so far."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What an agent may see when it begins."""

    sop: str
    tools: tuple[ShownTool, ...]
    task: ShownTask


@dataclass(frozen=True, slots=True)
class Environment(Generic[F]):
    """A package that is run: what agents see of it, and what answers their calls.

    Where there is a ``user``, the text of a task is what he says first.
    """

    shown: Shown
    service: Service[F]
    user: User | None = None

    def start(self, task_id: str, seed: int = 0) -> State[F]:
        """Return the state of a new session.

        Raises:
            KeyError: there is no such task.
        """
        task = self.shown.tasks[task_id]
        opening = () if self.user is None else (Said("", task.text),)
        return State(task_id, seed, self.service.begin(task, seed), opening)

    def observe(self, state: State[F]) -> Observation:
        """Return what the agent of a session may see."""
        return Observation(self.shown.sop, self.shown.tools, self.shown.tasks[state.task])

    def call(self, state: State[F], tool: str, arguments: Mapping[str, JSONValue]) -> State[F]:
        """Return the state after a call, of which the reply is in the last event.

        Raises:
            SessionOverError: the answer was given already.
            TypeError, ValueError: the tool's name or the arguments are none of a call.
        """
        tools = [tool.name for tool in self.shown.tools]
        after = state.call(tool, arguments, tools, self.service.answer)
        *before, event = after.events
        if isinstance(event, Called):
            # Figures are compared exactly, as they are read from a log.
            exact = {name: as_json(value) for name, value in event.arguments.items()}
            event = event._replace(arguments=exact)
        return after._replace(events=(*before, event))

    def say(self, state: State[F], text: str) -> State[F]:
        """Return the state after the agent said something to the user, if there is one.

        The reply, empty where nobody hears it, is in the last event.

        Raises:
            SessionOverError: the answer was given already.
        """
        if self.user is None:
            return self.note(state, text)
        state.require_open()
        heard = [event.text for event in state.events if isinstance(event, Said) and event.reply]
        # The first of these is the opening, to which nothing was said.
        said = [*heard[1:], make_text(text)]
        return state.note(text, self.user.answer(state.task, said))

    def note(self, state: State[F], text: str) -> State[F]:
        """Return the state after the agent said something to nobody: a thought, a remark.

        Raises:
            SessionOverError: the answer was given already.
        """
        return state.note(text)

    def finish(self, state: State[F], answer: str) -> State[F]:
        """Return the state with the agent's final text.

        Raises:
            SessionOverError: the answer was given already.
        """
        return state.finish(answer)
