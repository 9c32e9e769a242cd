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
from sopforge.evaluation.grading.parts import add_parts, settle_grade
from sopforge.evaluation.packages.package import Case, EvaluatedPackage, GoldTask
from sopforge.layers.layer import Done, Judge, Layer
from sopforge.sandbox.answers import JSON


class LayerablePackage(EvaluatedPackage, Protocol):
    """A package of ours, around which a layer can be put: what is right follows from a model."""

    @property
    def model_environment(self) -> Environment[Any]:
        """The environment in which the model answers."""

    @property
    def paths(self) -> Mapping[str, Sequence[str]]:
        """For each task, what each of its cases has in common with others of its kind."""

    def find_plain(self, task: str) -> str:
        """Return the task of the plain package that a task is without layers."""

    def find_kind(self, task: str) -> str:
        """Return of what kind layers make a task, nothing where it is plain."""

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
    judge: Judge | None = None

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
        paths = self.package.paths
        return {task: paths[self.layer.find_inner(task)] for task in self.shown.tasks}

    def split(self, task: str, done: Done) -> Sequence[Done]:
        """Return what was done at each case of a task, as without the layer."""
        return self.package.split(self.layer.find_inner(task), self.layer.unwrap(task, done))

    def find_plain(self, task: str) -> str:
        """Return the task of the plain package that a task is without layers."""
        return self.package.find_plain(self.layer.find_inner(task))

    def find_kind(self, task: str) -> str:
        """Return of what kind layers make a task, nothing where it is plain."""
        return self.layer.find_kind(task) or self.package.find_kind(self.layer.find_inner(task))

    def get_gold(self, task: str) -> Task:
        """Return what is right at a task with one case; no outcome where none is to be stated."""
        gold = replace(self.package.get_gold(self.layer.find_inner(task)), id=task)
        return replace(gold, outcomes={}) if self.is_settled(task) else gold

    def grade_case(self, case: Case, attempt: Attempt) -> Grade:
        """Return the grade of what was done at a case that came up after others."""
        return self._grade(
            case.task.id,
            attempt,
            lambda inner: self.package.grade_case(self._find_inner(case), inner),
        )

    def _find_inner(self, case: Case) -> Case:
        inner = self.layer.find_inner(case.task.id)
        if self.is_settled(case.task.id):
            return replace(case, task=replace(self.package.get_gold(inner), end_state=None))
        return replace(case, task=replace(case.task, id=inner))

    def is_settled(self, task: str) -> bool:
        """Return whether the layer alone decides what is right at a task."""
        return self.judge is not None and self.judge.is_settled(task)

    def compute_end_state(self, task: str, done: Done) -> Changes | None:
        """Return what the tables hold after a session, None where there are none."""
        inner = self.layer.find_inner(task)
        return self.package.compute_end_state(inner, self.layer.unwrap(task, done))

    def describe_gold(self, task: str) -> GoldTask:
        """Return what is right at a task, without the layer."""
        gold = self.package.describe_gold(self.layer.find_inner(task))
        text = self.shown.tasks[task].text
        return replace(gold, text=text, outcomes={} if self.is_settled(task) else gold.outcomes)

    def grade(self, task: str, attempt: Attempt) -> Grade:
        """Return the grade of an attempt: of what it would have been without the layer."""
        name = self.layer.find_inner(task)
        return self._grade(task, attempt, lambda inner: self.package.grade(name, inner))

    def _grade(self, task: str, attempt: Attempt, grade_inner: Callable[[Attempt], Grade]) -> Grade:
        done = self.layer.unwrap(task, Done(tuple(attempt.events), attempt.answer))
        inner = replace(attempt, events=done.events, answer=done.answer)
        grade = grade_inner(inner)
        if self.judge is None:
            return grade
        parts = self.judge.judge(task, Done(tuple(attempt.events), attempt.answer))
        if self.judge.is_settled(task):
            return settle_grade(grade, attempt, parts)
        return add_parts(grade, parts)

    def describe_layers(self, task: str) -> Mapping[str, JSON]:
        """Return what makes an attempt another one than at the plain task."""
        inner = self.package.describe_layers(self.layer.find_inner(task))
        return {**inner, self.layer.name: self.layer.describe(task)}
