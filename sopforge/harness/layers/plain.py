"""The tasks of a domain without layers, and what is right at each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sopforge.harness.environment.events import Called
from sopforge.harness.environment.machine import Environment
from sopforge.harness.environment.model_service import make_model_environment
from sopforge.harness.environment.shown import Shown
from sopforge.harness.grading.grades import Attempt, Grade
from sopforge.harness.grading.proved import grade_attempt
from sopforge.harness.grading.tables import SessionJudge
from sopforge.harness.layers.layer import Done
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tasks import Changes, Task
from sopforge.proof.dataset.records import Row, build_case_rows
from sopforge.proof.dataset.trials.table_answers import TableAnswers
from sopforge.proof.dataset.trials.tool_trials import parse_case_inputs
from sopforge.sandbox.answers import JSON


@dataclass(frozen=True, slots=True)
class Case:
    """What is right at a case that comes up after others: its limits by then, and its gold."""

    model: DomainModel
    task: Task


@dataclass(frozen=True)
class PlainCases:
    """The tasks of a domain: its model, the gold of each, and the files of the records.

    Grades of cases that are ``is_brief`` say what is right, and no more: they are many times as
    quick.
    """

    shown: Shown
    model: DomainModel
    gold: Mapping[str, Task]
    records: Mapping[str, str]
    is_brief: bool = False

    @cached_property
    def environment(self) -> Environment[Any]:
        """The environment in which the model answers."""
        return make_model_environment(self.model, self.shown, self.records)

    @cached_property
    def judge(self) -> SessionJudge | None:
        """What judges sessions, where the domain has tables."""
        if self.model.operations is None:
            return None
        return SessionJudge(self.model.offered, TableAnswers(self.model, self.records))

    @cached_property
    def rows(self) -> Mapping[str, Row]:
        """The case of each task, with its records."""
        tasks = self.gold.values()
        inputs = parse_case_inputs(self.model, [task.inputs for task in tasks])
        found = build_case_rows(self.model, self.records, inputs)
        pairs = zip(tasks, found, strict=True)
        return {task.id: row for task, row in pairs if row is not None}

    @property
    def paths(self) -> Mapping[str, Sequence[str]]:
        """The path of each task."""
        return {name: (" > ".join(self.gold[name].path),) for name in self.shown.tasks}

    def join(self, environment: Environment[Any]) -> Environment[Any]:
        """Return the environment: there are no layers."""
        return environment

    def find_plain(self, task: str) -> str:
        """Return the task: there are no layers."""
        return task

    def find_kind(self, task: str) -> str:  # noqa: ARG002 - protocol
        """Return nothing: there are no layers."""
        return ""

    def get_gold(self, task: str) -> Task:
        """Return what is right at a task."""
        return self.gold[task]

    def list_outcomes(self, task: str) -> Mapping[str, str]:
        """Return the right outcomes of a task."""
        return self.gold[task].outcomes

    def split(self, task: str, done: Done) -> Sequence[Done]:  # noqa: ARG002 - protocol
        """Return what was done at the one case of a task."""
        return (done,)

    def grade(self, task: str, attempt: Attempt) -> Grade:
        """Return the grade of an attempt at a task."""
        return grade_attempt(
            self.model.offered, self.gold[task], attempt, self.judge, is_brief=self.is_brief
        )

    def grade_case(self, case: Case, attempt: Attempt) -> Grade:
        """Return the grade of what was done at a case that came up after others."""
        return grade_attempt(
            case.model.offered, case.task, attempt, self.judge, is_brief=self.is_brief
        )

    def compute_end_state(self, task: str, done: Done) -> Changes | None:  # noqa: ARG002 - protocol
        """Return what the tables hold after a session, None where there are none."""
        if self.judge is None:
            return None
        called = [event for event in done.events if isinstance(event, Called)]
        return self.judge.compute_end_state(called)

    def describe(self, task: str) -> Mapping[str, JSON]:  # noqa: ARG002 - protocol
        """Return nothing: there are no layers."""
        return {}
