"""The packages of runs, found again where the runs noted them or where somebody says."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from sopforge.artifacts.rendering.sop.document import SopDocument
from sopforge.errors import Fault, MaterialError, SopForgeError
from sopforge.evaluation.figures.series import Series
from sopforge.evaluation.packages.package import EvaluatedPackage
from sopforge.evaluation.packages.proved import ProvedPackage
from sopforge.evaluation.packages.reading import read_evaluated
from sopforge.evaluation.runs.rows import read_noted_packages
from sopforge.evaluation.understanding.understanding import (
    Examiner,
    Understanding,
    make_dials_fault,
    read_traced_sop,
)
from sopforge.pipeline.releases.locating import locate_release

_Found: TypeAlias = Mapping[str, tuple[ProvedPackage, SopDocument | None]]


def examine_explainable(
    series: Sequence[Series], runs: Iterable[Path], named: Sequence[str], store: str
) -> Iterator[tuple[Examiner, Understanding]]:
    """Yield the same of those series alone whose answers can be explained.

    Passed over are packages of others, levels and runs with dials, and what is gone or has changed
    since.
    """
    wanted = {item.digest for item in series}
    places = [(name, store) for name in named] or list_noted(runs, wanted, store)
    found: dict[str, tuple[ProvedPackage, SopDocument | None]] = {}
    for place in places:
        with suppress(SopForgeError, OSError):
            found |= _read_packages([place], wanted)
    known = [item for item in series if item.digest in found]
    for examiner, group in _group_by_examiner(known, found):
        if examiner.has_answers(group):
            yield examiner, examiner.examine(group)


def examine_series(
    series: Sequence[Series], runs: Iterable[Path], named: Sequence[str], store: str
) -> Iterator[tuple[Examiner, Understanding]]:
    """Yield what each agent has understood, with the examiner of its packages.

    Packages are those ``named``, else those that ``runs`` noted. What an agent answered in several
    draws of one package counts together.

    Raises:
        SopForgeError: a package is gone or has changed since, or its answers cannot be explained.
    """
    wanted = {item.digest for item in series}
    places = [(name, store) for name in named] or list_noted(runs, wanted, store)
    found = _read_packages(places, wanted)
    _refuse_gone(series, found)
    for examiner, group in _group_by_examiner(series, found):
        yield examiner, examiner.examine(group)


def _group_by_examiner(
    series: Iterable[Series], found: _Found
) -> Iterator[tuple[Examiner, list[Series]]]:
    examiners: dict[tuple[str, ...], Examiner] = {}
    packages = {digest: package for digest, (package, _) in found.items()}
    for group in group_draws(series, packages):
        digests = tuple(dict.fromkeys(item.digest for item in group))
        if digests not in examiners:
            drawn = [packages[digest] for digest in digests]
            examiners[digests] = Examiner(drawn, found[digests[0]][1])
        yield examiners[digests], group


def require_plain(package: EvaluatedPackage, folder: Path) -> ProvedPackage:
    """Return a package whose answers can be explained.

    Raises:
        MaterialError: it has no model, or is of a level with dials.
    """
    if not isinstance(package, ProvedPackage):
        message = "the package has no model to explain its answers"
        hint = "diagnose runs on packages that SOPForge made"
        raise MaterialError(Fault("diagnosis-without-model", message, str(folder), hint))
    if package.cases is not package.plain:
        raise MaterialError(make_dials_fault(str(folder)))
    return package


def list_noted(runs: Iterable[Path], wanted: Container[str], store: str) -> list[tuple[str, str]]:
    """Return the names of packages that runs noted, each with its store, by wanted digests.

    Those with a mapping are of others, and have no model. Left out is what is at an address that
    the user's ``store`` does not have.
    """
    noted = (pair for run in runs for pair in read_noted_packages(run).items())
    return [
        (item.named, item.store)
        for digest, item in noted
        if digest in wanted and not item.mapping and item.is_reached_by(store)
    ]


def iterate_wanted(
    places: Iterable[tuple[str, str]], wanted: Container[str]
) -> Iterator[tuple[EvaluatedPackage, Path]]:
    """Yield the packages that are wanted, by their digests, each with its folder."""
    for name, store in places:
        with locate_release(name, store) as located:
            folder = located.require_package()
            package = read_evaluated(folder)
            if package.digest in wanted:
                yield package, folder


def group_draws(
    series: Iterable[Series], packages: Mapping[str, ProvedPackage]
) -> list[list[Series]]:
    """Return the series of one agent on several draws of a package together."""
    groups: list[list[Series]] = []
    for item in series:
        group = next((group for group in groups if are_draws(group[0], item, packages)), None)
        if group is None:
            groups.append([item])
        else:
            group.append(item)
    return groups


def are_draws(one: Series, other: Series, packages: Mapping[str, ProvedPackage]) -> bool:
    """Return whether one agent worked on two packages that differ in their tasks alone."""
    if (one.agent, one.settings) != (other.agent, other.settings):
        return False
    if one.digest not in packages or other.digest not in packages:
        return False
    return packages[one.digest].is_other_draw_of(packages[other.digest])


def _read_packages(places: Iterable[tuple[str, str]], wanted: Container[str]) -> _Found:
    """Return the packages that are wanted, by their digests, each with its SOP."""
    return {
        package.digest: (require_plain(package, folder), read_traced_sop(folder))
        for package, folder in iterate_wanted(places, wanted)
    }


def _refuse_gone(series: Iterable[Series], found: _Found) -> None:
    for item in series:
        if item.digest not in found:
            message = f"the package {item.package} of this run no longer exists or has changed"
            hint = "name the package of the run with '--packages', or evaluate it again"
            raise MaterialError(Fault("diagnosis-package-gone", message, item.package, hint))
