"""A package of whatever kind, read for an evaluation."""

from __future__ import annotations

from pathlib import Path

from sopforge.errors import Fault, MaterialError
from sopforge.evaluation.packages.mapping import read_mapping
from sopforge.evaluation.packages.package import EvaluatedPackage
from sopforge.evaluation.packages.proved import read_proved
from sopforge.evaluation.packages.published import PublishedPackage, read_published
from sopforge.packaging.sop_bench import GRADER


def read_evaluated(folder: Path, mapping: Path | None = None) -> EvaluatedPackage:
    """Return the package in a folder: of ours where it has a grader's side, else of others.

    Raises:
        PackageUnreadableError: a file is missing or malformed.
        MaterialError: the mapping cannot be read, does not fit, or is of no use to the package.
    """
    if not (folder / GRADER).is_dir():
        return read_published(folder, read_mapping(mapping) if mapping else None)
    if mapping is not None:
        message = f"{folder.name} has a model, which says all that a mapping does"
        hint = "give a mapping for packages of others alone"
        raise MaterialError(Fault("mapping-not-needed", message, str(mapping), hint))
    return read_proved(folder)


def list_assumptions(package: EvaluatedPackage) -> tuple[str, ...]:
    """Return what neither a package nor a mapping of it says; a model says everything."""
    return package.assumptions if isinstance(package, PublishedPackage) else ()
