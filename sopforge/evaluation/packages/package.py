"""What a package is to an evaluation: sessions for agents, and grades for what they did."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from sopforge.harness.environment.machine import Environment
from sopforge.harness.environment.shown import Shown
from sopforge.harness.grading.grades import Attempt, Grade
from sopforge.language.domain.tasks import GoldCall
from sopforge.sandbox.answers import JSON


@dataclass(frozen=True, slots=True)
class GoldTask:
    """What is right at a task; ``names`` has the tool for each other name that it is offered by."""

    text: str
    calls: tuple[GoldCall, ...]
    outcomes: Mapping[str, str]
    names: Mapping[str, str] = field(default_factory=dict)


class EvaluatedPackage(Protocol):
    """Both sides of a package. Agents get sessions of its environment, and never this."""

    @property
    def shown(self) -> Shown:
        """What agents may see."""

    @property
    def digest(self) -> str:
        """A digest of all that decides attempts and grades, the answers included."""

    def open_environment(self) -> AbstractContextManager[Environment[Any]]:
        """Open the environment in which its tools answer.

        Raises:
            ToolProcessError: the tools do not load.
            SandboxError: this machine cannot confine them as asked for.
        """

    def describe_gold(self, task: str) -> GoldTask:
        """Return what is right at a task, as far as anybody says.

        Raises:
            KeyError: there is no such task.
        """

    def grade(self, task: str, attempt: Attempt) -> Grade:
        """Return the grade of an attempt at a task.

        Raises:
            KeyError: there is no such task.
        """

    def describe_layers(self, task: str) -> Mapping[str, JSON]:
        """Return what layers do at a task, as JSON by their names; none of a plain package."""
