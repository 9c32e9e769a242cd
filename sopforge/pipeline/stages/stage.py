"""The protocol of stages: what a stage is made from and what it makes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypeGuard, runtime_checkable

from sopforge.authors.writers.author import Author
from sopforge.language.domain.reading import Brief
from sopforge.workspace import Workspace


@runtime_checkable
class Stage(Protocol):
    """Makes one artifact; it reads the files of its needs and its part of the brief, no more."""

    @property
    def name(self) -> str:
        """The stage's name, under which its files are stored."""

    @property
    def revision(self) -> int:
        """A number that is raised when the stage would make other bytes from the same inputs."""

    @property
    def needs(self) -> tuple[str, ...]:
        """The earlier stages whose files this stage and its checks read."""

    def select_brief_part(self, brief: Brief) -> object:
        """Return what of the brief decides the artifact, as a JSON-like value."""

    def build(self, workspace: Workspace, author: Author) -> Mapping[str, str]:
        """Return the artifact's files by name."""


def is_stage(offered: object) -> TypeGuard[Stage]:
    """Return whether what is offered as a stage has all that one has."""
    return isinstance(offered, Stage)
