"""Rebuilding: a package is what its brief makes of it, byte for byte, by the same version."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from sopforge.authors.offline import OfflineAuthor
from sopforge.checks.auditing.own import BRIEF, DRAFT
from sopforge.domain.reading import read_brief
from sopforge.errors import SopForgeError
from sopforge.findings import Finding, Severity, error
from sopforge.stages.complexity import variants
from sopforge.stages.pipeline import STAGES
from sopforge.stages.publishing import level_files, made_with
from sopforge.store.files import read_text
from sopforge.workspace import Workspace

_LONGEST = 160


def rebuild_findings(folder: Path) -> list[Finding]:
    """Return the files of a package that its brief does not make of itself.

    Only the version that wrote a package can say so; another leaves a note.
    """
    provenance = json.loads(read_text(folder / "provenance.json"))
    if provenance.get("made_with") != made_with():
        message = f"made with {provenance.get('made_with')}; this is {made_with()}"
        hint = "install that version to have the package rebuilt and compared"
        return [Finding("not-rebuilt", Severity.NOTE, message, "provenance.json", hint=hint)]
    try:
        files = _rebuilt(folder, provenance)
    except SopForgeError as refused:
        return [error(item.code, item.message, where=BRIEF) for item in refused.faults]
    return [*_differences(folder, files), *_strangers(folder, files)]


def _rebuilt(folder: Path, provenance: Mapping[str, Any]) -> dict[str, str | bytes]:
    draft = folder / DRAFT
    workspace = _built(read_text(folder / BRIEF), read_text(draft) if draft.is_file() else "")
    levels = variants(workspace)
    level = str(provenance.get("level"))
    if level not in levels:
        return {}
    kept = {name: value for name, value in provenance.items() if name not in _OF_PACKAGE}
    return level_files(workspace.brief, levels[level], level, str(provenance["release"]), kept)


_OF_PACKAGE = ("canary", "level", "made_with")


@lru_cache(maxsize=2)
def _built(text: str, draft: str) -> Workspace:
    """Return what all stages make of a brief."""
    workspace, author = Workspace(read_brief(text, BRIEF, draft), {}), OfflineAuthor()
    for stage in STAGES:
        made = stage.build(workspace, author)
        workspace = workspace.with_files({f"{stage.name}/{name}": made[name] for name in made})
    return workspace


def _differences(folder: Path, files: Mapping[str, str | bytes]) -> list[Finding]:
    found = []
    for name, content in files.items():
        wanted = content.encode() if isinstance(content, str) else content
        path = folder / name
        given = path.read_bytes() if path.is_file() else b""
        if given != wanted:
            message = f"{name} is not what the brief makes of it"
            hint = "restore the file, or change the brief and publish anew"
            evidence = _first_difference(given, wanted)
            found.append(
                error("file-not-rebuilt", message, where=name, evidence=evidence, hint=hint)
            )
    return found


def _strangers(folder: Path, files: Mapping[str, str | bytes]) -> list[Finding]:
    there = sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    )
    return [
        error("file-not-rebuilt", f"{name} is no file of this package", where=name)
        for name in there
        if name not in files and "__pycache__" not in name
    ]


def _first_difference(given: bytes, wanted: bytes) -> str:
    lines = zip(given.splitlines(), wanted.splitlines(), strict=False)
    for number, (one, other) in enumerate(lines, start=1):
        if one != other:
            texts = [text.decode(errors="replace")[:_LONGEST] for text in (one, other)]
            return f"line {number}: {texts[0]!r}, not {texts[1]!r}"
    return f"{len(given)} bytes, not {len(wanted)}"
