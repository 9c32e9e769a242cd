"""Complexity: the names of the trade that an author wrote for the levels are sound."""

from __future__ import annotations

from collections.abc import Iterator

from sopforge.artifacts.complexity.material import (
    NAMES,
    Material,
    find_unsound_names,
    read_material,
)
from sopforge.errors import MaterialError
from sopforge.findings import Finding, Severity, convert_faults, make_error_finding
from sopforge.language.domain.model import DomainModel
from sopforge.workspace import MATERIAL, Workspace


class OwnMaterial:
    """Every name of the trade that is in use can be taken neither for a rule nor for an answer."""

    name = "own-material"
    stage = "complexity"

    def examine(self, workspace: Workspace) -> list[Finding]:
        try:
            material = read_material(workspace.files.get(MATERIAL, ""), MATERIAL)
        except MaterialError as refused:
            return convert_faults(refused.faults)
        return [*_find_unsound(material, workspace.model), *_find_rejected_parts(material)]

    def spoil(self, workspace: Workspace) -> Workspace:
        spoiled = Material(roles=("desk that must approve all",))
        return workspace.with_files({MATERIAL: spoiled.as_json()})


def _find_unsound(material: Material, model: DomainModel) -> Iterator[Finding]:
    for item in find_unsound_names(material, model):
        yield make_error_finding(
            "material-unsound",
            f"the name written for the levels under '{item.part}' {item.reason}",
            where=MATERIAL,
            evidence=item.text,
            hint="remove the name, or write another",
        )


def _find_rejected_parts(material: Material) -> Iterator[Finding]:
    for part in NAMES:
        gone = [item for item in material.rejected if item.part == part]
        kept = len(getattr(material, part))
        if gone:
            yield Finding(
                "material-rejected",
                Severity.NOTE,
                f"{len(gone)} of the names under '{part}' {'is' if len(gone) == 1 else 'are'}"
                f" unused; {kept} {'is' if kept == 1 else 'are'} in use",
                MATERIAL,
                evidence="\n".join(f"{item.text}: {item.reason}" for item in gone),
            )


CHECK = OwnMaterial()
