"""Edits at a gate: a person changes a file, and later versions keep the change.

An edit is merged, as by diff3, onto whatever the author writes afterwards. Where both changed the
same lines the author's stand, and a finding shows the person's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from sopforge.artifacts.rendering.sop.alignment import with_text
from sopforge.artifacts.rendering.sop.document import SopDocument, read_sop
from sopforge.errors import Fault, MaterialError
from sopforge.findings import Finding, make_error_finding
from sopforge.language.domain.documents.schema import suggest
from sopforge.language.domain.documents.yaml_documents import rewrite_document
from sopforge.language.domain.values.unseen import refuse_unseen
from sopforge.pipeline.stages.editing.file_forms import DOMAIN_FILE, refuse_unreadable
from sopforge.pipeline.stages.editing.merging import Conflict, is_let_go, merge
from sopforge.pipeline.stages.sop import build_sop_files
from sopforge.store.log.kept_edits import Edit, LineReading

EDITABLE: Mapping[str, str] = {
    "schema": DOMAIN_FILE,
    "sop": "sop.txt",
    "api": "openapi.yaml",
    "toolspec": "toolspecs.json",
    "tools": "tools.py",
}
"""The file of each stage that a person may edit; what else a stage has follows from it."""
_AND = " and "
_WIDE = re.compile(r"[^\S\t\r\n ]")
_LONGEST_LINE = 3_000


def build_edit(
    stage: str, files: Mapping[str, str], after: str, readings: Sequence[LineReading] = ()
) -> Edit:
    """Return the edit that gives a stage's file another text.

    ``readings`` says of new lines of an SOP what a language model reads them as.

    Spaces of other widths in an SOP become plain ones: nobody sees the difference.

    Raises:
        MaterialError: the stage cannot be edited, nothing was changed, nothing is left, or nobody
            can read it.
    """
    name = require_editable_file(stage)
    if stage == "sop":
        refuse_unseen(after, name)
        after = _WIDE.sub(" ", after)
        _refuse_long_lines(after, files[name])
    if not after.strip():
        hint = f"submit the whole {name}, including your changes"
        raise MaterialError(Fault("edit-blank", f"the edit leaves no text in {name}", stage, hint))
    if after == files[name] and not readings:
        message = f"your edit does not change {name}"
        raise MaterialError(
            Fault("edit-empty", message, stage, "change the text, or approve it as it is")
        )
    refuse_unreadable(name, after)
    return Edit(stage, name, files[name], after, tuple(readings))


def _refuse_long_lines(text: str, before: str) -> None:
    """Raise for a line that no reader reads, and that takes minutes to compare with the model."""
    most = max(_LONGEST_LINE, *map(len, before.splitlines()))
    for number, line in enumerate(text.splitlines(), start=1):
        if len(line) > most:
            message = f"line {number} has {len(line):,} characters; at most {most:,} are allowed"
            raise MaterialError(Fault("line-too-long", message, "sop.txt", "shorten it"))


def require_editable_file(stage: str) -> str:
    """Return the file of a stage that can be edited; raises ``MaterialError`` if none can."""
    if stage not in EDITABLE:
        others = (
            f"edit one of {', '.join(EDITABLE)} instead: SOPForge derives the {stage} from"
            " these and the brief"
        )
        hint = suggest(stage, list(EDITABLE)) or others
        raise MaterialError(Fault("not-editable", f"the {stage} cannot be edited", stage, hint))
    return EDITABLE[stage]


def with_edits(
    stage: str, files: Mapping[str, str], edits: Sequence[tuple[str, Edit]]
) -> tuple[dict[str, str], list[Finding]]:
    """Return a stage's files with the edits merged in, and what could not be merged."""
    edited, found, made = dict(files), list[Finding](), _fold_edits(edits)
    for place, (by, edit) in enumerate(made, start=1):
        own = _choose_layout(edit, edited[edit.file])
        merged = merge(own(edit.before), own(edited[edit.file]), own(edit.after))
        edited |= _with_file(stage, edited, edit.file, merged.text, edit.readings)
        later = [own(item.before) for _, item in made[place:] if item.file == edit.file]
        found += [
            _make_conflict_finding(stage, edit, by, item)
            for item in merged.conflicts
            # A later edit that kept the author's lines settles the conflict.
            if not any(is_let_go(own(edit.before), item, text) for text in later)
        ]
    return edited, found


def _choose_layout(edit: Edit, later: str) -> Callable[[str], str]:
    """Return what gives all texts of a merge one layout, where theirs alone keeps them apart.

    A brief that was regenerated has the layout of this program: an earlier edit then matches no
    line of it, though both say the same.
    """
    if edit.file != DOMAIN_FILE or not merge(edit.before, later, edit.after).conflicts:
        return _as_it_is
    try:
        own = [rewrite_document(text, DOMAIN_FILE) for text in (edit.before, later, edit.after)]
    except MaterialError:
        return _as_it_is  # Nobody can read what the author wrote; the checks say so.
    is_better = own[1] == later or not merge(*own).conflicts
    return _normalize_layout if is_better else _as_it_is


def _normalize_layout(text: str) -> str:
    try:
        return rewrite_document(text, DOMAIN_FILE)
    except MaterialError:
        return text


def _as_it_is(text: str) -> str:
    return text


def _fold_edits(edits: Sequence[tuple[str, Edit]]) -> list[tuple[str, Edit]]:
    """Return the edits; those that continue one another are joined.

    What was changed and changed back between two texts of the author's is then no change.
    """
    folded: list[tuple[str, Edit]] = []
    for by, edit in edits:
        whose, last = folded[-1] if folded else ("", None)
        if last is not None and (last.file, last.after) == (edit.file, edit.before):
            names = dict.fromkeys([*whose.split(_AND), by])
            # Who vouched for a line did so for as long as it stood there.
            kept = (item for item in last.readings if item.text in edit.after)
            readings = (*kept, *edit.readings)
            folded[-1] = _AND.join(names), replace(last, after=edit.after, readings=readings)
        else:
            folded.append((by, edit))
    return folded


def _with_file(
    stage: str,
    files: Mapping[str, str],
    name: str,
    text: str,
    readings: Sequence[LineReading],
) -> dict[str, str]:
    """Return the files that change with one file's text."""
    if stage != "sop":
        return {name: text}
    document = with_text(read_sop(files["sop.txt"], files["trace.json"]), text)
    known = {item.text: item for item in readings}
    statements = [
        replace(line, read_as=item.read_as, read_by=item.read_by)
        if (item := known.get(line.text))
        else line
        for line in document.statements
    ]
    return build_sop_files(SopDocument(tuple(statements)))


def _make_conflict_finding(stage: str, edit: Edit, by: str, conflict: Conflict) -> Finding:
    before, later, edited = conflict.before, conflict.later, conflict.edited
    return make_error_finding(
        "edit-conflict",
        f"{by} edited lines that have since been rewritten",
        where=f"{stage}/{edit.file}",
        evidence=f"it was:\n{before}{by} wrote:\n{edited}now it says:\n{later}".rstrip("\n"),
        hint="make your edit again, starting from the new text",
    )
