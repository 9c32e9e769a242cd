"""Sources: what a published plain package carries, as the stages wrote it.

Nothing is proved or written anew but the rows, which follow from the tasks and the records; fields
that nothing reads and no record holds are drawn again. Texts that a language model or a person
wrote are those of the package.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from sopforge.artifacts.packaging.checksums import read_folder_files
from sopforge.artifacts.packaging.sop_bench import (
    GRADER,
    find_tool_tests,
    remove_canary,
)
from sopforge.checks.auditing.own import BRIEF, PLACES
from sopforge.errors import Fault, PackageUnreadableError
from sopforge.language.domain.reading import read_domain
from sopforge.pipeline.releases.rebuilding.release_inputs import (
    ReleaseInputs,
    read_package_evidence,
    read_release_inputs,
)
from sopforge.proof.dataset.coverage.drawing import redraw
from sopforge.proof.dataset.sampling.rows import write_rows
from sopforge.proof.dataset.tasks.recounting import rebuild_rows
from sopforge.store.digests import digest_files
from sopforge.untrusted.content import refuse_unreadable
from sopforge.workspace import COVERAGE_TEXT, DOMAIN, ROWS, ROWS_ASKED, TASKS, TOOL_TESTS, Workspace

PROVENANCE = "provenance.json"
FILES: Mapping[str, str] = {
    **PLACES,
    COVERAGE_TEXT: f"{GRADER}coverage.md",
}
"""The files of the stages by their names in a package; those of ``TOOL_TESTS`` are found."""
KEPT = ("edits.json", "draw.json")
"""What conditions carry on, for they are made from it as well."""


@dataclass(frozen=True)
class Source:
    """A plain package: its bytes, and what it was made from."""

    files: Mapping[str, bytes]
    provenance: Mapping[str, Any]
    given: ReleaseInputs
    carried: Mapping[str, str]

    @cached_property
    def digest(self) -> str:
        """The digest of all its files."""
        return digest_files(self.files)

    @cached_property
    def plain(self) -> Workspace:
        """The files of all stages but the levels.

        Raises:
            MaterialError: tasks and records do not fit the model or each other.
        """
        names = {**FILES, TOOL_TESTS: find_tool_tests(self.files)}
        texts = {place: self._decode(name) for place, name in names.items()}
        texts[TASKS] = remove_canary(texts[TASKS], self.provenance["canary"])
        model = read_domain(texts[DOMAIN], FILES[DOMAIN])
        records = [model.name_records_file(entity) for entity in model.entities.values()]
        _refuse_lacking([name for name in records if name not in self.files])
        texts |= {f"dataset/{name}": self._decode(name) for name in records}
        if self.given.rows:
            texts[ROWS_ASKED] = self.given.rows
        whole = Workspace(self.given.brief, texts)
        with refuse_unreadable("the tasks with their records"):
            rows = rebuild_rows(model, whole.brief.drawing.seed, whole.records, whole.tasks)
            drawn = redraw(model, whole.brief.drawing.seed, rows)
        return whole.with_files({ROWS: write_rows(model, drawn)})

    def _decode(self, name: str) -> str:
        with refuse_unreadable(name, name):
            return self.files[name].decode()


def read_source(folder: Path) -> Source:
    """Return the plain package in a folder.

    Raises:
        MaterialError: its brief or its material has faults.
        PackageUnreadableError: it lacks files of its grader's side, is of another level than L0, or
            what else it says of itself has faults.
    """
    files = read_folder_files(folder)
    needed = (*FILES.values(), find_tool_tests(files), BRIEF, PROVENANCE)
    _refuse_lacking([name for name in needed if name not in files])
    provenance = _read_provenance(files[PROVENANCE])
    level = provenance["level"]
    if level != "L0":
        message = f"the package has the level {level}, but conditions are made from the plain level"
        hint = "use the package of level L0"
        raise PackageUnreadableError(Fault("source-not-plain", message, PROVENANCE, hint))
    evidence = read_package_evidence(folder)
    carried = {name: evidence[name] for name in KEPT if name in evidence}
    return Source(files, provenance, read_release_inputs(folder), carried)


def _read_provenance(content: bytes) -> dict[str, Any]:
    with refuse_unreadable(PROVENANCE, PROVENANCE):
        found = json.loads(content)
        # What conditions repeat of it.
        parts = {name: dict(found[name]) for name in ("stages", "approvals")}
        texts = {name: str(found[name]) for name in ("release", "level", "canary")}
        return {**found, **parts, **texts}


def _refuse_lacking(names: list[str]) -> None:
    if names:
        message = f"the package has no {', '.join(names)}, from which conditions are made"
        hint = "use a complete package of SOPForge, including its folder grader/"
        raise PackageUnreadableError(Fault("source-incomplete", message, "", hint))
