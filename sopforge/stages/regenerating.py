"""Regenerating: a domain's brief with new context, or with facts changed by a patch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sopforge.complexity.model_patches import merged
from sopforge.domain.documents import write_document
from sopforge.domain.reading import Brief, read_brief
from sopforge.errors import Fault, MaterialError
from sopforge.stages.patches import Patch, read_patch, told_where_written


def changed_brief(brief: Brief, context: str = "", patch: Path | None = None) -> Brief:
    """Return a brief with a later addition in prose behind the others, and its model patched.

    Comments of the brief are not kept. Mappings of a patch are merged, null takes a part away, all
    else, lists too, replaces what was there.

    Raises:
        MaterialError: there is no model to patch, or the patch has faults or leads to some.
    """
    whole: Any = brief.document.value
    changed = dict(whole)
    if context.strip():
        changed["context"] = [*whole.get("context", ()), " ".join(context.split())]
    if patch is None:
        return _read(brief, changed)
    if not isinstance(whole.get("model"), dict):
        message = "the brief states no model that could be patched"
        hint = "say in prose what changes (--context), or edit the schema at its gate"
        raise MaterialError(Fault("patch-not-applicable", message, str(patch), hint))
    found = read_patch(patch, whole)
    try:
        return _read(brief, {**changed, "model": merged(whole["model"], found.parts)})
    except MaterialError as refused:
        raise MaterialError(*_placed(refused, brief, found)) from refused


def _read(brief: Brief, whole: dict[str, Any]) -> Brief:
    return read_brief(write_document(whole), brief.document.source, brief.draft)


def _placed(refused: MaterialError, brief: Brief, patch: Patch) -> list[Fault]:
    source = brief.document.source
    return list(told_where_written(refused.faults, source, brief, patch, "regenerating"))
