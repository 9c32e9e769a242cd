"""A package with a layer around it: agents meet the layer, and are graded by what is inside."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

from sopforge.domain.tasks import Changes, Task
from sopforge.environment.machine import Environment
from sopforge.environment.shown import Shown
from sopforge.evaluation.grading.grades import Attempt, Grade
from sopforge.evaluation.packages.package import Case, EvaluatedPackage, GoldTask
from sopforge.layers.layer import Done, Layer
from sopforge.sandbox.answers import JSON


class LayerablePackage(EvaluatedPackage, Protocol):
    """A package of ours, around which a layer can be put: what is right follows from a model."""

    @property
    def model_environment(self) -> Environment[Any]:
        """The environment in which the model answers."""

    @property
    def paths(self) -> Mapping[str, Sequence[str]]:
        """For each task, what each of its cases has in common with others of its kind."""

    def get_gold(self, task: str) -> Task:
        """Return what is right at a task with one case."""

    def split(self, task: str, done: Done) -> Sequence[Done]:
        """Return what was done at each case of a task, as without the layers."""

    def grade_case(self, case: Case, attempt: Attempt) -> Grade:
        """Return the grade of what was done at a case that came up after others."""

    def compute_end_state(self, task: str, done: Done) -> Changes | None:
        """Return what the tables hold after a session, None where there are none."""


@dataclass(frozen=True)
class LayeredPackage:
    """A package of ours, or one with layers, with a further layer around it."""

    package: LayerablePackage
    layer: Layer

    @cached_property
    def shown(self) -> Shown:
        """What agents may see."""
        return self.layer.show(self.package.shown)

    @property
    def digest(self) -> str:
        """The digest of the package: what the layer does stands in the settings of rows."""
        return self.package.digest

    @contextmanager
    def open_environment(self) -> Iterator[Environment[Any]]:
        """Open the environment of the package, with the layer around it."""
        with self.package.open_environment() as environment:
            yield self.layer.join(environment)

    @cached_property
    def model_environment(self) -> Environment[Any]:
        """The environment in which the model answers."""
        return self.layer.join(self.package.model_environment)

    @property
    def paths(self) -> Mapping[str, Sequence[str]]:
        """For each task, what each of its cases has in common with others of its kind."""
        return self.package.paths

    def split(self, task: str, done: Done) -> Sequence[Done]:
        """Return what was done at each case of a task, as without the layer."""
        return self.package.split(task, self.layer.unwrap(task, done))

    def get_gold(self, task: str) -> Task:
        """Return what is right at a task with one case."""
        return self.package.get_gold(task)

    def grade_case(self, case: Case, attempt: Attempt) -> Grade:
        """Return the grade of what was done at a case that came up after others."""
        return self._grade(
            case.task.id, attempt, lambda inner: self.package.grade_case(case, inner)
        )

    def compute_end_state(self, task: str, done: Done) -> Changes | None:
        """Return what the tables hold after a session, None where there are none."""
        return self.package.compute_end_state(task, self.layer.unwrap(task, done))

    def describe_gold(self, task: str) -> GoldTask:
        """Return what is right at a task, without the layer."""
        return self.package.describe_gold(task)

    def grade(self, task: str, attempt: Attempt) -> Grade:
        """Return the grade of an attempt: of what it would have been without the layer."""
        return self._grade(task, attempt, lambda inner: self.package.grade(task, inner))

    def _grade(self, task: str, attempt: Attempt, grade_inner: Callable[[Attempt], Grade]) -> Grade:
        done = self.layer.unwrap(task, Done(tuple(attempt.events), attempt.answer))
        inner = replace(attempt, events=done.events, answer=done.answer)
        grade = grade_inner(inner)
        parts = self.layer.judge(task, Done(tuple(attempt.events), attempt.answer))
        if not parts:
            return grade
        is_right = grade.is_right and all(parts.values())
        return replace(grade, is_right=is_right, session={**(grade.session or {}), **parts})

    def describe_layers(self, task: str) -> Mapping[str, JSON]:
        """Return what makes an attempt another one than at the plain task."""
        return {**self.package.describe_layers(task), self.layer.name: self.layer.describe(task)}
