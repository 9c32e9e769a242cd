"""The folders of a release and of its packages, read once and as whatever they are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from sopforge.artifacts.packaging.checksums import compute_file_digest, read_folder_files
from sopforge.artifacts.packaging.release import AUDIT_LOG, list_packages
from sopforge.artifacts.packaging.sop_bench import GRADER
from sopforge.checks.auditing.own import BRIEF, DRAFT
from sopforge.errors import Fault, PackageUnreadableError
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.releases.evidence import (
    DRAW,
    EDITS,
    STAGE_RECORDS,
    Draw,
    KeptEdit,
    StageRecord,
    read_draw,
    read_edits,
    read_records,
)
from sopforge.pipeline.releases.package_files import format_program_version
from sopforge.store.signatures.signatures import name_signature_file, select_signatures
from sopforge.store.versions import RELEASE, RELEASE_SIGNATURE


@dataclass(frozen=True)
class PackageFolder:
    """A package: what its files say, each read when it is asked for."""

    folder: Path

    @property
    def name(self) -> str:
        """The name of the folder."""
        return self.folder.name

    @cached_property
    def files(self) -> dict[str, bytes]:
        """All files by their names."""
        return read_folder_files(self.folder)

    def read_text(self, name: str) -> str:
        """Return the text of a file; raises ``PackageUnreadableError`` where there is none."""
        if name not in self.files:
            message = f"the package has no {name}"
            raise PackageUnreadableError(Fault("package-file-missing", message, self.name))
        return self.files[name].decode()

    @cached_property
    def provenance(self) -> dict[str, Any]:
        """What the package says of its origin."""
        return dict(json.loads(self.read_text("provenance.json")))

    @cached_property
    def brief(self) -> Brief:
        """The brief, with the seed of the draw where it is a private test set."""
        draft = self.read_text(DRAFT) if DRAFT in self.files else ""
        brief = read_brief(self.read_text(BRIEF), BRIEF, draft)
        return replace(brief, draw_seed=self.draw.seed) if self.draw else brief

    @cached_property
    def records(self) -> dict[str, StageRecord]:
        """What each stage's version was made from."""
        return read_records(self.read_text(f"{GRADER}{STAGE_RECORDS}"))

    @cached_property
    def draw(self) -> Draw | None:
        """What a private test set was drawn from."""
        name = f"{GRADER}{DRAW}"
        return read_draw(self.read_text(name)) if name in self.files else None

    @cached_property
    def edits(self) -> tuple[KeptEdit, ...]:
        """What people edited."""
        name = f"{GRADER}{EDITS}"
        return read_edits(self.read_text(name)) if name in self.files else ()

    @property
    def is_of_this_version(self) -> bool:
        """Whether this version of SOPForge wrote it, and can say what it would write."""
        return bool(self.provenance.get("made_with") == format_program_version())


@dataclass(frozen=True)
class ReleaseFolder:
    """A release: its packages, and what stands beside them."""

    folder: Path

    @cached_property
    def packages(self) -> tuple[PackageFolder, ...]:
        """Its packages by their names."""
        return tuple(PackageFolder(path) for path in list_packages(self.folder))

    @cached_property
    def beside(self) -> dict[str, bytes]:
        """The files beside the packages."""
        home = self.folder
        own = {path.name: path.read_bytes() for path in home.iterdir() if path.is_file()}
        log = read_folder_files(home / AUDIT_LOG)
        return {**own, **{f"{AUDIT_LOG}{name}": content for name, content in log.items()}}

    @property
    def files(self) -> Mapping[str, bytes]:
        """All files of the release but ``release.json`` and its signature."""
        own = (RELEASE, RELEASE_SIGNATURE)
        inside = {
            f"{package.name}/{name}": content
            for package in self.packages
            for name, content in package.files.items()
        }
        return {**inside, **{n: self.beside[n] for n in self.beside if n not in own}}

    @cached_property
    def record(self) -> dict[str, Any]:
        """What the release says of itself."""
        return dict(json.loads(self.beside[RELEASE]))

    @property
    def digest(self) -> str:
        """The digest by which it is announced."""
        return compute_file_digest(self.beside[RELEASE])

    @property
    def log(self) -> dict[str, str]:
        """The entries of its audit log by their names."""
        start = len(AUDIT_LOG)
        names = sorted(name for name in self.beside if name.startswith(AUDIT_LOG))
        found = {name[start:]: self.beside[name] for name in names}
        signed = {name_signature_file(number) for number in self.signatures}
        return {name: found[name].decode() for name in found if name not in signed}

    @property
    def signatures(self) -> dict[int, bytes]:
        """The signatures of entries of its audit log, by their numbers."""
        start = len(AUDIT_LOG)
        inside = {n[start:]: self.beside[n] for n in self.beside if n.startswith(AUDIT_LOG)}
        return select_signatures(inside)
