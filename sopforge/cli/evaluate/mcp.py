"""``sopforge mcp``: serve a package to clients of the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sopforge.cli.evaluate.run_options import UserOptions
from sopforge.cli.options import AskedPackage
from sopforge.cli.output import make_console, say
from sopforge.progress.tracking import wait_for_others


def mcp(
    asked: AskedPackage,
    http: Annotated[
        bool, typer.Option("--http", help="Serve over streamable HTTP instead of stdin and stdout.")
    ] = False,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 means a free one.")
    ] = 8322,
    task: Annotated[
        str, typer.Option(help="Serve only this task, already started [default: all tasks].")
    ] = "",
    seed: Annotated[int, typer.Option(min=0, help="Seed of each session.")] = 0,
    log: Annotated[
        Path | None, typer.Option(help="Append each finished session to this file.")
    ] = None,
    *,
    user: UserOptions,
) -> None:
    """Serve the SOP, tasks and live tools of a package over the Model Context Protocol."""
    from sopforge.cli.evaluate.users import make_served_user
    from sopforge.evaluation.serving.installed import require_sdk

    require_sdk()
    from sopforge.evaluation.serving.over_http import listen, write_url
    from sopforge.evaluation.serving.served import read_served
    from sopforge.evaluation.serving.serving import Serving

    with_user = user.read(seed)
    with asked.locate() as found:
        folder = found.require_place()
        served = read_served(folder)
        joined = make_served_user(with_user, folder, task) if with_user else None
    serving = Serving(served, task, seed, log, joined)
    if not http:
        with wait_for_others("a client"):
            serving.serve_stdio()
        return
    listener = listen(host, port)
    say(make_console(), f"Serving {served.shown.name} at {write_url(listener)} (stop with Ctrl+C)")
    with wait_for_others("clients"):
        serving.serve_http(listener)
