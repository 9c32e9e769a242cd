"""``sopforge leaderboard``: a static site of all runs below a folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from sopforge.cli.options import DEFAULT_STORE, AsJson, StorePlace
from sopforge.cli.output import make_console, print_json, say
from sopforge.cli.screens.work_view import show_work
from sopforge.errors import Fault, MaterialError


def leaderboard(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER", help="Folder that contains runs, directly or in subfolders."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", help="Folder for the site.")] = Path("leaderboard"),
    trajectories: Annotated[
        int,
        typer.Option(
            "--trajectories", min=0, help="Number of wrong attempts to show for each agent."
        ),
    ] = 10,
    as_json: AsJson = False,
    place: StorePlace = DEFAULT_STORE,
) -> None:
    """Write a static site that shows, for each domain, what you can trust each agent with.

    The site needs no server and no scripts. The command replaces a site that it wrote earlier.
    """
    from sopforge.evaluation.reporting.leaderboard import INDEX, build_site

    _refuse_other(out, INDEX)
    with show_work(make_console(stderr=as_json)):
        site = build_site(folder, place, trajectories)
    _write(out, site.pages)
    if as_json:
        print_json(
            {"out": str(out), "pages": list(site.pages), "runs": site.runs, "passed": site.passed}
        )
        return
    screen = make_console()
    say(screen, f"The leaderboard of {site.runs} runs is in {out / INDEX}.")
    for where, reason in site.passed.items():
        say(screen, f"Skipped: {where} ({reason}).")


def _refuse_other(out: Path, index: str) -> None:
    """Raise where a folder holds something else than a leaderboard."""
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    page = out / index
    is_ours = page.is_file() and "SOPForge leaderboard" in page.read_text("utf-8", "replace")
    if not is_ours:
        message, hint = "the folder contains other files", "choose another folder with --out"
        raise MaterialError(Fault("leaderboard-taken", message, str(out), hint))


def _write(out: Path, pages: Mapping[str, str]) -> None:
    """Write a site wholly or not at all: it is whole before it takes the place of another."""
    import shutil

    from sopforge.store.backends.atomic_files import write_folder

    place = out.absolute()
    before, new = (place.with_name(f".{place.name}-{name}") for name in ("before", "new"))
    files = {name: text.encode(errors="backslashreplace") for name, text in pages.items()}
    try:
        for left in (before, new):
            shutil.rmtree(left, ignore_errors=True)
        write_folder(new, files)
        if place.exists():
            place.rename(before)
        try:
            new.rename(place)
        except OSError:
            if before.exists():
                before.rename(place)
            raise
        shutil.rmtree(before, ignore_errors=True)
    except OSError as cause:
        message = f"it cannot be written: {cause.strerror}"
        fault = Fault("report-not-written", message, str(out), "name another folder")
        raise MaterialError(fault) from cause
