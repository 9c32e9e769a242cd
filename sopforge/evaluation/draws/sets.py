"""Sets: packages with the model, the SOP and the tools of one, and tasks drawn anew.

Each set covers what the tasks of the package cover, is proved as they are, and is found by the seed
and its number alone: whoever asks for more gets the same ones first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sopforge.artifacts.packaging.release import DRAWN
from sopforge.errors import Fault, MaterialError
from sopforge.evaluation.experiments.building import (
    Base,
    build_package,
    list_doses,
    make_source_base,
    refuse_errors,
)
from sopforge.evaluation.experiments.designs import Condition
from sopforge.evaluation.experiments.preparing import is_there, put_package
from sopforge.evaluation.experiments.sources import Source
from sopforge.evaluation.packages.proved import ProvedPackage, read_proved
from sopforge.language.domain.documents.schema import Level
from sopforge.pipeline.releases.evidence import (
    DRAW,
    STAGE_RECORDS,
    Draw,
    read_records,
    write_evidence,
)
from sopforge.pipeline.releases.package_files import name_package
from sopforge.pipeline.releases.private_sets import (
    SHARED,
    Inputs,
    build_stage_anew,
    find_repetition_faults,
    select_inputs,
)
from sopforge.pipeline.releases.rebuilding.release_inputs import read_package_evidence
from sopforge.pipeline.stages.building.version import collect_garbage_rarely, examine_stage
from sopforge.pipeline.stages.dataset import DatasetStage
from sopforge.pipeline.stages.tools import ToolsStage
from sopforge.progress.tracking import enter_step
from sopforge.seeds import LARGEST, draw_below
from sopforge.store.digests import digest_files, digest_value
from sopforge.workspace import Workspace

PACKAGES = "packages"
TRIES = 10
"""How many seeds are tried for a set before the faults of the last one are reported."""
TRIES_OF_CHANCE = 80
"""How many are tried while nothing but the drawn values is at fault."""
_OF_CHANCE = frozenset({"answer-contains-answer"})


@dataclass(frozen=True, slots=True)
class TaskSet:
    """A set of a draw: its package, and where it lies."""

    name: str
    folder: Path
    package: ProvedPackage


@dataclass(frozen=True, slots=True)
class Drawing:
    """From which package, in its ``folder``, sets are drawn, by which seed and of which level."""

    folder: Path
    source: Source
    seed: int
    level: Level

    @property
    def doses(self) -> dict[str, int]:
        """What its level puts into the SOP, the tools and the records."""
        condition = Condition(self.level, self.level, None)
        return list_doses(self.source.given.brief, condition)


def iterate_sets(drawing: Drawing, out: Path) -> Iterator[TaskSet]:
    """Yield sets without end, each kept below a folder; what is there is not drawn again.

    Raises:
        MaterialError: a set cannot be drawn, or another package lies in its place.
    """
    known = {select_inputs(task) for task in drawing.source.plain.tasks}
    number = 0
    while True:
        number += 1
        origin = _describe_origin(drawing, number)
        name = _name_set(drawing, number)
        place = out / PACKAGES / name
        if not is_there(place, origin):
            with enter_step(name), collect_garbage_rarely():
                _put_set(drawing, number, known, origin, place)
        package = read_proved(place)
        known |= {select_inputs(task) for task in package.graded.tasks}
        yield TaskSet(name, place, package)


def _name_set(drawing: Drawing, number: int) -> str:
    domain = drawing.source.given.brief.parts.domain
    return name_package(domain, drawing.level, f"-draw{number}")


def _describe_origin(drawing: Drawing, number: int) -> dict[str, Any]:
    # Not the seed itself: whoever was given one set could draw all others by it.
    return {
        "source": drawing.source.digest,
        "condition": f"draw-{number}",
        "level": drawing.level,
        "doses": drawing.doses,
        DRAWN: digest_value(drawing.seed),
    }


def _put_set(
    drawing: Drawing, number: int, known: set[Inputs], origin: dict[str, Any], place: Path
) -> None:
    """Draw a set, again with another seed while its tasks are unsound or repeat others."""
    condition = Condition(str(origin["condition"]), drawing.level, drawing.doses)
    faults: tuple[Fault, ...] = ()
    for attempt in range(TRIES_OF_CHANCE):
        if attempt >= TRIES and {fault.code for fault in faults} - _OF_CHANCE:
            break
        seed = draw_below(LARGEST, drawing.seed, "set", number, attempt)
        try:
            plain = _draw_plain(drawing.source, seed)
            faults = find_repetition_faults(plain, known)
            if faults:
                continue
            base = _make_base(drawing, plain, seed)
            package = build_package(base, condition, origin, drawing.source)
        except MaterialError as refused:
            faults = refused.faults
        else:
            _refuse_others(drawing, package)
            put_package(place, package)
            return
    raise MaterialError(*faults)


def _refuse_others(drawing: Drawing, package: Mapping[str, str | bytes]) -> None:
    """Raise where an agent would be given other files than in the package that is drawn from.

    Raises:
        MaterialError: another version of SOPForge made that package.
    """
    for name in SHARED if drawing.level == "L0" else ():
        made = package[name]
        if drawing.source.files[name] != (made.encode() if isinstance(made, str) else made):
            message = f"{name} would differ from the package's own file"
            hint = "publish the domain with this version of SOPForge, then draw from that release"
            raise MaterialError(Fault("draw-differs", message, name, hint))


def _draw_plain(source: Source, seed: int) -> Workspace:
    """Return the files of all stages but the levels, with tasks drawn by a seed.

    Raises:
        MaterialError: a check finds an error in them.
    """
    workspace = replace(source.plain, brief=replace(source.given.brief, draw_seed=seed))
    for stage in (DatasetStage(), ToolsStage()):
        with enter_step(stage.name):
            workspace = workspace.with_stage(stage.name, build_stage_anew(stage, workspace))
            refuse_errors(examine_stage(stage, workspace), stage.name)
    return workspace


def _make_base(drawing: Drawing, plain: Workspace, seed: int) -> Base:
    whole, evidence = make_source_base(drawing.source), read_package_evidence(drawing.folder)
    records = evidence.get(STAGE_RECORDS)
    release = str(drawing.source.provenance["release"])
    kept = Draw(seed, release, drawing.source.digest, read_records(records) if records else {})
    anew = (DatasetStage.name, ToolsStage.name)
    made = {name: digest_files(plain.select_stage_files(name)) for name in anew}
    return replace(
        whole,
        plain=plain,
        approvals={name: [] if name in anew else by for name, by in whole.approvals.items()},
        stages={**whole.stages, **made},
        carried={**whole.carried, DRAW: write_evidence(kept)},
        said={**whole.said, "drawn_from": release},
    )
