"""Rebuilding: a package is what its brief makes of it, tasks drawn and proofs found anew."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from sopforge.authors.given import GivenAuthor
from sopforge.domain.reading import read_brief
from sopforge.findings import Finding
from sopforge.material.material import Material
from sopforge.stages.comparing import (
    Files,
    compare,
    level_of,
    made_again,
    package_brief,
    package_material,
    package_rows,
    refuse_unsound,
)
from sopforge.stages.complexity import variants
from sopforge.stages.pipeline import STAGES
from sopforge.store.digests import digest_files
from sopforge.workspace import Workspace


def rebuild_findings(folder: Path) -> list[Finding]:
    """Return the files of a package that its brief does not make of itself."""
    return compare(folder, _rebuilt, "file-not-rebuilt", "the brief")


def _rebuilt(folder: Path, provenance: Mapping[str, Any]) -> Files:
    brief = package_brief(folder)
    material = package_material(folder)
    workspace = _built(brief.text, brief.draft, material, package_rows(folder))
    refuse_unsound(material, workspace)
    variant = variants(workspace)[level_of(provenance, brief)]
    return made_again(variant, {**provenance, "stages": _contents(workspace)})


@lru_cache(maxsize=2)
def _built(text: str, draft: str, material: Material, rows: str) -> Workspace:
    """Return what all stages make of a brief, with the material and rows written for it."""
    author = GivenAuthor(rows, material)
    workspace = Workspace(read_brief(text, "brief.yaml", draft), {})
    for stage in STAGES:
        made = stage.build(workspace, author)
        workspace = workspace.with_files({f"{stage.name}/{name}": made[name] for name in made})
    return workspace


def _contents(workspace: Workspace) -> dict[str, str]:
    """Return the digest of each stage's files, as its version is known by."""
    return {stage.name: digest_files(_files_of(stage.name, workspace)) for stage in STAGES}


def _files_of(stage: str, workspace: Workspace) -> dict[str, str]:
    pairs = ((*name.partition("/"), text) for name, text in workspace.files.items())
    return {rest: text for name, _, rest, text in pairs if name == stage}
