"""A package with a user around it: agents are shown what he says, and graded as without him."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sopforge.evaluation.packages.package import EvaluatedPackage, GoldTask
from sopforge.evaluation.packages.proved import ProvedPackage
from sopforge.harness.environment.machine import Environment
from sopforge.harness.environment.shown import Shown
from sopforge.harness.grading.grades import Attempt, Grade
from sopforge.harness.users.listening import Listener
from sopforge.harness.users.simulated import SimulatedUser
from sopforge.sandbox.answers import JSON


@dataclass(frozen=True)
class PackageWithUser:
    """A package of ours whose tasks a user states; what is right stays the case's."""

    package: ProvedPackage
    user: SimulatedUser

    @cached_property
    def shown(self) -> Shown:
        """What agents may see: of each task what the user says first."""
        return self.user.show(self.package.shown)

    @property
    def digest(self) -> str:
        """The digest of the package: the user stands in the settings of rows."""
        return self.package.digest

    @contextmanager
    def open_environment(self) -> Iterator[Environment[Any]]:
        """Open the environment of the package, with the user in its sessions."""
        with self.package.open_environment() as environment:
            yield self.user.join(environment)

    def describe_gold(self, task: str) -> GoldTask:
        """Return what is right at a task."""
        return self.package.describe_gold(task)

    def grade(self, task: str, attempt: Attempt) -> Grade:
        """Return the grade of an attempt at a task."""
        return self.package.grade(task, attempt)

    def describe_layers(self, task: str) -> Mapping[str, JSON]:
        """Return what makes an attempt another one than at the plain task."""
        return {**self.package.describe_layers(task), "user": self.user.describe(task)}


def find_listener(package: EvaluatedPackage) -> Listener | None:
    """Return what speaks with the user of a package, None where there is none."""
    return Listener(package.user.speech) if isinstance(package, PackageWithUser) else None


def find_own(package: EvaluatedPackage) -> EvaluatedPackage:
    """Return a package as it is without a user."""
    return package.package if isinstance(package, PackageWithUser) else package
