"""Edits at a gate: a person changes a file, and later versions keep the change.

An edit is merged three-way onto whatever the author writes afterwards. Where both changed the same
lines the author's stand, and a finding shows the person's.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence

from sopforge.domain.documents import read_document
from sopforge.domain.reading import read_domain
from sopforge.errors import Fault, MaterialError
from sopforge.findings import Finding, error
from sopforge.rendering.sop_document import read_sop
from sopforge.rendering.sop_edits import with_text
from sopforge.stages.merging import Conflict, merge
from sopforge.stages.sop import sop_files
from sopforge.store.edits import Edit

EDITABLE: Mapping[str, str] = {
    "schema": "domain.yaml",
    "sop": "sop.txt",
    "api": "openapi.yaml",
    "toolspec": "toolspecs.json",
    "tools": "tools.py",
}
"""The file of each stage that a person may edit; what else a stage has follows from it."""


def edit_of(stage: str, files: Mapping[str, str], after: str) -> Edit:
    """Return the edit that gives a stage's file another text.

    Raises:
        MaterialError: the stage cannot be edited, nothing was changed, or nobody can read it.
    """
    name = editable_file(stage)
    if after == files[name]:
        message = f"{name} is as it was"
        raise MaterialError(
            Fault("edit-empty", message, stage, "change it, or approve it as it is")
        )
    _read(name, after)
    return Edit(stage, name, files[name], after)


def _read(name: str, text: str) -> None:
    """Raise ``MaterialError`` for a text that is not of its file's form."""
    try:
        match name:
            case "domain.yaml":
                read_domain(text, name)
            case "openapi.yaml":
                read_document(text, name)
            case "toolspecs.json":
                json.loads(text)
            case "tools.py":
                ast.parse(text)
            case _:
                _ = text.encode()
    except (SyntaxError, ValueError) as cause:
        message, hint = f"it cannot be read: {cause}", "mend it, then hand it in again"
        raise MaterialError(Fault("edit-unreadable", message, name, hint)) from cause


def editable_file(stage: str) -> str:
    """Return the file of a stage that can be edited; raises ``MaterialError`` if none can."""
    if stage not in EDITABLE:
        hint = f"edit one of {', '.join(EDITABLE)}: the {stage} follows from these and the brief"
        raise MaterialError(Fault("not-editable", f"the {stage} cannot be edited", stage, hint))
    return EDITABLE[stage]


def with_edits(
    stage: str, files: Mapping[str, str], edits: Sequence[tuple[str, Edit]]
) -> tuple[dict[str, str], list[Finding]]:
    """Return a stage's files with the edits merged in, and what could not be merged."""
    edited, found = dict(files), list[Finding]()
    for by, edit in edits:
        merged = merge(edit.before, edited[edit.file], edit.after)
        edited |= _with_file(stage, edited, edit.file, merged.text)
        found += [_conflict(stage, edit, by, item) for item in merged.conflicts]
    return edited, found


def _with_file(stage: str, files: Mapping[str, str], name: str, text: str) -> dict[str, str]:
    """Return the files that change with one file's text."""
    if stage != "sop":
        return {name: text}
    return sop_files(with_text(read_sop(files["sop.txt"], files["trace.json"]), text))


def _conflict(stage: str, edit: Edit, by: str, conflict: Conflict) -> Finding:
    before, later, edited = conflict.before, conflict.later, conflict.edited
    return error(
        "edit-conflict",
        f"{by} edited lines that were written anew since",
        where=f"{stage}/{edit.file}",
        evidence=f"it was:\n{before}{by} wrote:\n{edited}now it says:\n{later}".rstrip("\n"),
        hint="edit the file again, as it is to be now",
    )
