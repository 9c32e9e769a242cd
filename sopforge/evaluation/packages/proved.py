"""A package of our own: what is right comes from the model, and lies apart from what agents see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from sopforge.checks.package.package_solved import GradedPackage, read_graded_folder
from sopforge.dataset.records import Row, build_case_rows
from sopforge.dataset.trials.table_answers import TableAnswers
from sopforge.dataset.trials.tool_trials import parse_case_inputs
from sopforge.domain.tasks import Changes, Task, write_tasks, write_trajectories
from sopforge.environment.events import Called
from sopforge.environment.machine import Environment
from sopforge.environment.model_service import make_model_service, make_table_service
from sopforge.environment.shown import Shown, read_shown
from sopforge.environment.tools_service import History, ToolsService
from sopforge.errors import Fault, PackageUnreadableError
from sopforge.evaluation.grading.grades import Attempt, Grade
from sopforge.evaluation.grading.proved import grade_attempt
from sopforge.evaluation.grading.sessions import SessionJudge
from sopforge.evaluation.packages.package import Case, GoldTask
from sopforge.layers.layer import Done
from sopforge.packaging.sop_bench import GRADER_MODEL
from sopforge.sandbox.answers import JSON
from sopforge.store.digests import digest_files


@dataclass(frozen=True)
class ProvedPackage:
    """Both sides of a package of our own."""

    shown: Shown
    graded: GradedPackage
    digest: str

    @cached_property
    def gold(self) -> Mapping[str, Task]:
        """The tasks with their answers and gold calls, by id."""
        return {task.id: task for task in self.graded.tasks}

    @cached_property
    def rows(self) -> Mapping[str, Row]:
        """The case of each task, with its records."""
        model = self.graded.model
        inputs = parse_case_inputs(model, [task.inputs for task in self.graded.tasks])
        found = build_case_rows(model, self.graded.records, inputs)
        pairs = zip(self.graded.tasks, found, strict=True)
        return {task.id: row for task, row in pairs if row is not None}

    @property
    def keeps_state(self) -> bool:
        """Whether a call of a tool may change what later ones are answered."""
        return any(tool.effects for tool in self.graded.model.tools.values())

    def grade(self, task: str, attempt: Attempt) -> Grade:
        """Return the grade of an attempt at a task."""
        return grade_attempt(self.graded.model.offered, self.gold[task], attempt, self.judge)

    @cached_property
    def judge(self) -> SessionJudge | None:
        """What judges sessions, where the domain has tables."""
        model = self.graded.model
        if model.operations is None:
            return None
        return SessionJudge(model.offered, TableAnswers(model, self.graded.records))

    @cached_property
    def model_environment(self) -> Environment[Any]:
        """The environment in which the model answers."""
        model, records = self.graded.model, self.graded.records
        if model.operations is not None:
            return Environment(self.shown, make_table_service(model, records))
        tasks = self.shown.tasks.values()
        return Environment(self.shown, make_model_service(model, records, tasks))

    @property
    def paths(self) -> Mapping[str, Sequence[str]]:
        """The path of each task."""
        return {name: (" > ".join(task.path),) for name, task in self.gold.items()}

    def find_plain(self, task: str) -> str:
        """Return the task: there are no layers."""
        return task

    def find_kind(self, task: str) -> str:  # noqa: ARG002 - protocol
        """Return nothing: there are no layers."""
        return ""

    def get_gold(self, task: str) -> Task:
        """Return what is right at a task."""
        return self.gold[task]

    def grade_case(self, case: Case, attempt: Attempt) -> Grade:
        """Return the grade of what was done at a case that came up after others."""
        return grade_attempt(case.model.offered, case.task, attempt, self.judge)

    def compute_end_state(self, task: str, done: Done) -> Changes | None:  # noqa: ARG002 - protocol
        """Return what the tables hold after a session, None where there are none."""
        if self.judge is None:
            return None
        called = [event for event in done.events if isinstance(event, Called)]
        return self.judge.compute_end_state(called)

    def split(self, task: str, done: Done) -> Sequence[Done]:  # noqa: ARG002 - protocol
        """Return what was done at the one case of a task."""
        return (done,)

    def describe_layers(self, task: str) -> Mapping[str, JSON]:  # noqa: ARG002 - protocol
        """Return nothing: there are no layers."""
        return {}

    def describe_gold(self, task: str) -> GoldTask:
        """Return what is right at a task."""
        tools = self.graded.model.offered.tools.values()
        names = {tool.name: tool.same_as for tool in tools if tool.same_as}
        gold = self.gold[task]
        return GoldTask(self.shown.tasks[task].text, gold.calls, gold.outcomes, names)

    @contextmanager
    def open_environment(self) -> Iterator[Environment[History]]:
        """Open the environment in which the published tools answer."""
        with ToolsService(self.shown.files, self.keeps_state) as service:
            yield Environment(self.shown, service)


def read_proved(folder: Path) -> ProvedPackage:
    """Return the package in a folder.

    Raises:
        PackageUnreadableError: a file is missing or malformed, or agents are shown other tasks than
            the grader has.
    """
    shown, graded = read_shown(folder), read_graded_folder(folder)
    # Written anew, they are without the canary: the same content in two releases is one package.
    decisive: dict[str, str | bytes] = {
        "shown": shown.digest,
        "model": (folder / GRADER_MODEL).read_bytes(),
        "tasks": write_tasks(graded.tasks),
        "calls": write_trajectories(graded.tasks),
    }
    found = ProvedPackage(shown, graded, digest_files(decisive))
    if found.shown.tasks.keys() != found.gold.keys():
        message = "agents are shown other tasks than the grader has answers to"
        fault = Fault("package-malformed", message, "tasks.jsonl", "publish the package again")
        raise PackageUnreadableError(fault)
    return found
