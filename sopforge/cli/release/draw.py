"""``sopforge draw``: a private test set of a release, or tasks of a package without end."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sopforge.cli.completing import list_domain_names, list_version_names
from sopforge.cli.options import (
    DEFAULT_STORE,
    AsJson,
    Sandbox,
    StorePlace,
    require_domain,
    use_sandbox,
)
from sopforge.cli.output import make_console, print_json, say
from sopforge.cli.release.publish import WithWords, build_release_record, show_release
from sopforge.errors import Fault, MaterialError
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
            "--of",
            metavar="RELEASE",
            help="Release to draw from [default: the newest].",
            autocompletion=list_version_names,
        ),
    ] = "",
    count: Annotated[
        int | None,
        typer.Option(
            "--count", min=1, help="Draw this many tasks into a folder, one set after another."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            help="With --count, folder for the tasks [default: draw]. An unfinished draw in it"
            " continues.",
        ),
    ] = None,
    level: Annotated[
        str, typer.Option("--level", help="With --count, complexity level of the tasks.")
    ] = "L0",
    seed: Annotated[
        int | None,
        typer.Option("--seed", min=0, help="Seed for the tasks [default: a secret seed]."),
    ] = None,
    place: StorePlace = DEFAULT_STORE,
    sandbox: Sandbox = None,
    with_words: WithWords = False,
    as_json: AsJson = False,
) -> None:
    """Generate new tasks for the SOP and the tools of a release.

    Without --count, the command saves the tasks in the store as a private test set of the
    release. With --count, it writes that many tasks to a folder. Use them for training, or for
    tests that nobody can have seen.
    """
    use_sandbox(sandbox)
    if count is None:
        _refuse_options(
            {"--out": out is not None, "--level": level != "L0"},
            "need --count",
            "add --count or leave them out",
        )
        _draw_private_set(domain, of, seed, place, with_words=with_words, as_json=as_json)
    else:
        chosen = {"--of": bool(of), "--with-words": with_words}
        _refuse_options(
            chosen, "cannot be used with --count", "leave --count out, or leave them out"
        )
        _draw_stream(domain, place, count, seed, level, out or Path("draw"), as_json=as_json)


def _refuse_options(given: dict[str, bool], why: str, hint: str) -> None:
    wrong = [name for name, is_given in given.items() if is_given]
    if wrong:
        message = f"{' and '.join(wrong)} {why}"
        raise MaterialError(Fault("draw-options", message, wrong[0], hint))


def _draw_private_set(
    domain: str, of: str, seed: int | None, place: str, *, with_words: bool, as_json: bool
) -> None:
    from sopforge.releases.locating import find_newest_release
    from sopforge.releases.private_sets import draw_anew
    from sopforge.store.opening import open_store

    opened, screen = open_store(place), make_console()
    name = require_domain(opened, domain)
    base = of or find_newest_release(opened, name)
    with enter_step("draw"):
        done = draw_anew(opened, name, base, seed=seed, with_words=with_words)
    if as_json:
        print_json(build_release_record(name, done))
        return
    say(screen, f"Drew {name} {done.version} from {base}, in {done.place}")
    show_release(screen, done)
    say(screen, "Keep it private: anyone who has it can train on it.")


def _draw_stream(
    package: str,
    place: str,
    count: int,
    seed: int | None,
    level: str,
    out: Path,
    *,
    as_json: bool,
) -> None:
    from sopforge.evaluation.draws.stream import draw_tasks
    from sopforge.releases.locating import locate_release

    with locate_release(package, place) as found:
        done = draw_tasks(found.require_package(), count, seed, level, out)
    sets = list(map(str, done.sets))
    if as_json:
        print_json({"out": str(out), "tasks": count, "lines": str(done.lines), "packages": sets})
        return
    screen = make_console()
    say(screen, f"{count} tasks are in {done.lines}, and in {len(sets)} packages in {out}.")
    if done.beyond:
        say(
            screen,
            f"The last package has {done.beyond} more tasks, so that it covers the procedure.",
        )
    say(screen, "Keep them private: anyone who has them can train on them.")
