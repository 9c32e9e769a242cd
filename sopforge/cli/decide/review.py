"""``sopforge review``: serve the pages on which people look at what was made, and decide."""

from __future__ import annotations

import shlex
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from sopforge.cli.options import DEFAULT_STORE, Sandbox, StorePlace, use_sandbox
from sopforge.cli.output import make_console, say
from sopforge.cli.running.continuing import Continue, Starter, choose_continuation
from sopforge.cli.signing import SignersFile, load_signers
from sopforge.progress.tracking import wait_for_others

UsersFile = Annotated[
    Path | None,
    typer.Option(
        "--users",
        envvar="SOPFORGE_REVIEW_USERS",
        help="File with the users [default: sopforge/review-users.json in your settings folder].",
        show_default=False,
    ),
]


def review(
    place: StorePlace = DEFAULT_STORE,
    host: Annotated[
        str,
        typer.Option(
            help="Address to listen on. Any address except the default requires user accounts."
        ),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")] = 8321,
    public_url: Annotated[
        str,
        typer.Option(
            envvar="SOPFORGE_REVIEW_URL",
            metavar="URL",
            help="URL that reviewers open, if it differs from the address of this machine.",
        ),
    ] = "",
    users: UsersFile = None,
    identity_header: Annotated[
        str,
        typer.Option(
            help="HTTP header in which a reverse proxy passes the name of the logged-in user."
        ),
    ] = "",
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NETWORK",
            help="Address from which the proxy connects [default: this machine]. Can be repeated.",
            show_default=False,
        ),
    ] = None,
    remind_after: Annotated[
        float | None,
        typer.Option(
            envvar="SOPFORGE_REMIND_AFTER",
            metavar="HOURS",
            min=0.01,
            help="Hours until an open gate is overdue; reminders repeat at this interval.",
            show_default=False,
        ),
    ] = None,
    remind_url: Annotated[
        str,
        typer.Option(
            envvar="SOPFORGE_REMIND_URL",
            metavar="URL",
            help="Post reminders as JSON to this URL; if it is secret, set the environment variable"
            " instead.",
        ),
    ] = "",
    remind_command: Annotated[
        str,
        typer.Option(
            envvar="SOPFORGE_REMIND_COMMAND",
            metavar="COMMAND",
            help="Run this command for each reminder, with JSON on its standard input.",
        ),
    ] = "",
    allowed_signers: SignersFile = None,
    starter: Continue = Starter.NOBODY,
    sandbox: Sandbox = None,
) -> None:
    """Serve the review pages: an inbox, the stages and their changes, and forms for decisions."""
    from review.serving import get_default_users_file, refuse_exposed, refuse_reminders, serve
    from review.settings import Settings
    from sopforge.store.opening import open_store

    use_sandbox(sandbox)
    settings = Settings(
        users or get_default_users_file(),
        host,
        port,
        public_url.rstrip("/"),
        identity_header,
        remind_after=None if remind_after is None else timedelta(hours=remind_after),
        remind_url=remind_url,
        remind_command=_split_command(remind_command),
        signers_file=allowed_signers,
    ).with_proxies(proxy or ())
    refuse_exposed(settings)
    refuse_reminders(settings)
    screen, opened = make_console(), open_store(place)
    load_signers(opened, allowed_signers)  # raises where they cannot be read
    say(screen, f"Review {opened.place} at {settings.address}/ (stop with Ctrl+C)")
    if settings.is_private:
        say(
            screen,
            "Only this machine can open it. Unless you add users, decisions are recorded as yours.",
        )
    with wait_for_others("browsers"):
        serve(opened, settings, choose_continuation(starter))


def _split_command(command: str) -> tuple[str, ...]:
    """Return a command as words; raises what typer shows for a quote that is left open."""
    try:
        return tuple(shlex.split(command))
    except ValueError as cause:
        raise typer.BadParameter(f"--remind-command is not a command: {cause}") from cause
