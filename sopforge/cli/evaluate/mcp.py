"""``sopforge mcp``: serve a package to clients of the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sopforge.cli.evaluate.run_options import Manners, UserMode, UserWords
from sopforge.cli.options import DEFAULT_STORE, PackageName, Sandbox, StorePlace, use_sandbox
from sopforge.cli.output import make_console, say, warn_yanked
from sopforge.progress.tracking import wait_for_others


def mcp(
    package: PackageName,
    http: Annotated[
        bool, typer.Option("--http", help="Serve over streamable HTTP instead of stdin and stdout.")
    ] = False,
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Port to listen on; 0 means a free one.")
    ] = 8322,
    task: Annotated[
        str,
        typer.Option("--task", help="Serve only this task, already started [default: all tasks]."),
    ] = "",
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of each session.")] = 0,
    log: Annotated[
        Path | None,
        typer.Option("--log", help="Append each finished session to this file."),
    ] = None,
    user: UserMode = "",
    manner: Manners = None,
    user_words: UserWords = None,
    sandbox: Sandbox = None,
    place: StorePlace = DEFAULT_STORE,
) -> None:
    """Serve the SOP, tasks and live tools of a package over the Model Context Protocol."""
    from sopforge.cli.evaluate.users import make_served_user, read_user
    from sopforge.releases.locating import locate_release
    from sopforge.serving.installed import require_sdk

    require_sdk()
    from sopforge.serving.over_http import listen, write_url
    from sopforge.serving.served import read_served
    from sopforge.serving.serving import Serving

    use_sandbox(sandbox)
    asked = read_user(user, manner or [], user_words, seed)
    with locate_release(package, place) as found:
        warn_yanked(found.yanked)
        folder = found.require_place()
        served = read_served(folder)
        joined = make_served_user(asked, folder, task) if asked else None
    serving = Serving(served, task, seed, log, joined)
    if not http:
        with wait_for_others("a client"):
            serving.serve_stdio()
        return
    listener = listen(host, port)
    say(make_console(), f"Serving {served.shown.name} at {write_url(listener)} (stop with Ctrl+C)")
    with wait_for_others("clients"):
        serving.serve_http(listener)
