"""The cases of a domain as layers change them: what agents see of each, and what is right there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sopforge.harness.environment.machine import Environment
from sopforge.harness.environment.shown import Shown
from sopforge.harness.grading.grades import Attempt, Grade
from sopforge.harness.layers.layer import Done
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tasks import Changes, Task
from sopforge.sandbox.answers import JSON


@dataclass(frozen=True, slots=True)
class Case:
    """What is right at a case that comes up after others: its limits by then, and its gold."""

    model: DomainModel
    task: Task


class Cases(Protocol):
    """Both sides of all tasks: those of a domain, or with layers around it."""

    @property
    def shown(self) -> Shown:
        """What agents may see."""

    @property
    def environment(self) -> Environment[Any]:
        """The environment in which the model answers."""

    def join(self, environment: Environment[Any]) -> Environment[Any]:
        """Return an environment of the plain tasks with the layers around it."""

    @property
    def paths(self) -> Mapping[str, Sequence[str]]:
        """For each task, what each of its cases has in common with others of its kind."""

    def find_plain(self, task: str) -> str:
        """Return the plain task that a task is without layers; of a session, of its first case."""

    def find_kind(self, task: str) -> str:
        """Return of what kind layers make a task, nothing where it is plain."""

    def get_gold(self, task: str) -> Task:
        """Return what is right at a task; of a session, at its last case, with all calls.

        Raises:
            KeyError: there is no such task.
        """

    def list_outcomes(self, task: str) -> Mapping[str, str]:
        """Return the right outcomes of a task, those of a session by the numbers of its cases."""

    def split(self, task: str, done: Done) -> Sequence[Done]:
        """Return what was done at each case of a task, as without the layers."""

    def grade(self, task: str, attempt: Attempt) -> Grade:
        """Return the grade of an attempt at a task."""

    def grade_case(self, case: Case, attempt: Attempt) -> Grade:
        """Return the grade of what was done at a case that came up after others."""

    def compute_end_state(self, task: str, done: Done) -> Changes | None:
        """Return what the tables hold after a session, None where there are none."""

    def describe(self, task: str) -> Mapping[str, JSON]:
        """Return what layers do at a task, as JSON by their names; none of plain ones."""
