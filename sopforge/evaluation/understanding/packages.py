"""The packages of runs, found again where the runs noted them or where somebody says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from sopforge.errors import Fault, MaterialError
from sopforge.evaluation.figures.series import Series
from sopforge.evaluation.packages.reading import read_evaluated
from sopforge.evaluation.runs.rows import read_noted_packages
from sopforge.evaluation.understanding.understanding import Examiner, Understanding
from sopforge.releases.locating import locate_release


def examine_series(
    series: Sequence[Series], runs: Iterable[Path], named: Sequence[str], store: str
) -> Iterator[tuple[Examiner, Understanding]]:
    """Yield what each agent has understood, with the examiner of its package.

    Packages are those ``named``, else those that ``runs`` noted.

    Raises:
        SopForgeError: a package is gone or has changed since, or its answers cannot be explained.
    """
    places = [(name, store) for name in named] or _list_noted(runs)
    found: dict[str, Examiner] = {}
    wanted = {item.digest for item in series}
    for name, place in places:
        with locate_release(name, place) as located:
            folder = located.require_package()
            package = read_evaluated(folder)
            if package.digest in wanted and package.digest not in found:
                found[package.digest] = Examiner.read(package, folder)
    for item in series:
        if item.digest not in found:
            message = f"the package {item.package} of this run is gone, or has changed since"
            hint = "name it as it was evaluated with '--packages', or evaluate it again"
            raise MaterialError(Fault("diagnosis-package-gone", message, item.package, hint))
        yield found[item.digest], found[item.digest].examine(item)


def _list_noted(runs: Iterable[Path]) -> list[tuple[str, str]]:
    noted = [item for run in runs for item in read_noted_packages(run).values()]
    return [(item.named, item.store) for item in noted if not item.mapping]
