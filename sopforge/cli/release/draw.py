"""``sopforge draw``: a private test set of a release."""

from __future__ import annotations

from typing import Annotated

import typer

from sopforge.cli.completing import list_version_names
from sopforge.cli.options import (
    DEFAULT_STORE,
    AsJson,
    Domain,
    Sandbox,
    StorePlace,
    require_domain,
    store_to_write,
    use_sandbox,
)
from sopforge.cli.output import make_console, print_json, say
from sopforge.cli.release.publish import WithWords, build_release_record, show_release
from sopforge.cli.screens.work_view import show_work
from sopforge.progress.tracking import enter_step


def draw(
    domain: Domain,
    of: Annotated[
        str,
        typer.Option(
            "--of",
            help="The release to draw from [default: the newest].",
            autocompletion=list_version_names,
        ),
    ] = "",
    seed: Annotated[
        int | None,
        typer.Option("--seed", min=0, help="A seed of your own [default: a secret one]."),
    ] = None,
    place: StorePlace = DEFAULT_STORE,
    sandbox: Sandbox = None,
    with_words: WithWords = False,
    as_json: AsJson = False,
) -> None:
    """Draw the tasks of a release anew, as a private test set with the same SOP and tools."""
    from sopforge.releases.locating import find_newest_release
    from sopforge.releases.private_sets import draw_anew

    use_sandbox(sandbox)
    opened, screen = store_to_write(place), make_console()
    name = require_domain(opened, domain)
    base = of or find_newest_release(opened, name)
    with show_work(make_console(stderr=as_json)), enter_step("draw"):
        done = draw_anew(opened, name, base, seed=seed, with_words=with_words)
    if as_json:
        print_json(build_release_record(name, done))
        return
    say(screen, f"Drew {name} {done.version} from {base}, in {done.place}")
    show_release(screen, done)
    say(screen, "Keep it private: whoever has it can train on it.")
