"""Package: what it says as data has its published shape, and is what its other files say."""

from __future__ import annotations

import json
from collections.abc import Mapping

from sopforge.artifacts.packaging.sop_bench import is_of_this_layout
from sopforge.artifacts.packaging.state.files import build_state_files
from sopforge.artifacts.packaging.state.reading import read_state
from sopforge.artifacts.packaging.state.shapes import FRAMES, STATE_FILES
from sopforge.checks.package.package_solved import (
    PREFIX,
    GradedPackage,
    collect_package_files,
    read_graded,
)
from sopforge.errors import PackageUnreadableError
from sopforge.findings import Finding, convert_faults, make_error_finding
from sopforge.untrusted.content import refuse_unreadable
from sopforge.workspace import Workspace


class PackageState:
    """The package's data files match its records, model and tasks."""

    name = "package-state"
    stage = "package"

    def examine(self, workspace: Workspace) -> list[Finding]:
        files = collect_package_files(workspace)
        try:
            package = read_graded(files)
            if package.model.operations is None:
                return _refuse_files(files)
            if not _is_due(files):
                return []
            read_state(files)
            with refuse_unreadable("toolspecs.json", "toolspecs.json"):
                return _find_differences(files, package)
        except PackageUnreadableError as cause:
            return convert_faults(cause.faults)

    def spoil(self, workspace: Workspace) -> Workspace:
        """Put other frames there; a package without tables has none."""
        return workspace.with_files({f"{PREFIX}{FRAMES}": '{"format": 1}\n'})


def _refuse_files(files: Mapping[str, str]) -> list[Finding]:
    return [
        make_error_finding(
            "state-differs", f"no call changes a table, but the package contains {name}"
        )
        for name in STATE_FILES
        if name in files
    ]


def _is_due(files: Mapping[str, str]) -> bool:
    """Return whether the files must be there; packages of earlier layouts had none."""
    is_there = any(name in files for name in STATE_FILES)
    return is_there or is_of_this_layout(json.loads(files["provenance.json"]))


def _find_differences(files: Mapping[str, str], package: GradedPackage) -> list[Finding]:
    made = build_state_files(package.model, package.tasks, package.records, files["toolspecs.json"])
    return [
        make_error_finding(
            "state-differs", f"{name} does not match the rest of the package", where=name
        )
        for name, text in made.items()
        if files[name] != text
    ]


CHECK = PackageState()
