"""Cases with a layer around them: agents meet the layer, and are graded by what is inside."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

from sopforge.harness.environment.machine import Environment
from sopforge.harness.environment.shown import Shown
from sopforge.harness.grading.grades import Attempt, Grade
from sopforge.harness.grading.parts import add_parts, settle_grade
from sopforge.harness.layers.layer import Done, Judge, Layer
from sopforge.harness.layers.plain import Case, PlainCases
from sopforge.language.domain.tasks import Changes, Task
from sopforge.sandbox.answers import JSON


@dataclass(frozen=True)
class LayeredCases:
    """Cases with one more layer; the ``judge`` says what it asks for besides, if it does."""

    inner: Cases
    layer: Layer[Any]
    judge: Judge | None = None

    @cached_property
    def shown(self) -> Shown:
        """What agents may see."""
        return self.layer.show(self.inner.shown)

    @cached_property
    def environment(self) -> Environment[Any]:
        """The environment in which the model answers."""
        return self.layer.join(self.inner.environment)

    def join(self, environment: Environment[Any]) -> Environment[Any]:
        """Return an environment of the plain tasks with the layers around it."""
        return self.layer.join(self.inner.join(environment))

    @property
    def paths(self) -> Mapping[str, Sequence[str]]:
        """For each task, what each of its cases has in common with others of its kind."""
        paths = self.inner.paths
        return {task: paths[self.layer.find_inner(task)] for task in self.shown.tasks}

    def find_plain(self, task: str) -> str:
        """Return the plain task that a task is without layers."""
        return self.inner.find_plain(self.layer.find_inner(task))

    def find_kind(self, task: str) -> str:
        """Return of what kind layers make a task, nothing where it is plain."""
        return self.layer.find_kind(task) or self.inner.find_kind(self.layer.find_inner(task))

    def get_gold(self, task: str) -> Task:
        """Return what is right at a task; no outcome where none is to be stated."""
        gold = replace(self.inner.get_gold(self.layer.find_inner(task)), id=task)
        return replace(gold, outcomes={}) if self.is_settled(task) else gold

    def list_outcomes(self, task: str) -> Mapping[str, str]:
        """Return the right outcomes of a task."""
        if self.is_settled(task):
            return {}
        return self.inner.list_outcomes(self.layer.find_inner(task))

    def is_settled(self, task: str) -> bool:
        """Return whether the layer alone decides what is right at a task."""
        return self.judge is not None and self.judge.is_settled(task)

    def split(self, task: str, done: Done) -> Sequence[Done]:
        """Return what was done at each case of a task, as without the layers."""
        return self.inner.split(self.layer.find_inner(task), self.layer.unwrap(task, done))

    def grade(self, task: str, attempt: Attempt) -> Grade:
        """Return the grade of an attempt: of what it would have been without the layer."""
        name = self.layer.find_inner(task)
        return self._grade(task, attempt, lambda inner: self.inner.grade(name, inner))

    def grade_case(self, case: Case, attempt: Attempt) -> Grade:
        """Return the grade of what was done at a case that came up after others."""
        return self._grade(
            case.task.id,
            attempt,
            lambda inner: self.inner.grade_case(self._find_inner(case), inner),
        )

    def compute_end_state(self, task: str, done: Done) -> Changes | None:
        """Return what the tables hold after a session, None where there are none."""
        inner = self.layer.find_inner(task)
        return self.inner.compute_end_state(inner, self.layer.unwrap(task, done))

    def describe(self, task: str) -> Mapping[str, JSON]:
        """Return what layers do at a task, as JSON by their names."""
        inner = self.inner.describe(self.layer.find_inner(task))
        return {**inner, self.layer.name: self.layer.describe(task)}

    def _find_inner(self, case: Case) -> Case:
        inner = self.layer.find_inner(case.task.id)
        if self.is_settled(case.task.id):
            return replace(case, task=replace(self.inner.get_gold(inner), end_state=None))
        return replace(case, task=replace(case.task, id=inner))

    def _grade(self, task: str, attempt: Attempt, grade_inner: Callable[[Attempt], Grade]) -> Grade:
        whole = Done(tuple(attempt.events), attempt.answer)
        done = self.layer.unwrap(task, whole)
        grade = grade_inner(replace(attempt, events=done.events, answer=done.answer))
        if self.judge is None:
            return grade
        parts = self.judge.judge(task, whole)
        if self.judge.is_settled(task):
            return settle_grade(grade, attempt, parts)
        return add_parts(grade, parts)


Cases: TypeAlias = PlainCases | LayeredCases
"""Both sides of all tasks: those of a domain, or with layers around it."""
