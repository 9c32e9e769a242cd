"""Patches of a model: read from the brief or from a file; their faults name their places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path as FilePath
from typing import Any

from sopforge.errors import Fault, MaterialError, raise_gathered
from sopforge.language.domain.documents.schema import suggest
from sopforge.language.domain.documents.yaml_documents import Document, Path, read_document
from sopforge.language.domain.reading import Brief
from sopforge.pipeline.briefs.brief_files import read_beside, read_users_file

MODEL = "model"


@dataclass(frozen=True)
class Patch:
    """Changes of a model, and where they are written: below ``base`` of a document."""

    document: Document
    base: Path
    parts: Mapping[str, Any]

    def find_line(self, dotted: str) -> tuple[int, int]:
        """Return how much of a place in the model is written here, and the line of it."""
        return _find_longest_place(self._lines, dotted)

    @cached_property
    def _lines(self) -> Mapping[str, int]:
        return {
            ".".join(map(str, (MODEL, *path[len(self.base) :]))): line
            for path, line in self.document.lines.items()
            if path[: len(self.base)] == self.base
        }

    def format_place(self, dotted: str) -> str:
        """Return the place of a part of the model, as it is written here."""
        whole = ".".join([*map(str, self.base), *dotted.split(".")[1:]])
        place = f"{self.document.source}:{self.find_line(dotted)[1]}"
        return f"{place}, {whole}" if whole else place


def parse_patch(brief: Brief, name: str, folder: FilePath) -> Patch:
    """Return the patch of a variant; a file of it is looked for from the brief's folder.

    Raises:
        MaterialError: the file is missing, unreadable or no mapping, or the patch takes away what
            is not there.
    """
    asked = brief.parts.complexity.variants[name].patch
    base: Path = ("complexity", "variants", name, "patch")
    if isinstance(asked, str):
        patch = _read_patch_file(folder, asked, brief.document.locate_part(base))
    else:
        whole: Any = brief.document.value
        parts = whole["complexity"]["variants"][name].get("patch", {})
        patch = Patch(brief.document, base, parts)
    return _require_applicable(patch, brief.document.value)


def read_patch(path: FilePath, whole: Mapping[str, Any]) -> Patch:
    """Return the patch in a file, for the document of a brief.

    Raises:
        MaterialError: the file is missing, unreadable or no mapping, or the patch takes away what
            is not there.
    """
    return find_patch(read_users_file(path, "patch-not-found", str(path)), str(path), whole)


def find_patch(text: str, source: str, whole: Mapping[str, Any]) -> Patch:
    """Return the patch in a text, for the document of a brief.

    Raises:
        MaterialError: the text is no mapping, or takes away what is not there.
    """
    return _require_applicable(_read(text, source), whole)


def _require_applicable(patch: Patch, whole: Any) -> Patch:  # noqa: ANN401 - parsed YAML
    raise_gathered(list(_find_absent_parts(whole, patch)))
    return patch


def relocate_faults(
    faults: Iterable[Fault], source: str, brief: Brief, patch: Patch, what: str
) -> Iterator[Fault]:
    """Return the faults of a patched model, each at its place in the patch or in the brief.

    A fault that the patch causes elsewhere is reported with its place, and with what is patched,
    for the brief is sound.
    """
    plain = {".".join(map(str, path)): line for path, line in brief.document.lines.items()}
    for fault in faults:
        dotted = fault.where.removeprefix(source).partition(", ")[2]
        size, line = _find_longest_place(plain, dotted)
        if patch.find_line(dotted)[0] >= max(size, len(MODEL) + 1):
            hint = _choose_hint(brief.document.value, fault, dotted)
            yield replace(fault, where=patch.format_place(dotted), hint=hint)
        else:
            where = f"{brief.document.source}:{line}, {dotted}"
            by = f"as {what} changes it by the patch at {patch.format_place(MODEL)}"
            yield replace(fault, where=f"{where}, {by}")


def _choose_hint(whole: Any, fault: Fault, dotted: str) -> str:  # noqa: ANN401 - parsed YAML
    """Return the hint of a fault; a new part that lacks something may be meant for another one."""
    if fault.code != "missing-field":
        return fault.hint
    there = whole
    for name in dotted.split("."):
        if not isinstance(there, Mapping):
            break
        if name not in there:
            meant = suggest(name, [str(known) for known in there])
            return f"{meant} Otherwise, {fault.hint}" if meant else fault.hint
        there = there[name]
    return fault.hint


def _read_patch_file(folder: FilePath, name: str, where: str) -> Patch:
    text = read_beside(folder, name, where, missing="patch-not-found", outside="patch-outside")
    return _read(text, str(folder / name))


def _read(text: str, source: str) -> Patch:
    document = read_document(text, source)
    if not isinstance(document.value, dict):
        message = "a patch must be a mapping of parts of the model, but this is something else"
        hint = (
            "write the changed parts as they appear below 'model', for example policy: {limit:"
            " {value: 5}}"
        )
        raise MaterialError(Fault("invalid-value", message, document.locate_part(()), hint))
    return Patch(document, (), document.value)


def _find_absent_parts(whole: Any, patch: Patch) -> Iterator[Fault]:  # noqa: ANN401 - parsed YAML
    """Return a fault for each part that is to be taken away and is not there."""
    waiting: list[tuple[str, Any, Mapping[str, Any]]] = [(MODEL, whole[MODEL], patch.parts)]
    while waiting:
        dotted, there, parts = waiting.pop()
        known = there if isinstance(there, Mapping) else {}
        for name, part in parts.items():
            if part is None and name not in known:
                message = f"the patch removes '{name}', which the model does not have"
                hint = suggest(name, list(known))
                yield Fault(
                    "patch-not-applicable", message, patch.format_place(f"{dotted}.{name}"), hint
                )
            if isinstance(part, Mapping):
                waiting.append((f"{dotted}.{name}", known.get(name), part))


def _find_longest_place(lines: Mapping[str, int], dotted: str) -> tuple[int, int]:
    """Return the length of the longest place that holds another, and its line."""
    best = dotted
    # A patch may have many faults, and many places: none is compared with all of the others.
    while best and best not in lines:
        best = best.rpartition(".")[0]
    return len(best), lines.get(best, 1)
