"""What a package is to an evaluation: sessions for agents, and grades for what they did."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Protocol

from sopforge.environment.machine import Environment
from sopforge.environment.shown import Shown
from sopforge.evaluation.grading.grades import Attempt, Grade


class EvaluatedPackage(Protocol):
    """Both sides of a package. Agents get sessions of its environment, and never this."""

    @property
    def shown(self) -> Shown:
        """What agents may see."""

    def open_environment(self) -> AbstractContextManager[Environment[Any]]:
        """Open the environment in which its tools answer.

        Raises:
            SandboxError: this machine cannot confine the tools as asked for.
        """

    def grade(self, task: str, attempt: Attempt) -> Grade:
        """Return the grade of an attempt at a task.

        Raises:
            KeyError: there is no such task.
        """
