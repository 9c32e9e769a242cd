"""``sopforge leaderboard``: a static site of all runs below a folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from re import fullmatch
from typing import Annotated

import typer

from sopforge.cli.options import DEFAULT_STORE, AsJson, StorePlace
from sopforge.cli.out_files import replace_out_folder
from sopforge.cli.output import make_console, print_json, say
from sopforge.errors import Fault, MaterialError

_MOST_NAMED = 5


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

    The site needs no server and no scripts. The command replaces a site that it wrote earlier,
    and refuses a folder that contains anything else.
    """
    from sopforge.evaluation.reporting.leaderboard import INDEX, MARKS, build_site

    _refuse_other(out, MARKS)
    site = build_site(folder, place, trajectories)
    replace_out_folder(out, site.pages)
    if as_json:
        print_json(
            {"out": str(out), "pages": list(site.pages), "runs": site.runs, "passed": site.passed}
        )
        return
    screen = make_console()
    say(screen, f"The leaderboard of {site.runs} runs is in {out / INDEX}.")
    for where, reason in site.passed.items():
        say(screen, f"Skipped: {where} ({reason}).")


def _refuse_other(out: Path, marks: Mapping[str, str]) -> None:
    """Raise where a folder holds something else than a leaderboard: all that it holds is replaced.

    ``marks`` have the patterns of the names of pages, each with what such a page says.
    """
    if not out.exists():
        return
    if not out.is_dir():
        message, hint = "it is a file", "choose a folder with --out"
        raise MaterialError(Fault("leaderboard-taken", message, str(out), hint))
    others = sorted(item.name for item in out.iterdir() if not _is_page(item, marks))
    if others:
        named = ", ".join(others[:_MOST_NAMED])
        more = f" and {len(others) - _MOST_NAMED} more" if len(others) > _MOST_NAMED else ""
        message = f"the folder contains other files: {named}{more}"
        hint = "choose another folder with --out, or move them away"
        raise MaterialError(Fault("leaderboard-taken", message, str(out), hint))


def _is_page(item: Path, marks: Mapping[str, str]) -> bool:
    said = [text for pattern, text in marks.items() if fullmatch(pattern, item.name)]
    return bool(said) and item.is_file() and said[0] in item.read_text("utf-8", "replace")
