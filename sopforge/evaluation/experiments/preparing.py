"""The packages of an experiment: taken as they are, found in its folder, or built into it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sopforge.artifacts.packaging.checksums import (
    find_added_files,
    find_changed_files,
    read_folder_files,
)
from sopforge.artifacts.packaging.sop_bench import GRADER
from sopforge.errors import Fault, MaterialError, describe_system_error
from sopforge.evaluation.experiments.building import (
    Base,
    Files,
    build_branched_base,
    build_package,
    describe_origin,
    is_of_origin,
    make_source_base,
    refuse_errors,
)
from sopforge.evaluation.experiments.designs import Condition, Design
from sopforge.evaluation.experiments.sources import PROVENANCE, Source
from sopforge.evaluation.packages.proved import ProvedPackage, read_proved
from sopforge.parallel import map_in_processes
from sopforge.pipeline.releases.package_files import name_package
from sopforge.pipeline.stages.building.version import collect_garbage_rarely, examine_stage
from sopforge.pipeline.stages.sop import SopStage
from sopforge.progress.tracking import enter_step
from sopforge.store.backends.atomic_files import write_folder
from sopforge.untrusted.content import refuse_unreadable
from sopforge.workspace import PROFILE

PACKAGES = "packages"
FIGURES = ("sop_words", "sop_tokens", "tools", "steps", "branches", "rules")
"""What is kept of a profile."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A condition with its package, and what its profile says: how hard it became.

    ``put_in`` counts what each operator had room for.
    """

    condition: Condition
    package: ProvedPackage
    figures: Mapping[str, int]
    put_in: Mapping[str, int]

    @property
    def digest(self) -> str:
        """The digest of all that decides attempts and grades, by which its rows are known."""
        return self.package.digest


def prepare_conditions(
    source: Source, design: Design, out: Path, release: Path | None = None
) -> list[Prepared]:
    """Return the conditions of a design, with their packages below ``out``.

    What is there already, of the same inputs, stays. Levels are taken from the folder of the
    ``release``, where the source is part of one.

    Raises:
        MaterialError: a condition cannot be made, a check finds an error in it, or another package
            lies in its place.
    """
    places = {item: out / PACKAGES / item.name for item in design.conditions}
    taken = {item: _find_taken(source, item, release) for item in design.conditions}
    for condition, files in taken.items():
        if files is not None:
            put_package(places[condition], files)
    missing = [
        item
        for item in design.conditions
        if taken[item] is None and not is_there(places[item], describe_origin(source, design, item))
    ]
    bases = _build_bases(source, design, missing)

    def build(condition: Condition) -> None:
        with enter_step(condition.name):
            origin = describe_origin(source, design, condition)
            base = bases[condition.branches]
            put_package(places[condition], build_package(base, condition, origin, source))

    with collect_garbage_rarely():
        map_in_processes(build, missing, "packages built")
    found = [_read_prepared(condition, place) for condition, place in places.items()]
    _refuse_other_tasks(design, found)
    return found


def _find_taken(source: Source, condition: Condition, release: Path | None) -> Files | None:
    """Return a package that is taken as it is: the source itself, or a level published with it."""
    if condition.is_plain and not condition.branches:
        return source.files
    if condition.doses is not None or release is None:
        return None
    domain, version = source.given.brief.parts.domain, source.provenance["release"]
    folder = release / name_package(domain, condition.level, version)
    return read_folder_files(folder) if folder.is_dir() else None


def _build_bases(
    source: Source, design: Design, conditions: Sequence[Condition]
) -> dict[int, Base]:
    """Return what conditions are made from, by the number of branches."""
    counts = sorted({item.branches for item in conditions})

    def build(count: int) -> Base:
        if not count:
            # The levels are resolved to this text, so that nothing else finds it changed.
            refuse_errors(examine_stage(SopStage(), source.plain), "the source")
            return make_source_base(source)
        with enter_step(f"{design.branching} {count}"):
            return build_branched_base(source, design.branching, count)

    with collect_garbage_rarely():
        built = map_in_processes(build, counts, "models built")
    return dict(zip(counts, built, strict=True))


def is_there(place: Path, origin: Mapping[str, Any]) -> bool:
    """Return whether a package of this origin is in its place, whole.

    Raises:
        MaterialError: something else is.
    """
    if not place.exists():
        return False
    files = read_folder_files(place)
    with refuse_unreadable(str(place), str(place)):
        said = json.loads(files.get(PROVENANCE, b"{}"))
        is_same = is_of_origin(said, json.loads(json.dumps(origin)))
        if is_same and not find_changed_files(files) and not find_added_files(files):
            return True
    raise MaterialError(_make_taken_fault(place))


def put_package(place: Path, files: Files) -> None:
    """Write a package where nothing is; the same one may be there.

    Raises:
        MaterialError: another one is, or the place cannot be used.
    """
    try:
        write_folder(place, files)
    except FileExistsError as cause:
        wanted = {
            name: text.encode() if isinstance(text, str) else text for name, text in files.items()
        }
        if read_folder_files(place) != wanted:
            raise MaterialError(_make_taken_fault(place)) from cause
    except OSError as cause:
        message, hint = describe_system_error(cause, "folder with --out")
        raise MaterialError(Fault("run-folder-unusable", message, str(place), hint)) from cause


def _make_taken_fault(place: Path) -> Fault:
    message = "the folder contains a package made from other inputs, or a changed package"
    hint = "name another folder with --out, or remove it"
    return Fault("condition-taken", message, str(place), hint)


def _read_prepared(condition: Condition, place: Path) -> Prepared:
    package = read_proved(place)
    with refuse_unreadable(PROFILE, f"{place}/{GRADER}{PROFILE}"):
        profile = json.loads((place / GRADER / PROFILE).read_bytes())
        figures = {name: int(profile[name]) for name in FIGURES}
        put_in = {name: int(count) for name, count in profile["put_in"].items()}
    return Prepared(condition, package, figures, put_in)


def _refuse_other_tasks(design: Design, found: Sequence[Prepared]) -> None:
    """Raise where conditions of one model have other tasks or answers than the first of them."""
    by_condition = {item.condition: item for item in found}
    for item in found:
        first = by_condition[design.find_reference(item.condition)]
        if _list_answers(item) != _list_answers(first):
            one, other = item.condition.name, first.condition.name
            message = f"{one} and {other} have different tasks or answers"
            hint = "name a release whose packages belong together; 'sopforge verify' checks that"
            raise MaterialError(Fault("condition-differs", message, one, hint))


def _list_answers(item: Prepared) -> list[tuple[str, str, dict[str, str]]]:
    tasks = item.package.graded.tasks
    return [(task.id, task.split, dict(task.outcomes)) for task in tasks]
