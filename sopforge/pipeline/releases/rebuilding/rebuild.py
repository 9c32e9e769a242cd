"""Rebuilding: a package is what its brief makes of it, tasks drawn and proofs found anew."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from sopforge.artifacts.packaging.release import TWIN
from sopforge.authors.writers.replay import ReplayAuthor
from sopforge.checks.package.package_provenance import EXPERIMENT
from sopforge.findings import Finding
from sopforge.language.domain.reading import Brief
from sopforge.pipeline.releases.evidence import STAGE_RECORDS, read_records
from sopforge.pipeline.releases.rebuilding.comparison import (
    PROVENANCE,
    Files,
    compare,
    rebuild_package,
    refuse_unsound,
    require_level,
)
from sopforge.pipeline.releases.rebuilding.release_inputs import (
    ReleaseInputs,
    read_package_evidence,
    read_release_inputs,
)
from sopforge.pipeline.stages.complexity import collect_variants
from sopforge.pipeline.stages.pipeline import STAGES
from sopforge.progress.tracking import enter_step
from sopforge.store.backends.atomic_files import read_text
from sopforge.store.digests import digest_files, digest_value
from sopforge.workspace import Workspace


def check_rebuilding(folder: Path) -> list[Finding]:
    """Return the files of a package that its brief does not make of itself.

    The tasks of a twin are those of the package that it was made of, whatever its brief would draw;
    that all else follows from them is what deriving it shows.
    """
    return (
        [] if _is_twin(folder) else compare(folder, _rebuild_files, "file-not-rebuilt", "the brief")
    )


def _is_twin(folder: Path) -> bool:
    said = json.loads(read_text(folder / PROVENANCE))
    return TWIN in (said.get(EXPERIMENT) or {}) if isinstance(said, dict) else False


def _rebuild_files(folder: Path, provenance: Mapping[str, Any]) -> Files:
    given = read_release_inputs(folder)
    workspace = build_workspace(given)
    refuse_unsound(given.material, workspace)
    variant = collect_variants(workspace)[require_level(provenance, workspace.brief)]
    stages = _digest_stages(workspace)
    if _is_of_another_layout(folder, given.brief, stages):
        # No package has the file; what it says is in each level's model, which is made again.
        stages["schema"] = provenance["stages"]["schema"]
    if EXPERIMENT in provenance:
        # It was made from a package, which lacks what a malformed input meant: its rows differ in
        # that, and so does this digest. What is in the package is compared file by file.
        stages["complexity"] = provenance["stages"]["complexity"]
    return rebuild_package(folder, variant, {**provenance, "stages": stages})


def _is_of_another_layout(folder: Path, brief: Brief, made: Mapping[str, str]) -> bool:
    """Return whether the schema was made from a brief that says the same in another layout.

    A brief that says the same to a stage leads to the version that there is: its file has layout,
    comments and order of the brief that led to it first.
    """
    evidence = read_package_evidence(folder).get(STAGE_RECORDS)
    if evidence is None:
        return False
    record = read_records(evidence)["schema"]
    is_same_brief = record.inputs.get("brief") == digest_value(STAGES[0].select_brief_part(brief))
    is_whole = digest_value(dict(record.inputs)) == record.key
    return is_same_brief and is_whole and record.content != made["schema"]


@lru_cache(maxsize=2)
def build_workspace(given: ReleaseInputs) -> Workspace:
    """Return what all stages make of a brief, with what was written or edited for it."""
    author = ReplayAuthor(given.rows, given.material)
    workspace = Workspace(given.brief, {})
    for stage in STAGES:
        with enter_step(stage.name):
            made = given.apply_edits(stage.name, dict(stage.build(workspace, author)))
        workspace = workspace.with_stage(stage.name, made)
    return workspace


def _digest_stages(workspace: Workspace) -> dict[str, str]:
    """Return the digest of each stage's files, as its version is known by."""
    return {stage.name: digest_files(workspace.select_stage_files(stage.name)) for stage in STAGES}
