"""A package of whatever kind, read for an evaluation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from sopforge.artifacts.packaging.checksums import CHECKSUMS, find_changed_files, read_folder_files
from sopforge.artifacts.packaging.sop_bench import GRADER, SHOWN_TASKS
from sopforge.errors import Fault, MaterialError, PackageUnreadableError
from sopforge.evaluation.packages.mapping import read_mapping
from sopforge.evaluation.packages.package import EvaluatedPackage
from sopforge.evaluation.packages.proved import read_proved
from sopforge.evaluation.packages.published import PublishedPackage, read_published

PROVENANCE = "provenance.json"


def read_evaluated(folder: Path, mapping: Path | None = None) -> EvaluatedPackage:
    """Return the package in a folder: of ours where it has a grader's side, else of others.

    Raises:
        PackageUnreadableError: a file is missing or malformed.
        MaterialError: the mapping cannot be read, does not fit, or is of no use to the package.
    """
    if not (folder / GRADER).is_dir():
        _refuse_half(folder)
        try:
            return read_published(folder, read_mapping(mapping) if mapping else None)
        except PackageUnreadableError as cause:
            raise PackageUnreadableError(*_relocate(cause.faults, folder)) from cause
    if mapping is not None:
        message = f"{folder.name} contains a model, which already states what a mapping states"
        hint = "use a mapping only for packages that SOPForge did not make"
        raise MaterialError(Fault("mapping-not-needed", message, str(mapping), hint))
    return read_proved(folder)


def list_changed_files(folder: Path) -> list[str]:
    """Return the files of a package that are not those it lists; none where it lists none."""
    if not (folder / CHECKSUMS).is_file():
        return []
    try:
        return find_changed_files(read_folder_files(folder))
    except PackageUnreadableError:
        return [CHECKSUMS]


def _refuse_half(folder: Path) -> None:
    """Refuse a package of ours without its grader's side, which looks like one of others."""
    if all((folder / name).is_file() for name in (SHOWN_TASKS, PROVENANCE)):
        message = f"{folder.name} is a package of SOPForge, but has no {GRADER}"
        fault = Fault("package-file-missing", message, GRADER, "get the complete package")
        raise PackageUnreadableError(fault)


def _relocate(faults: Iterable[Fault], folder: Path) -> Iterator[Fault]:
    """Return faults with places as they are below the package, which was copied to be read."""
    for fault in faults:
        yield replace(fault, where=fault.where.replace(f"{folder.parent}/", ""))


def list_assumptions(package: EvaluatedPackage) -> tuple[str, ...]:
    """Return what neither a package nor a mapping of it says; a model says everything."""
    return package.assumptions if isinstance(package, PublishedPackage) else ()
