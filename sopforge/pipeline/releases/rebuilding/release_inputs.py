"""What a package was made from: its brief, and what nobody can make again of that.

Material and rows that a language model wrote, edits by people and the seed of a draw are taken from
a package as they are; the rest is made again from them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from sopforge.artifacts.complexity.material import NOTHING, Material, read_material
from sopforge.artifacts.packaging.sop_bench import GRADER
from sopforge.checks.auditing.own import ASKED_ROWS, BRIEF, DRAFT
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.releases.evidence import (
    DRAW,
    EDITS,
    STAGE_RECORDS,
    read_draw,
    read_edits,
)
from sopforge.pipeline.stages.editing.edits import with_edits
from sopforge.store.backends.atomic_files import read_text
from sopforge.store.log.kept_edits import Edit
from sopforge.workspace import MATERIAL_FILE


@dataclass(frozen=True, slots=True)
class ReleaseInputs:
    """What a package was made from; equal ones make equal packages.

    ``edits`` are those of each stage in their order, with who made them. ``draw`` is the seed of a
    private test set.
    """

    text: str
    draft: str = ""
    material: Material = NOTHING
    rows: str = ""
    edits: tuple[tuple[str, Edit], ...] = ()
    draw: int | None = None

    @property
    def brief(self) -> Brief:
        """The brief, with the draft and the seed of the draw; raises where it has faults."""
        brief = read_brief(self.text, BRIEF, self.draft)
        return replace(brief, draw_seed=self.draw)

    def apply_edits(self, stage: str, files: dict[str, str]) -> dict[str, str]:
        """Return the files of a stage as people edited them."""
        edits = [(by, edit) for by, edit in self.edits if edit.stage == stage]
        return with_edits(stage, files, edits)[0]


def read_release_inputs(folder: Path) -> ReleaseInputs:
    """Return what a package says that it was made from.

    Raises:
        MaterialError: its material has faults.
        PackageUnreadableError: its edits or its draw have faults.
    """
    return ReleaseInputs(
        text=read_text(folder / BRIEF),
        draft=_read_optional_text(folder, DRAFT),
        material=read_material(
            _read_optional_text(folder, f"{GRADER}{MATERIAL_FILE}"), MATERIAL_FILE
        ),
        rows=_read_optional_text(folder, ASKED_ROWS),
        edits=_parse_edits(_read_optional_text(folder, f"{GRADER}{EDITS}")),
        draw=_seed(_read_optional_text(folder, f"{GRADER}{DRAW}")),
    )


def read_package_evidence(folder: Path) -> dict[str, str]:
    """Return what a package carries of its origin, which is taken as it is."""
    found = {
        name: _read_optional_text(folder, f"{GRADER}{name}")
        for name in (STAGE_RECORDS, EDITS, DRAW)
    }
    return {name: text for name, text in found.items() if text}


def _parse_edits(text: str) -> tuple[tuple[str, Edit], ...]:
    return tuple((item.by, item.edit) for item in read_edits(text)) if text else ()


def _seed(text: str) -> int | None:
    return read_draw(text).seed if text else None


def _read_optional_text(folder: Path, name: str) -> str:
    path = folder / name
    return read_text(path) if path.is_file() else ""
