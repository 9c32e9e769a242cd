"""The protocol of checks."""

from __future__ import annotations

from typing import Protocol

from sopforge.findings import Finding
from sopforge.workspace import Workspace


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
        """Return a sound workspace with one damage that ``examine`` must report as an error."""
