"""Taking a brief from a file, where the store may hold a newer one of the same domain.

Regenerating, answers and ratings change the brief in the store alone. A file that lacks what they
changed would undo it, which only a person may want.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from sopforge.errors import Fault, MaterialError
from sopforge.language.domain.documents.changing import change_document
from sopforge.language.domain.documents.yaml_documents import Path, read_document, write_inline
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.briefs.brief_files import (
    keep_given,
    list_kept_versions,
    load_latest_brief,
    read_given,
)
from sopforge.pipeline.briefs.earlier_answers import add_kept_answers
from sopforge.store.places import store_option
from sopforge.store.versions import DomainStore


class Newer(StrEnum):
    """What to do where the store's brief has changes that the file lacks."""

    REFUSE = "refuse"
    MERGE = "merge"
    REPLACE = "replace"


def take_brief(domain: DomainStore, brief: Brief, newer: Newer = Newer.REFUSE) -> Brief:
    """Keep a brief from a file as the domain's newest, and return it as it is kept.

    A merge applies what changed in the file since it was last taken to the store's brief.

    Raises:
        MaterialError: the store's brief has changes that the file lacks, or that it contradicts.
    """
    return keep_given(domain, brief, lambda: _settle(domain, brief, newer))


def _settle(domain: DomainStore, brief: Brief, newer: Newer) -> Brief:
    asked = add_kept_answers(domain, brief)
    if newer is Newer.REPLACE or not list_kept_versions(domain):
        return asked
    whole: Any = asked.document.value
    kept = load_latest_brief(domain).document.value
    merge = _Merge()
    merged = merge.run((), read_document(read_given(domain), domain.name).value, kept, whole)
    if newer is Newer.REFUSE and (merge.missing or merge.conflicts):
        raise MaterialError(_make_older_fault(domain, asked, merge))
    if merge.conflicts:
        raise MaterialError(*(_make_conflict_fault(asked, item) for item in merge.conflicts))
    if not merge.missing:
        return asked
    text = change_document(asked.text, merged)
    return read_brief(text, asked.document.source, asked.draft)


@dataclass(frozen=True, slots=True)
class _Difference:
    """A part that the store's brief and a file have differently; None where one lacks it."""

    path: Path
    kept: object
    given: object

    def describe(self) -> str:
        dotted = ".".join(map(str, self.path))
        return f"{dotted}: {_show(self.kept)} in the store, {_show(self.given)} in the file"


_ABSENT = object()
_SHOWN, _LONGEST = 8, 60


@dataclass(frozen=True, slots=True)
class _Merge:
    """A merge of plain values by their common base: ``missing`` is what only the store changed."""

    missing: list[_Difference] = field(default_factory=list)
    conflicts: list[_Difference] = field(default_factory=list)

    def run(self, path: Path, base: Any, kept: Any, given: Any) -> Any:  # noqa: ANN401 - YAML
        """Return the merged value; where both changed the same part, it is the file's."""
        if repr(kept) in {repr(given), repr(base)}:
            return given
        if base is _ABSENT and type(kept) is type(given) and isinstance(kept, dict | list):
            base = type(kept)()
        parts = base, kept, given
        if all(isinstance(part, Mapping) for part in parts):
            return self._merge_mappings(path, base, kept, given)
        difference = _Difference(path, kept, given)
        if repr(given) == repr(base):
            self.missing.append(difference)
            return kept
        if all(isinstance(part, list) for part in parts) and base == kept[: len(base)]:
            # Both added to it.
            added = [item for item in kept[len(base) :] if item not in given]
            if base == given[: len(base)]:
                self.missing.extend([difference] if added else [])
                return [*base, *added, *given[len(base) :]]
        self.conflicts.append(difference)
        return given

    def _merge_mappings(
        self, path: Path, base: Mapping[str, Any], kept: Mapping[str, Any], given: Mapping[str, Any]
    ) -> dict[str, Any]:
        merged = {
            key: self.run((*path, key), *(part.get(key, _ABSENT) for part in (base, kept, given)))
            for key in dict.fromkeys([*given, *kept])
        }
        return {key: part for key, part in merged.items() if part is not _ABSENT}


def _show(value: object) -> str:
    if value is _ABSENT:
        return "nothing"
    text = write_inline(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _make_older_fault(domain: DomainStore, brief: Brief, merge: _Merge) -> Fault:
    found = [*merge.conflicts, *merge.missing]
    lines = [item.describe() for item in found[:_SHOWN]]
    if len(found) > _SHOWN:
        lines.append(f"and {len(found) - _SHOWN} more")
    message = f"the store has a newer brief of '{domain}', with changes that this file lacks:"
    hint = (
        f"go on from the store's brief: sopforge continue {domain}{store_option(domain.place)};"
        " apply the file's own changes to it: --merge; or drop the store's changes: --replace"
        " (on Prefect, the parameter 'newer')"
    )
    source = brief.document.source
    return Fault("brief-older", "\n    ".join([message, *lines]), source, hint)


def _make_conflict_fault(brief: Brief, item: _Difference) -> Fault:
    message = (
        f"changed both here and in the store's brief: {_show(item.given)} in the file,"
        f" {_show(item.kept)} in the store"
    )
    hint = "write the store's value into the file, or take the file's values with --replace"
    return Fault("brief-conflict", message, brief.document.locate_part(item.path), hint)
