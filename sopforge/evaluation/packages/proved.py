"""A package of our own: what is right comes from the model, and lies apart from what agents see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from sopforge.artifacts.packaging.sop_bench import GRADER_MODEL, JUDGES, LAYERS
from sopforge.checks.package.package_solved import GradedPackage, read_graded_folder
from sopforge.errors import Fault, PackageUnreadableError
from sopforge.evaluation.packages.package import GoldTask
from sopforge.harness.environment.machine import Environment
from sopforge.harness.environment.shown import Shown, read_shown
from sopforge.harness.environment.tools_service import ToolsService
from sopforge.harness.grading.grades import Attempt, Grade
from sopforge.harness.grading.tables import SessionJudge
from sopforge.harness.layers.files import read_layers
from sopforge.harness.layers.layered import Cases
from sopforge.harness.layers.layering import put_layers
from sopforge.harness.layers.plain import PlainCases
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tasks import Task, write_tasks, write_trajectories
from sopforge.sandbox.answers import JSON
from sopforge.sandbox.untrusted_files import MOST_BYTES
from sopforge.store.digests import digest_files
from sopforge.untrusted.content import refuse_unreadable
from sopforge.untrusted.plain_files import RefusedFileError, read_below


@dataclass(frozen=True)
class ProvedPackage:
    """Both sides of a package of our own; ``cases`` are its ``plain`` ones, or with layers."""

    plain: PlainCases
    graded: GradedPackage
    digest: str
    cases: Cases

    @property
    def model(self) -> DomainModel:
        """The model that says what is right."""
        return self.plain.model

    @property
    def gold(self) -> Mapping[str, Task]:
        """What is right at each plain task."""
        return self.plain.gold

    @property
    def judge(self) -> SessionJudge | None:
        """What judges sessions, where the domain has tables."""
        return self.plain.judge

    @property
    def shown(self) -> Shown:
        """What agents may see."""
        return self.cases.shown

    @property
    def keeps_state(self) -> bool:
        """Whether a call of a tool may change what later ones are answered."""
        return any(tool.effects for tool in self.model.tools.values())

    def is_other_draw_of(self, other: ProvedPackage) -> bool:
        """Return whether two packages have all in common but their tasks."""
        own, others = ((item.model, item.shown.sop, item.shown.tools) for item in (self, other))
        return self.digest != other.digest and own == others

    def with_dials(self, doses: Mapping[str, int], seed: int) -> Self:
        """Return the package with the layers of some doses around it."""
        return replace(self, cases=put_layers(self.plain, doses, seed))

    def grade(self, task: str, attempt: Attempt) -> Grade:
        """Return the grade of an attempt at a task."""
        return self.cases.grade(task, attempt)

    def describe_layers(self, task: str) -> Mapping[str, JSON]:
        """Return what layers do at a task, as JSON by their names."""
        return self.cases.describe(task)

    def describe_gold(self, task: str) -> GoldTask:
        """Return what is right at a task."""
        tools = self.model.offered.tools.values()
        names = {tool.name: tool.same_as for tool in tools if tool.same_as}
        calls = self.cases.get_gold(task).calls
        return GoldTask(self.shown.tasks[task].text, calls, self.cases.list_outcomes(task), names)

    @contextmanager
    def open_environment(self) -> Iterator[Environment[Any]]:
        """Open the environment in which the published tools answer."""
        with ToolsService(self.plain.shown.files, self.keeps_state) as service:
            yield self.cases.join(Environment(self.plain.shown, service))


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
    gold = {task.id: task for task in graded.tasks}
    plain = PlainCases(shown, graded.model, gold, graded.records)
    if shown.tasks.keys() != gold.keys():
        message = "agents see other tasks than the ones that the grader has answers to"
        fault = Fault("package-malformed", message, "tasks.jsonl", "publish the package again")
        raise PackageUnreadableError(fault)
    if not (folder / LAYERS).is_file():
        return ProvedPackage(plain, graded, digest_files(decisive), plain)
    layers, judges = read_layer_files(folder)
    cases = read_layers(plain, layers, judges, LAYERS)
    digest = digest_files({**decisive, LAYERS: layers, JUDGES: judges})
    return ProvedPackage(plain, graded, digest, cases)


def read_layer_files(folder: Path) -> tuple[str, str]:
    """Return the layers of a package and what judges them, as texts.

    Raises:
        PackageUnreadableError: a file is missing, no plain file, too large, or no text.
    """
    found = []
    for name in (LAYERS, JUDGES):
        try:
            with refuse_unreadable(name, name):
                found.append(read_below(folder, name, MOST_BYTES).decode())
        except RefusedFileError as refused:
            raise PackageUnreadableError(refused.make_fault_at("it", name)) from refused
    return found[0], found[1]
