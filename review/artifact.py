"""What is reviewed: a stage's artifact, with all that it was made from."""

from __future__ import annotations

from dataclasses import dataclass

from sopforge.store.log.audit_log import GateState
from sopforge.store.versions import Version
from sopforge.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Artifact:
    """A version at its gate; ``workspace`` has the files of its stage and of all before it."""

    domain: str
    version: Version
    workspace: Workspace
    state: GateState

    @property
    def stage(self) -> str:
        """The stage that made it."""
        return self.version.manifest.stage

    @property
    def files(self) -> dict[str, str]:
        """The artifact's own files, by their names below its stage."""
        start = f"{self.stage}/"
        found = self.workspace.files.items()
        return {name[len(start) :]: text for name, text in found if name.startswith(start)}
