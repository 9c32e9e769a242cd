"""A layer: what stands around the environment of a package and makes its tasks harder.

A layer is data and what follows from it. It holds nothing of what is right: what it needs from the
grader's side was worked out when it was made. In sessions, it is what packages carry of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Generic, Protocol, TypeVar, cast

from sopforge.errors import Fault, MaterialError
from sopforge.harness.environment.events import Event, Reply
from sopforge.harness.environment.machine import Environment, Service
from sopforge.harness.environment.shown import Schema, Shown, ShownTask
from sopforge.sandbox.answers import JSON, JSONValue
from sopforge.session.environment import write_json
from sopforge.session.layers import LAYERS, Plain, wrap

F = TypeVar("F")
L = TypeVar("L", bound=Plain)


@dataclass(frozen=True, slots=True)
class Done:
    """What an agent did in a session: its events, and its final text, None where it gave none."""

    events: tuple[Event, ...]
    answer: str | None = None


class Judge(Protocol):
    """What a layer asks for besides what is right without it: it stands on the grader's side."""

    def judge(self, task: str, done: Done) -> Mapping[str, bool]:
        """Return which parts are right that the layer alone asks for."""

    def is_settled(self, task: str) -> bool:
        """Return whether these parts alone decide: without the layer, nothing is right there."""


@dataclass(frozen=True, slots=True)
class LayerService(Generic[F]):
    """Answers as another service does, with a layer around it."""

    service: Service[F]
    layer: Plain
    tasks: Mapping[str, ShownTask]

    def begin(self, task: ShownTask, seed: int) -> tuple[Any, F]:
        """Return what is kept before the first call, by the layer and within it."""
        inner = self.tasks[self.layer.find_inner(task.id)]
        return self.layer.begin(task.id), self.service.begin(inner, seed)

    def answer(
        self, kept: tuple[Any, F], tool: str, arguments: Mapping[str, JSONValue]
    ) -> tuple[tuple[Any, F], Reply]:
        """Return what is kept after a call, and the reply."""
        after, reply = wrap(self.layer, self.service.answer)(kept, tool, arguments)
        return after, Reply(*reply)


@dataclass(frozen=True)
class Layer(Generic[L]):
    """What stands around an environment, and how much of it there is.

    One changes what it has to, and leaves all else as it is.
    """

    played_by: ClassVar[type[Any] | None] = None
    """For a dial of others, the class ``Layer`` of a file of its own, which packages carry.

    It is as those of ``sopforge.session.layers``, and needs Python's standard library alone.
    """
    dose: int

    @property
    def name(self) -> str:
        """The dial."""
        raise NotImplementedError

    @cached_property
    def in_session(self) -> L:
        """What answers calls: the code that packages carry, with the data that they carry."""
        made = self.played_by or LAYERS[self.name]
        return cast("L", made(asdict(self), write_json))

    def show(self, shown: Shown) -> Shown:
        """Return what agents may see with the layer, of what they may see without it."""
        return shown

    def join(self, environment: Environment[Any]) -> Environment[Any]:
        """Return an environment with the layer around it."""
        shown = environment.shown
        service = LayerService(environment.service, self.in_session, shown.tasks)
        return replace(environment, shown=self.show(shown), service=service)

    def find_inner(self, task: str) -> str:
        """Return the task that a task of the layer is without it."""
        return self.in_session.find_inner(task)

    def find_kind(self, task: str) -> str:  # noqa: ARG002 - others need it
        """Return of what kind the layer makes a task, nothing where it is as it was."""
        return ""

    def unwrap(self, task: str, done: Done) -> Done:  # noqa: ARG002 - others need it
        """Return what was done at a task as it would have been without the layer."""
        return done

    def describe(self, task: str) -> JSON:  # noqa: ARG002 - others need it
        """Return what makes an attempt at a task another one than without the layer."""
        return {"dose": self.dose}


def make_schema(*parameters: tuple[str, Mapping[str, object]]) -> Schema:
    """Return the schema of a tool that takes just these parameters."""
    return {
        "type": "object",
        "properties": dict(parameters),
        "required": [name for name, _ in parameters],
        "additionalProperties": False,
    }


def make_dial_error(dial: str, message: str, hint: str) -> MaterialError:
    """Return the error that a domain has no room for a dial."""
    return MaterialError(Fault("dial-not-possible", message, f"dial {dial}", hint))
