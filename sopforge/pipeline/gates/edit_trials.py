"""Trying an edit: what the checks say of a file before the edit is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sopforge.checks.registry import examine, examine_quickly
from sopforge.findings import Finding
from sopforge.pipeline.stages.editing.edits import build_edit, with_edits
from sopforge.store.log.kept_edits import Edit, LineReading
from sopforge.workspace import Workspace


@dataclass(frozen=True, slots=True)
class EditTrial:
    """An edit that was not kept, and what the checks of its stage found in it.

    ``workspace`` has the files as they would be.
    """

    edit: Edit
    findings: tuple[Finding, ...]
    workspace: Workspace


def try_edit(
    workspace: Workspace,
    stage: str,
    text: str,
    by: str,
    readings: Sequence[LineReading] = (),
    *,
    is_quick: bool = False,
) -> EditTrial:
    """Return the edit that gives a stage's file another text, and what the checks say of it.

    ``workspace`` has the files of the stage and of all before it; ``readings`` what is said of
    lines that no check can read. With ``is_quick`` the checks are left out that solve the model's
    logic or run tools.

    Raises:
        MaterialError: the stage cannot be edited, nothing was changed, or nobody can read it.
    """
    start = f"{stage}/"
    named = workspace.files.items()
    files = {name.removeprefix(start): own for name, own in named if name.startswith(start)}
    edit = build_edit(stage, files, text, readings)
    edited, _ = with_edits(stage, files, [(by, edit)])
    changed = workspace.with_files({f"{start}{name}": own for name, own in edited.items()})
    found = examine_quickly(stage, changed) if is_quick else examine(stage, changed)
    return EditTrial(edit, tuple(dict.fromkeys(found)), changed)
