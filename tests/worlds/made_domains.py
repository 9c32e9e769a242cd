"""Domains of tests as the pipeline makes them; each is made once, and nobody changes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.releases.publishing import publish
from sopforge.pipeline.stages.pipeline import (
    Ending,
    advance,
    build_workspace,
    list_approved_versions,
)
from sopforge.store.opening import open_store
from sopforge.store.versions import Store
from sopforge.workspace import Workspace
from tests.worlds.packages import package_texts
from tests.worlds.shared_builds import Shared
from tests.worlds.small_models import DOMAINS


@dataclass(frozen=True)
class MadeDomain:
    """A store with a release, the files of its stages, and the folders of its packages."""

    store: Store
    workspace: Workspace
    packages: Mapping[str, str]

    def folder(self, level: str = "L0") -> Path:
        """Return the folder of a level's package."""
        return Path(self.packages[level])

    def package(self, level: str = "L0") -> dict[str, str]:
        """Return the texts of a level's package."""
        return package_texts(self.folder(level))


def make_domain(shared: Shared, name: str) -> MadeDomain:
    """Return what becomes of a brief in ``tests/domains`` without a person.

    It is published, so that the reference agent alone solves its packages: their checks say so.
    """
    brief = read_brief((DOMAINS / f"{name}.yaml").read_text(encoding="utf-8"), f"{name}.yaml")

    def make(folder: Path) -> Mapping[str, str]:
        store = open_store(folder)
        assert advance(store, brief, approve_clean=True).ending is Ending.APPROVED
        return publish(store, brief).packages

    folder, packages = shared.get_folder(f"{name}-domain", make)
    store = open_store(folder)
    workspace = build_workspace(brief, list_approved_versions(store, brief))
    return MadeDomain(store, workspace, packages)
