"""Start-up, and a run that finds all as it was and changes nothing: shell commands by the clock.

Beside it stand the same command on an empty store, and Python with the command line loaded and
nothing done. The large brief takes a minute or two to be made first.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

BRIEFS = (Path("briefs/patient_intake.yaml"), Path("briefs/dangerous_goods.yaml"))
TRIES = 5
_LOADED = "import sopforge.cli.app"
_LIBRARIES = "import rich.console, typer.main"
_COMMAND = "from sopforge.cli import main; main()"


def main() -> None:
    """Print the tables."""
    Console().print(startup(), reruns(), sep="\n\n")


def startup() -> Table:
    """Return the seconds of the help, beside Python with the library that prints it."""
    shown = Table(title="sopforge --help, by the clock", box=None, title_justify="left")
    for column in ("the help", "of typer and rich loaded"):
        shown.add_column(column, justify="right")
    helped, loaded = (
        min(_seconds(source, "--help") for _ in range(TRIES)) for source in (_COMMAND, _LIBRARIES)
    )
    shown.add_row(f"{helped:.2f} s", f"{helped / loaded:.1f}")
    return shown


def reruns() -> Table:
    """Return the seconds of a first run and of those after it."""
    shown = Table(title="generate --approve-clean, by the clock", box=None, title_justify="left")
    for column in ("brief", "first", "again", "of the first", "of the command alone"):
        shown.add_column(column, justify="right")
    alone = min(_seconds(_LOADED) for _ in range(TRIES))
    for brief in BRIEFS:
        first, *later = _runs(brief)
        again = min(later)
        cells = f"{first:.1f} s", f"{again:.2f} s", f"{again / first:.4f}", f"{again / alone:.1f}"
        shown.add_row(brief.stem, *cells)
    return shown


def _runs(brief: Path) -> Iterator[float]:
    with TemporaryDirectory() as home:
        for _ in range(1 + TRIES):
            yield _seconds(_COMMAND, "generate", str(brief), "--approve-clean", "--store", home)


def _seconds(source: str, *arguments: str) -> float:
    """Return the seconds of a new Python process by the clock."""
    command, started = [sys.executable, "-c", source, *arguments], time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
