"""Packages of SOPForge: the checks of all stages, run again on what is published."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from sopforge.artifacts.packaging.checksums import compute_file_digest, parse_listed_digests
from sopforge.artifacts.packaging.sop_bench import (
    GRADER,
    GRADER_MODEL,
    GRADER_TABLE,
    GRADER_TASKS,
    GRADER_TRAJECTORIES,
)
from sopforge.checks.package.package_solved import PREFIX
from sopforge.checks.registry import examine
from sopforge.errors import SopForgeError
from sopforge.findings import Finding, convert_faults, make_error_finding
from sopforge.language.domain.reading import Brief, read_brief, read_domain
from sopforge.untrusted.content import UNREADABLE, describe
from sopforge.workspace import (
    COMPLETIONS,
    COVERAGE,
    DOMAIN,
    EXPLANATIONS,
    OPENAPI,
    ROWS_ASKED,
    SHORTCUTS,
    SOP_MARKDOWN,
    SOP_TEXT,
    SOP_TRACE,
    TASKS,
    TOOLS,
    TOOLSPECS,
    TRAJECTORIES,
    Workspace,
)

METADATA, PLAIN = "metadata.json", "L0"
BRIEF = f"{GRADER}brief.yaml"
DRAFT = f"{GRADER}draft.md"
ASKED_ROWS = f"{GRADER}rows_asked.json"
SOME = {ROWS_ASKED: ASKED_ROWS, COMPLETIONS: f"{GRADER}completions.json"}
"""What only some domains have."""
STAGES = ("schema", "sop", "dataset", "api", "toolspec", "tools", "package")
"""The stages whose checks need nothing but the package."""
PLACES = {
    DOMAIN: GRADER_MODEL,
    SOP_TEXT: "sop.txt",
    SOP_MARKDOWN: f"{GRADER}sop.md",
    SOP_TRACE: f"{GRADER}trace.json",
    TASKS: GRADER_TASKS,
    TRAJECTORIES: GRADER_TRAJECTORIES,
    EXPLANATIONS: f"{GRADER}explanations.jsonl",
    COVERAGE: f"{GRADER}coverage.json",
    SHORTCUTS: f"{GRADER}shortcuts.json",
    OPENAPI: "openapi.yaml",
    TOOLSPECS: "toolspecs.json",
    TOOLS: "tools.py",
}
"""Files of a level, as the stages name them, by their names in a package."""


def is_own(folder: Path) -> bool:
    """Return whether a package has the model and the brief that it was made from."""
    return (folder / GRADER_MODEL).is_file() and (folder / BRIEF).is_file()


def check_own_package(folder: Path) -> list[Finding]:
    """Return what the checks of all stages find in a package that is complete."""
    files = _read_texts(folder)
    missing = [name for name in PLACES.values() if name not in files]
    if missing:
        return [
            make_error_finding("package-file-missing", f"the package has no {n}", where=n)
            for n in missing
        ]
    try:
        workspace, digests = _build_workspace(files), parse_listed_digests(files)
    except SopForgeError as refused:
        return convert_faults(refused.faults)
    is_of_level = _is_of_level(files)
    found = [
        finding
        for stage in STAGES
        for finding in _examine_stage(stage, workspace, is_of_level=is_of_level)
    ]
    table = _check_table(folder / GRADER_TABLE, digests.get(GRADER_TABLE))
    return [*found, *(finding for finding in table if finding not in found)]


def _check_table(file: Path, digest: str | None) -> list[Finding]:
    """Compare the table with its digest: it is no text, as the files are that checks are given."""
    if file.is_file() and compute_file_digest(file.read_bytes()) == digest:
        return []
    message = f"{GRADER_TABLE} is not the released file"
    return [make_error_finding("checksum", message, where=GRADER_TABLE)]


def _is_of_level(files: Mapping[str, str]) -> bool:
    """Return whether the metadata of a package name another level than the plain one."""
    try:
        return bool(json.loads(files[METADATA])["complexity_level"] != PLAIN)
    except (KeyError, TypeError, ValueError):
        return False  # The checks of the package say what is wrong with it.


def _examine_stage(stage: str, workspace: Workspace, *, is_of_level: bool) -> list[Finding]:
    """Return what the checks of a stage find, or that they cannot read the artifact at all."""
    try:
        return examine(stage, workspace, is_of_level=is_of_level)
    except SopForgeError as refused:
        return convert_faults(refused.faults)
    except UNREADABLE as broken:
        message = f"the checks of {stage} cannot read the artifact: {describe(broken)}"
        return [make_error_finding("package-malformed", message, where=stage)]


def _read_texts(folder: Path) -> dict[str, str]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode(errors="replace")
        for path in paths
        # The table is no text; the check of the checksums makes it anew from the grader's tasks,
        # and what lies here is compared with its digest.
        if path.suffix != ".parquet"
    }


def _build_workspace(files: dict[str, str]) -> Workspace:
    brief: Brief = read_brief(files[BRIEF], BRIEF, files.get(DRAFT, ""))
    model = read_domain(files[GRADER_MODEL], GRADER_MODEL)
    records = [model.name_records_file(entity) for entity in model.entities.values()]
    return Workspace(
        brief,
        {
            **{place: files[name] for place, name in PLACES.items()},
            **{place: files[name] for place, name in SOME.items() if name in files},
            **{f"dataset/{name}": files.get(name, "") for name in records},
            **{f"{PREFIX}{name}": text for name, text in files.items()},
        },
    )
