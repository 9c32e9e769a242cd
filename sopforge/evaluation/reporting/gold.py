"""Gold trajectories for a report, from packages that are named or that the runs noted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from sopforge.domain.tasks import GoldCall
from sopforge.errors import Fault, MaterialError, SopForgeError
from sopforge.evaluation.packages.proved import ProvedPackage, read_proved
from sopforge.evaluation.runs.rows import NotedPackage, read_noted_packages
from sopforge.releases.locating import locate_release


@dataclass(frozen=True, slots=True)
class GoldTask:
    """What is right at a task; ``names`` has the tool for each other name that it is offered by."""

    text: str
    calls: tuple[GoldCall, ...]
    outcomes: Mapping[str, str]
    names: Mapping[str, str] = field(default_factory=dict)


def find_gold_tasks(
    wanted: Mapping[str, Iterable[str]],
    named: Iterable[str],
    runs: Iterable[Path],
    store: str,
) -> dict[tuple[str, str], GoldTask]:
    """Return the gold tasks of packages, by digest and task, as far as packages are found.

    ``wanted`` has the tasks by the digest of their package. Packages are those ``named``, then
    those that ``runs`` noted; a package that has changed since, or is gone, is passed over.

    Raises:
        SopForgeError: a named one is no package, or no attempt is of it.
    """
    found: dict[tuple[str, str], GoldTask] = {}
    for name in named:
        package = _read_package(name, store)
        if package.shown.digest not in wanted:
            message = "the runs have no attempt at a task of it, as it is now"
            hint = "name the packages that were evaluated, or leave '--packages' out"
            raise MaterialError(Fault("report-package-unused", message, name, hint))
        found |= _collect_tasks(package, wanted)
    for digest, noted in _iterate_noted(runs):
        lacking = digest in wanted and not any(key[0] == digest for key in found)
        if lacking:
            with suppress(SopForgeError):
                package = _read_package(noted.named, noted.store)
                if package.shown.digest == digest:
                    found |= _collect_tasks(package, wanted)
    return found


def _iterate_noted(runs: Iterable[Path]) -> Iterator[tuple[str, NotedPackage]]:
    for folder in runs:
        yield from read_noted_packages(folder).items()


def _read_package(name: str, store: str) -> ProvedPackage:
    with locate_release(name, store) as located:
        return read_proved(located.require_package())


def _collect_tasks(
    package: ProvedPackage, wanted: Mapping[str, Iterable[str]]
) -> dict[tuple[str, str], GoldTask]:
    digest = package.shown.digest
    tools = package.graded.model.tools.values()
    names = {tool.name: tool.same_as for tool in tools if tool.same_as}
    return {
        (digest, task): GoldTask(
            package.shown.tasks[task].text,
            package.gold[task].calls,
            package.gold[task].outcomes,
            names,
        )
        for task in wanted[digest]
        if task in package.gold
    }
