"""``sopforge report --site``: a static site of all runs below a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from re import fullmatch

from sopforge.cli.out_files import replace_out_folder
from sopforge.cli.output import Result
from sopforge.errors import Fault, MaterialError

_MOST_NAMED = 5


def write_site(
    folders: Sequence[str], place: str, out: Path | None, trajectories: int | None
) -> Result:
    """Write a static site that shows, for each domain, what each agent can be trusted with.

    Raises:
        MaterialError: several folders are named, or the one to write to holds something else.
    """
    from sopforge.evaluation.reporting.leaderboard import INDEX, MARKS, build_site

    if len(folders) > 1:
        message, hint = "a site is of one folder", "name the folder that contains all runs"
        raise MaterialError(Fault("site-of-several", message, folders[1], hint))
    out = out or Path("leaderboard")
    _refuse_other(out, MARKS)
    site = build_site(Path(folders[0]), place, 10 if trajectories is None else trajectories)
    replace_out_folder(out, site.pages)
    skipped = (f"Skipped: {where} ({reason})." for where, reason in site.passed.items())
    return Result(
        {"out": str(out), "pages": list(site.pages), "runs": site.runs, "passed": site.passed},
        [f"The leaderboard of {site.runs} runs is in {out / INDEX}.", *skipped],
    )


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
