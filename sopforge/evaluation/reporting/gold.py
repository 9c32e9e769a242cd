"""Gold trajectories for a report, from packages that are named or that the runs noted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from sopforge.errors import Fault, MaterialError, SopForgeError
from sopforge.evaluation.packages.package import EvaluatedPackage, GoldTask
from sopforge.evaluation.packages.reading import read_evaluated
from sopforge.evaluation.runs.rows import NotedPackage, read_noted_packages
from sopforge.pipeline.releases.locating import locate_release


def find_gold_tasks(
    wanted: Mapping[str, Iterable[str]],
    named: Iterable[str],
    runs: Iterable[Path],
    store: str,
) -> dict[tuple[str, str], GoldTask]:
    """Return the gold tasks of packages, by digest and task, as far as packages are found.

    ``wanted`` has the tasks by the digest of their package. Packages are those ``named``, then
    those that ``runs`` noted. Passed over is a package that has changed since, is gone, or is at an
    address that is not in ``store``.

    Raises:
        SopForgeError: a named one is no package, or no attempt is of it.
    """
    found: dict[tuple[str, str], GoldTask] = {}
    for name in named:
        package = _read_package(name, store)
        if package.digest not in wanted:
            message = "the runs have no attempt at a task of the package as it is now"
            hint = "name the packages that were evaluated, or omit '--packages'"
            raise MaterialError(Fault("report-package-unused", message, name, hint))
        found |= _collect_tasks(package, wanted)
    for digest, noted in _iterate_noted(runs):
        lacking = digest in wanted and not any(key[0] == digest for key in found)
        if lacking and noted.is_reached_by(store):
            with suppress(SopForgeError, OSError):
                package = _read_package(noted.named, noted.store, noted.mapping)
                if package.digest == digest:
                    found |= _collect_tasks(package, wanted)
    return found


def _iterate_noted(runs: Iterable[Path]) -> Iterator[tuple[str, NotedPackage]]:
    for folder in runs:
        yield from read_noted_packages(folder).items()


def _read_package(name: str, store: str, mapping: str = "") -> EvaluatedPackage:
    with locate_release(name, store) as located:
        return read_evaluated(located.require_package(), Path(mapping) if mapping else None)


def _collect_tasks(
    package: EvaluatedPackage, wanted: Mapping[str, Iterable[str]]
) -> dict[tuple[str, str], GoldTask]:
    digest, known = package.digest, package.shown.tasks
    tasks = [task for task in wanted[digest] if task in known]
    return {(digest, task): package.describe_gold(task) for task in tasks}
