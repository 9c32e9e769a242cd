"""How a reminder reaches people: JSON that is posted to an address, or given to a command.

Neither the address nor the command may appear in a message: either may hold a secret.
"""

from __future__ import annotations

import json
import logging
import subprocess
from collections.abc import Mapping
from typing import Any, Protocol
from urllib.parse import urlsplit

import httpx

from review.settings import Settings

_HTTP_SECONDS = 5.0
_COMMAND_SECONDS = 30.0


class NotDeliveredError(Exception):
    """A reminder was not taken; where ``is_away``, no other would be."""

    def __init__(self, why: str, *, is_away: bool) -> None:
        super().__init__(why)
        self.is_away = is_away


class Delivery(Protocol):
    """A channel through which reminders reach people."""

    def __call__(self, reminder: Mapping[str, Any]) -> None:
        """Deliver a reminder; raises ``NotDeliveredError``."""


def choose_delivery(settings: Settings) -> Delivery | None:
    """Return the channel that settings name, or None."""
    if settings.remind_url:
        return Webhook(settings.remind_url)
    return Command(settings.remind_command) if settings.remind_command else None


class Webhook:
    """Posts reminders as JSON."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._host = urlsplit(url).hostname or ""
        for name in ("httpx", "httpcore"):
            # They log the whole address of each request.
            logging.getLogger(name).setLevel(logging.WARNING)

    def __call__(self, reminder: Mapping[str, Any]) -> None:
        """Post a reminder; any answer below 300 means that it was taken."""
        try:
            # Only how it begins is read, for what follows may have no end.
            with httpx.stream(
                "POST", self._url, json=dict(reminder), timeout=_HTTP_SECONDS
            ) as answer:
                status = answer.status_code
        except (httpx.HTTPError, httpx.InvalidURL) as cause:
            why = f"{self._host} does not answer: {type(cause).__name__}"
            # What the library says of it may hold the address.
            raise NotDeliveredError(why, is_away=True) from None
        if not httpx.codes.is_success(status):
            why = f"{self._host} answered with {status}"
            raise NotDeliveredError(why, is_away=False)


class Command:
    """Runs a command for each reminder, with JSON on its standard input."""

    def __init__(self, words: tuple[str, ...]) -> None:
        self._words = words

    def __call__(self, reminder: Mapping[str, Any]) -> None:
        """Run the command; exit code 0 means that the reminder was taken."""
        try:
            ended = subprocess.run(  # noqa: S603 - whoever serves the app names it; no shell
                self._words,
                input=json.dumps(reminder).encode(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=_COMMAND_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as cause:
            why = f"the reminder command cannot be started: {type(cause).__name__}"
            raise NotDeliveredError(why, is_away=True) from None
        if ended.returncode:
            why = f"the reminder command ended with exit code {ended.returncode}"
            raise NotDeliveredError(why, is_away=False)
