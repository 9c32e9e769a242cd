"""What all layers do alike: in sessions, each is what packages carry of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, Generic, TypeVar, cast

from sopforge.harness.environment.events import Reply
from sopforge.harness.environment.machine import Environment, Service
from sopforge.harness.environment.shown import Shown, ShownTask
from sopforge.harness.layers.layer import Done
from sopforge.sandbox.answers import JSONValue
from sopforge.session.environment import write_json
from sopforge.session.layers import LAYERS, Plain, wrap

F = TypeVar("F")
L = TypeVar("L", bound=Plain)


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
class JoinedLayer(Generic[L]):
    """A layer that changes what the others leave as it is."""

    @property
    def name(self) -> str:
        """The dial."""
        raise NotImplementedError

    @cached_property
    def in_session(self) -> L:
        """What answers calls: the code that packages carry, with the data that they carry."""
        return cast("L", LAYERS[self.name](asdict(self), write_json))

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
        """Return nothing: all tasks meet the layer alike."""
        return ""

    def unwrap(self, task: str, done: Done) -> Done:  # noqa: ARG002 - others need it
        """Return what was done as it is."""
        return done
