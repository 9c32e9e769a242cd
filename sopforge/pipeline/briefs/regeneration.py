"""Regenerating: a domain's brief with new context, or with facts changed by a patch."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sopforge.artifacts.complexity.model_patches import merge_patch
from sopforge.errors import Fault, MaterialError
from sopforge.language.domain.documents.changing import change_document
from sopforge.language.domain.documents.yaml_documents import read_document
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.language.domain.values.unseen import refuse_unseen
from sopforge.pipeline.briefs.brief_files import (
    list_kept_versions,
    load_latest_brief,
    read_users_file,
)
from sopforge.pipeline.briefs.patches import Patch, find_patch, read_patch, relocate_faults
from sopforge.store.versions import DomainStore

# One word, with a slash in it and an ending after it, or with the ending of a file of texts.
_PATH = re.compile(r"\S*/\S*\.\w+|\S+\.(md|txt|ya?ml)")


@dataclass(frozen=True, slots=True)
class PatchText:
    """A patch as it was handed in; ``source`` is what messages call it."""

    text: str
    source: str


def regenerate_brief(domain: DomainStore, context: str = "", patch: Path | None = None) -> Brief:
    """Return the domain's kept brief with a change, as ``change_brief`` makes it.

    Where the kept brief is what the change makes of the one before it, it is that: a command that
    was killed and is repeated adds nothing twice.
    """
    newest = load_latest_brief(domain)
    if len(list_kept_versions(domain)) > 1:
        # The brief before may be none that the change could be made to.
        with suppress(MaterialError):
            earlier = load_latest_brief(domain, before=1)
            if change_brief(earlier, context, patch).text == newest.text:
                return newest
    return change_brief(newest, context, patch)


def change_brief(brief: Brief, context: str = "", patch: Path | PatchText | None = None) -> Brief:
    """Return a brief with a later addition in prose after the others, and its model patched.

    The same addition twice in a row is one, for a run that is tried again adds nothing. Lines and
    comments of what stays as it is are kept. Mappings of a patch are merged, null takes a part
    away, all else, lists too, replaces what was there.

    Raises:
        MaterialError: the addition has characters that nobody sees, there is no model to patch, or
            the patch has faults or leads to some.
    """
    refuse_unseen(context, "context")
    whole: Any = brief.document.value
    changed = dict(whole)
    earlier, addition = list(whole.get("context", ())), " ".join(context.split())
    if addition and earlier[-1:] != [addition]:
        changed["context"] = [*earlier, addition]
    if patch is None:
        return _read(brief, changed)
    if not isinstance(whole.get("model"), dict):
        message = "the brief has no model that a patch can change"
        hint = "describe the change in words with --context, or edit the schema at its gate"
        raise MaterialError(Fault("patch-not-applicable", message, _name_source(patch), hint))
    found = _read_patch(patch, whole)
    try:
        return _read(brief, {**changed, "model": merge_patch(whole["model"], found.parts)})
    except MaterialError as refused:
        raise MaterialError(*_place_faults(refused, brief, found)) from refused


def lay_out_as(brief: Brief, path: Path) -> str:
    """Return a brief's text for a file; one with a brief of the domain keeps its own comments."""
    if not path.exists():
        return brief.text
    text = read_users_file(path, "brief-not-found", str(path))
    with suppress(MaterialError):
        there = read_document(text, str(path)).value
        if isinstance(there, dict) and there.get("domain") == brief.parts.domain:
            return change_document(text, brief.document.value)
    return brief.text


def read_context(given: str, where: str) -> str:
    """Return a context that is given as such, or in a file.

    Raises:
        MaterialError: it is the path of a file that is not there, cannot be read or says nothing.
    """
    if not _is_path(given):
        return given
    text = read_users_file(Path(given), "context-not-found", where)
    if not text.strip():
        hint = "write into the file what you want to add"
        raise MaterialError(Fault("context-empty", f"'{given}' is empty", where, hint))
    return text


def _is_path(given: str) -> bool:
    """Return whether a text names a file: one that is there, or one word with a path's marks."""
    try:
        if given and Path(given).exists():
            return not Path(given).is_dir()
    except OSError:
        return False  # It is too long for a path.
    return _PATH.fullmatch(given) is not None


def _name_source(patch: Path | PatchText) -> str:
    return patch.source if isinstance(patch, PatchText) else str(patch)


def _read_patch(patch: Path | PatchText, whole: Mapping[str, Any]) -> Patch:
    if isinstance(patch, PatchText):
        return find_patch(patch.text, patch.source, whole)
    return read_patch(patch, whole)


def _read(brief: Brief, whole: dict[str, Any]) -> Brief:
    return read_brief(change_document(brief.text, whole), brief.document.source, brief.draft)


def _place_faults(refused: MaterialError, brief: Brief, patch: Patch) -> list[Fault]:
    source = brief.document.source
    return list(relocate_faults(refused.faults, source, brief, patch, "regenerating"))
