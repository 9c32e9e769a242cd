"""A layer: what stands around the environment of a package and makes its tasks harder.

A layer is data and what follows from it. It holds nothing of what is right: what it needs from the
grader's side was worked out when it was made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from sopforge.errors import Fault, MaterialError
from sopforge.harness.environment.events import Event
from sopforge.harness.environment.machine import Environment
from sopforge.harness.environment.shown import Shown
from sopforge.sandbox.answers import JSON


def make_dial_error(dial: str, message: str, hint: str) -> MaterialError:
    """Return the error that a domain has no room for a dial."""
    return MaterialError(Fault("dial-not-possible", message, f"dial {dial}", hint))


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


class Layer(Protocol):
    """What stands around an environment, by the name of its dial and its dose."""

    @property
    def name(self) -> str:
        """The dial."""

    @property
    def dose(self) -> int:
        """How much of it there is."""

    def show(self, shown: Shown) -> Shown:
        """Return what agents may see with the layer, of what they may see without it."""

    def join(self, environment: Environment[Any]) -> Environment[Any]:
        """Return an environment with the layer around it."""

    def find_inner(self, task: str) -> str:
        """Return the task that a task of the layer is without it."""

    def find_kind(self, task: str) -> str:
        """Return of what kind the layer makes a task, nothing where it is as it was."""

    def unwrap(self, task: str, done: Done) -> Done:
        """Return what was done at a task as it would have been without the layer."""

    def describe(self, task: str) -> JSON:
        """Return what makes an attempt at a task another one than without the layer."""
