"""``sopforge draw``: a private test set of a release, or tasks of a package without end."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from sopforge.cli.completing import list_domain_names, list_version_names
from sopforge.cli.options import (
    DEFAULT_STORE,
    Sandbox,
    StorePlace,
    refuse_options,
    require_domain,
    use_sandbox,
)
from sopforge.cli.output import Result
from sopforge.cli.release.publish import WithWords, build_release_record, lay_out_release
from sopforge.progress.tracking import enter_step


def draw(
    domain: Annotated[
        str,
        typer.Argument(
            metavar="DOMAIN|PACKAGE",
            help="Domain in the store; with --count, a plain package (L0) as for 'evaluate'.",
            autocompletion=list_domain_names,
        ),
    ],
    of: Annotated[
        str,
        typer.Option(
            metavar="RELEASE",
            help="Release to draw from [default: the newest].",
            autocompletion=list_version_names,
        ),
    ] = "",
    count: Annotated[
        int | None,
        typer.Option(min=1, help="Draw this many tasks into a folder, one set after another."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="With --count, folder for the tasks [default: draw]. An unfinished draw in it"
            " continues.",
        ),
    ] = None,
    level: Annotated[str, typer.Option(help="With --count, complexity level of the tasks.")] = "L0",
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed for the tasks [default: a secret seed].")
    ] = None,
    place: StorePlace = DEFAULT_STORE,
    sandbox: Sandbox = None,
    with_words: WithWords = False,
) -> Result:
    """Generate new tasks for the SOP and the tools of a release.

    Without --count, the command saves the tasks in the store as a private test set of the
    release. With --count, it writes that many tasks to a folder. Use them for training, or for
    tests that nobody can have seen.
    """
    use_sandbox(sandbox)
    if count is None:
        refuse_options({"--out": out, "--level": level != "L0"}, "without --count")
        return _draw_private_set(domain, of, seed, place, with_words=with_words)
    refuse_options({"--of": of, "--with-words": with_words}, "with --count")
    return _draw_stream(domain, place, count, seed, level, out or Path("draw"))


def _draw_private_set(
    domain: str, of: str, seed: int | None, place: str, *, with_words: bool
) -> Result:
    from sopforge.pipeline.releases.locating import find_newest_release
    from sopforge.pipeline.releases.private_sets import draw_anew
    from sopforge.store.opening import open_store

    found = require_domain(open_store(place), domain)
    base = of or find_newest_release(found)
    with enter_step("draw"):
        done = draw_anew(found, base, seed=seed, with_words=with_words)
    parts = (
        [f"Drew {found} {done.version} from {base}, in {done.place}"],
        lay_out_release(done),
        ["Keep it private: anyone who has it can train on it."],
    )
    return Result(build_release_record(found.name, done), chain.from_iterable(parts))


def _draw_stream(
    package: str, place: str, count: int, seed: int | None, level: str, out: Path
) -> Result:
    from sopforge.evaluation.draws.stream import draw_tasks
    from sopforge.pipeline.releases.locating import locate_release

    with locate_release(package, place) as found:
        done = draw_tasks(found.require_package(), count, seed, level, out)
    sets = list(map(str, done.sets))
    lines = [f"{count} tasks are in {done.lines}, and in {len(sets)} packages in {out}."]
    if done.beyond:
        lines.append(
            f"The last package has {done.beyond} more tasks, so that it covers the procedure."
        )
    lines.append("Keep them private: anyone who has them can train on them.")
    record = {"out": str(out), "tasks": count, "lines": str(done.lines), "packages": sets}
    return Result(record, lines)
