"""Serving the app, on this machine alone unless users were named."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

import uvicorn

from review.access.users import UserFile
from review.app import create_app
from review.settings import Settings
from sopforge.errors import Fault, MaterialError
from sopforge.pipeline.runs.continuing import Continuation
from sopforge.proxies import refuse_faulty_proxies
from sopforge.store.versions import Store

_GRACE_SECONDS = 5


def get_default_users_file() -> Path:
    """Return where users are kept where nothing else is said: with the settings of who serves."""
    home = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(home) / "sopforge" / "review-users.json"


def serve(store: Store, settings: Settings, continuation: Continuation | None = None) -> None:
    """Serve the app until it is stopped; a ``continuation`` starts the runs that go on elsewhere.

    Raises:
        MaterialError: it would be open to others without users, or under no known name.
    """
    refuse_exposed(settings)
    refuse_reminders(settings)
    # The addresses that proxies report are not taken over: who asks is judged by who connects.
    uvicorn.run(
        create_app(store, settings, continuation=continuation),
        host=settings.host,
        port=settings.port,
        proxy_headers=False,
        server_header=False,
        log_level="warning",
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )


def refuse_exposed(settings: Settings) -> None:
    """Raise ``MaterialError`` for settings under which strangers could decide."""
    url = urlsplit(settings.public_url)
    if settings.public_url and (url.scheme not in {"http", "https"} or not url.hostname):
        hint = "write a web address, for example https://review.example.org"
        message = f"'{settings.public_url}' is not a web address"
        raise MaterialError(Fault("review-address", message, "--public-url", hint))
    if settings.is_private:
        return
    if not UserFile(settings.users_file).read_users():
        message = f"{settings.address} would be open to everybody, because no users are registered"
        hint = "add users first: sopforge review-user add NAME --role reviewer"
        raise MaterialError(Fault("review-exposed", message, str(settings.users_file), hint))
    if not settings.is_loopback and not settings.public_url:
        message = f"the address at which reviewers open {settings.host} is missing"
        hint = "state it with --public-url https://NAME"
        raise MaterialError(Fault("review-exposed", message, "--public-url", hint))


def refuse_reminders(settings: Settings) -> None:
    """Raise ``MaterialError`` for settings that would remind nobody; no address is repeated."""
    if settings.remind_url:
        refuse_faulty_proxies()
    has_channel = bool(settings.remind_url or settings.remind_command)
    if has_channel and settings.remind_after is None:
        message, where = "reminders have no waiting time", "--remind-after"
        raise _make_reminder_error(
            message, where, "state it in hours, for example --remind-after 24"
        )
    if settings.remind_url and settings.remind_command:
        message, where = "reminders have both an address and a command, but can use only one", ""
        raise _make_reminder_error(message, where, "leave out --remind-url or --remind-command")
    if settings.remind_url and not _is_web_address(settings.remind_url):
        message, where = "the target of reminders is not a web address", "--remind-url"
        raise _make_reminder_error(
            message, where, "write a web address, for example https://chat.example.org/hook"
        )


def _is_web_address(text: str) -> bool:
    try:
        url = urlsplit(text)
        return url.scheme in {"http", "https"} and bool(url.hostname) and url.port != 0
    except ValueError:
        return False


def _make_reminder_error(message: str, where: str, hint: str) -> MaterialError:
    return MaterialError(Fault("reminder-setting", message, where, hint))
