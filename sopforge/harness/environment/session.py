"""A session as agents hold it: one state after the other, and nothing that a grader knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from sopforge.harness.environment.events import Called, Reply, Said
from sopforge.harness.environment.machine import Environment, Observation, State
from sopforge.sandbox.answers import JSONValue

F = TypeVar("F")


@dataclass(slots=True)
class Session(Generic[F]):
    """One attempt at a task; two sessions of one environment never meet."""

    environment: Environment[F] = field(repr=False)
    state: State[F]

    @property
    def observation(self) -> Observation:
        """What the agent may see."""
        return self.environment.observe(self.state)

    @property
    def has_user(self) -> bool:
        """Whether somebody hears what is said."""
        return self.environment.user is not None

    def call(self, tool: str, arguments: Mapping[str, JSONValue]) -> Reply:
        """Return what a tool replies."""
        self.state = self.environment.call(self.state, tool, arguments)
        return next(event.reply for event in self.state.events[-1:] if isinstance(event, Called))

    def say(self, text: str) -> str | None:
        """Say something to the user, and return what he replies; None where there is none."""
        self.state = self.environment.say(self.state, text)
        said = next(event for event in self.state.events[-1:] if isinstance(event, Said))
        return said.reply or None

    def note(self, text: str) -> None:
        """Say something that is meant for nobody, and stands in the log."""
        self.state = self.environment.note(self.state, text)

    def finish(self, answer: str) -> None:
        """Give the final text."""
        self.state = self.environment.finish(self.state, answer)


def open_session(environment: Environment[F], task_id: str, seed: int = 0) -> Session[F]:
    """Return a new session of a task.

    Raises:
        KeyError: there is no such task.
    """
    return Session(environment, environment.start(task_id, seed))
