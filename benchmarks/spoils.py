"""What share of a package's spoils ``sopforge check`` catches, how, and which pass.

Run as ``python -m benchmarks.spoils PACKAGE [--most N] [--processes N] [--only FILE]``. All digests
are made anew after each spoil, so that the content has to be noticed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

from benchmarks.package_spoils import Spoil, draw_spoils, names_of, refreshed
from benchmarks.shared_checks import SharedChecks
from sopforge.checks.auditing.audit import audit_whole
from sopforge.findings import Finding, Severity
from sopforge.pipeline.releases.rebuilding.derivation import check_derivation
from sopforge.pipeline.releases.rebuilding.rebuild import check_rebuilding
from sopforge.store.backends.atomic_files import fill_folder

UNDERSTOOD, DERIVED, REBUILT, CRASHED, NOTED, PASSED = HOWS = (
    *("understood", "derived", "rebuilt"),
    *("crashed", "noted", "passed"),
)
LEFT = frozenset({CRASHED, NOTED, PASSED})
"""What is no catch: the checks break, merely note something, or say nothing."""
BYTES = frozenset({"checksum", "file-not-derived", "file-not-rebuilt"})
"""The findings that compare bytes; every other one understands what it compares."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a spoil was caught, and by which finding."""

    spoil: Spoil
    how: str
    finding: str


def judge(files: Mapping[str, bytes], spoil: Spoil) -> Result:
    """Return what the checks make of a package with one spoil."""
    spoiled = refreshed({**files, spoil.file: spoil.content}, spoil.file)
    with TemporaryDirectory(prefix="spoil-", dir=_memory()) as home:
        folder = Path(home) / "package"
        fill_folder(folder, spoiled)
        notes = []
        for find in (_understanding, check_derivation, check_rebuilding):
            try:
                found = find(folder)
            except Exception as broken:  # noqa: BLE001 - a check that breaks is a result, too
                return Result(spoil, CRASHED, f"{type(broken).__name__}: {str(broken)[:200]}")
            weighty = [item for item in found if item.severity is not Severity.NOTE]
            notes += [item for item in found if item.severity is Severity.NOTE]
            if weighty:
                return Result(spoil, _how(find, weighty), _describe(weighty))
    return Result(spoil, NOTED if notes else PASSED, _describe(notes))


def _understanding(folder: Path) -> list[Finding]:
    return list(audit_whole(folder).findings)


def _how(find: object, found: Iterable[Finding]) -> str:
    if find is check_rebuilding:
        return REBUILT
    if find is check_derivation:
        return DERIVED
    return UNDERSTOOD if {item.id for item in found} - BYTES else DERIVED


def _describe(found: Iterable[Finding]) -> str:
    first = sorted(found, key=lambda item: item.id in BYTES)[:1]
    return "".join(f"{item.id}: {item.message} ({item.where})" for item in first)


def _memory() -> str | None:
    """Return a folder in memory, where there is one."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - folders of our own in it


@lru_cache(maxsize=1)
def _read(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def _judged(folder: Path, spoil: Spoil) -> Result:
    return judge(_read(folder), spoil)


def _prepare(folder: Path) -> None:
    """Have a process share what checks find in the sound package."""
    SharedChecks().install()
    if any(item.severity is not Severity.NOTE for item in _understanding(folder)):
        raise SystemExit("the package without a spoil is refused")


def results(folder: Path, spoils: list[Spoil], processes: int) -> Iterator[Result]:
    """Return what became of each spoil, in their order."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        processes, mp_context=context, initializer=_prepare, initargs=(folder,)
    ) as pool:
        yield from pool.map(partial(_judged, folder), spoils, chunksize=4)


def main() -> None:
    """Print how the spoils of each file and kind were caught, then each one that passes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("package", type=Path)
    parser.add_argument("--most", type=int, default=12)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", default="", help="files whose names contain this")
    parser.add_argument("--list", action="store_true", help="list what caught each spoil, too")
    asked = parser.parse_args()
    files = _read(asked.package)
    chosen = {name: content for name, content in files.items() if asked.only in name}
    spoils = draw_spoils(chosen, names_of(files), asked.most, asked.seed)
    found = []
    for number, result in enumerate(results(asked.package, spoils, asked.processes), start=1):
        found.append(result)
        if number % 50 == 0:
            sys.stderr.write(f"{number} of {len(spoils)}\n")
    _print(found, with_all=asked.list)


def _print(found: list[Result], *, with_all: bool) -> None:
    screen = Console(width=200)
    for title in ("file", "kind"):
        counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for result in found:
            counts[getattr(result.spoil, title)][result.how] += 1
        shown = Table(title=f"Spoils by {title}", box=None, title_justify="left")
        shown.add_column(title)
        for how in ("all", *HOWS):
            shown.add_column(how, justify="right")
        total = sum(counts.values(), Counter())
        for name, row in [*sorted(counts.items()), ("all", total)]:
            shown.add_row(name, str(row.total()), *(str(row[how] or "") for how in HOWS))
        screen.print(shown)
    left = [result for result in found if result.how in LEFT]
    screen.print(f"caught: {1 - len(left) / len(found):.2%} of {len(found)}")
    for result in found if with_all else left:
        spoil = result.spoil
        line = f"{result.how}: {spoil.file}, {spoil.kind}, {spoil.change}"
        screen.print(f"{line} {result.finding[:160]}", markup=False, soft_wrap=True)


if __name__ == "__main__":
    main()
