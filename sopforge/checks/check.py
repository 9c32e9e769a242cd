"""The protocol of checks."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from sopforge.findings import Finding
from sopforge.language.domain.model import DomainModel
from sopforge.workspace import Workspace


@runtime_checkable
class Check(Protocol):
    """Examines a stage's artifact in its workspace; a module offers one as ``CHECK``."""

    @property
    def name(self) -> str:
        """The check's name."""

    @property
    def stage(self) -> str:
        """The stage after which it runs."""

    def examine(self, workspace: Workspace) -> list[Finding]:
        """Return what is wrong, nothing for a sound artifact."""

    def spoil(self, workspace: Workspace) -> Workspace:
        """Return a sound workspace with one damage that ``examine`` must report.

        It is an error, unless the check has nothing but warnings.
        """


@runtime_checkable
class ToolCheck(Protocol):
    """A check that runs tools: at which level is kept beside its findings."""

    @property
    def runs_tools(self) -> bool:
        """Whether it does; a check that does not say so does not."""


@runtime_checkable
class BriefCheck(Protocol):
    """A check that compares a model with its brief: a level's model comes from the plain one's."""

    @property
    def compares_brief(self) -> bool:
        """Whether it does; a check that does not say so does not."""


@runtime_checkable
class ComparingCheck(Protocol):
    """A check that decides thousands of cases by two readings."""

    @property
    def compares_readings(self) -> bool:
        """Whether it does; a check that does not say so does not."""


@runtime_checkable
class LogicCheck(Protocol):
    """A check of a model's logic alone: of models of equal logic it finds the same."""

    def examine_logic(self, model: DomainModel) -> list[Finding]:
        """Return what is wrong with the logic of a model."""
