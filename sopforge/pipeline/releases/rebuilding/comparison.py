"""Comparing: the files of a package with those that were made anew for it, byte for byte."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from sopforge.artifacts.complexity.material import NOTHING, Material, find_unsound_names
from sopforge.artifacts.packaging.checksums import CHECKSUMS
from sopforge.artifacts.packaging.sop_bench import GRADER
from sopforge.errors import Fault, PackageUnreadableError, SopForgeError
from sopforge.findings import Finding, Severity, convert_faults, make_error_finding
from sopforge.language.domain.documents.schema import Level
from sopforge.language.domain.reading import Brief
from sopforge.pipeline.releases.package_files import build_level_files, format_program_version
from sopforge.pipeline.releases.rebuilding.release_inputs import (
    read_package_evidence,
    read_release_inputs,
)
from sopforge.pipeline.stages.complexity import ComplexityStage
from sopforge.pipeline.stages.dataset import DatasetStage
from sopforge.store.backends.atomic_files import read_text
from sopforge.untrusted.content import UNREADABLE, describe
from sopforge.workspace import MATERIAL, MATERIAL_FILE, Workspace

Files: TypeAlias = Mapping[str, str | bytes]
Making: TypeAlias = Callable[[Path, Mapping[str, Any]], Files]
PROVENANCE = "provenance.json"
CROISSANT = "croissant.json"
_BEFORE, _LONGEST = 40, 160
_OF_PACKAGE = ("canary", "level", "made_with")


def compare(folder: Path, make: Making, code: str, source: str) -> list[Finding]:
    """Return the files of a package that are not what ``make`` returns for it.

    ``make`` is given what the package says of its provenance; ``source`` says in the findings what
    it makes files of. Only the version that wrote a package can say so; another leaves a note.
    """
    try:
        provenance = json.loads(read_text(folder / PROVENANCE))
        if provenance.get("made_with") != format_program_version():
            return [_make_other_version_finding(provenance.get("made_with"))]
        writer = read_release_inputs(folder).brief.parts.writer
        # Rows and material that a model wrote are in the package, and are taken from there.
        kept = {DatasetStage.name, ComplexityStage.name}
        if writer.name != "offline" and set(writer.stages) - kept:
            return [_make_language_model_finding(writer.name)]
        files = make(folder, provenance)
    except SopForgeError as refused:
        return convert_faults(refused.faults)
    except UNREADABLE as broken:
        message = f"{source} produces no package: {describe(broken)}"
        hint = "restore the files under grader/ and provenance.json"
        return [make_error_finding("package-malformed", message, where=PROVENANCE, hint=hint)]
    found = [
        *_find_differences(folder, files, code, source),
        *_find_extra_files(folder, files, code),
    ]
    for digests in (CHECKSUMS, CROISSANT):
        # They follow from the other files: they are reported where these are as they should be.
        found = [item for item in found if item.where != digests] or found
    return found


def _make_language_model_finding(author: str) -> Finding:
    message = (
        f"a language model ({author}) wrote parts of the package, so they cannot be made"
        " again from a brief"
    )
    hint = "rely on the other checks, which compare these parts with the model of the procedure"
    return Finding("not-rebuilt", Severity.NOTE, message, PROVENANCE, hint=hint)


def refuse_unsound(material: Material, plain: Workspace) -> None:
    """Raise for names that could be taken for rules or answers of a model.

    Raises:
        PackageUnreadableError: with each such name.
    """
    faults = [
        Fault("material-unsound", f"'{item.text}' {item.reason}", f"{GRADER}{MATERIAL_FILE}")
        for item in find_unsound_names(material, plain.model)
    ]
    if faults:
        raise PackageUnreadableError(*faults)


def with_material(variant: Workspace, material: Material) -> Workspace:
    """Return a level's files with the material from which they were made, where there is any."""
    return variant if material == NOTHING else variant.with_files({MATERIAL: material.as_json()})


def require_level(provenance: Mapping[str, Any], brief: Brief) -> Level:
    """Return the level of a package.

    Raises:
        PackageUnreadableError: its brief asks for none of that name.
    """
    levels = brief.parts.complexity.levels
    found = next((level for level in levels if level == provenance["level"]), None)
    if found is None:
        message = (
            f"the package has the level {provenance['level']}, but its brief asks for"
            f" {', '.join(levels)}"
        )
        raise PackageUnreadableError(Fault("package-content", message, PROVENANCE))
    return found


def rebuild_package(folder: Path, variant: Workspace, provenance: Mapping[str, Any]) -> Files:
    """Return the files of a package, published from a level's files as its provenance says.

    What it carries of its origin is taken as it is.
    """
    kept = {name: value for name, value in provenance.items() if name not in _OF_PACKAGE}
    level, release = str(provenance["level"]), str(provenance["release"])
    carried = read_package_evidence(folder)
    return build_level_files(variant, level, release, kept, carried)


def _make_other_version_finding(found: object) -> Finding:
    message = (
        f"the package was made with {found}; this is {format_program_version()}, so its"
        " files were not made again and compared"
    )
    hint = "install that version to make the package again and compare it"
    return Finding("not-rebuilt", Severity.NOTE, message, PROVENANCE, hint=hint)


def _find_differences(folder: Path, files: Files, code: str, source: str) -> list[Finding]:
    found = []
    for name, content in files.items():
        wanted = content.encode() if isinstance(content, str) else content
        path = folder / name
        given = path.read_bytes() if path.is_file() else b""
        if given != wanted:
            message = f"{name} differs from the file that {source} produces"
            hint = "restore the file, or change the brief and publish again"
            evidence = _describe_first_difference(given, wanted)
            found.append(
                make_error_finding(code, message, where=name, evidence=evidence, hint=hint)
            )
    return found


def _find_extra_files(folder: Path, files: Files, code: str) -> list[Finding]:
    there = sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    )
    hint = "remove it from the package"
    return [
        make_error_finding(code, f"{name} does not belong to this package", where=name, hint=hint)
        for name in there
        # Python leaves these where the package's own tests are run.
        if name not in files and "__pycache__" not in name
    ]


def _describe_first_difference(given: bytes, wanted: bytes) -> str:
    lines = zip(given.splitlines(), wanted.splitlines(), strict=False)
    for number, (one, other) in enumerate(lines, start=1):
        if one != other:
            texts = [text.decode(errors="replace") for text in (one, other)]
            pairs = enumerate(zip(*texts, strict=False))
            place = next((at for at, (a, b) in pairs if a != b), min(map(len, texts)))
            start = max(place - _BEFORE, 0)
            shown = [text[start : start + _LONGEST] for text in texts]
            return f"line {number} is {shown[0]!r}, not {shown[1]!r}"
    return f"the file has {len(given)} bytes, not {len(wanted)}"
