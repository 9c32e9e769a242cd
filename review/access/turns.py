"""Slow work takes turns, so that what few people ask for leaves the pages to all the others."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sopforge.errors import Fault, SopForgeError

_AT_ONCE = 2
_MOST_WAITING = 6


class BusyError(SopForgeError):
    """Too many wait for their turn already."""


class Turns:
    """Lets a few do slow work at once, and a few more wait; whoever else comes is sent away.

    Whoever waits holds one of the threads that answer pages, of which there are forty.
    """

    def __init__(self, at_once: int = _AT_ONCE, waiting: int = _MOST_WAITING) -> None:
        self._at_once = threading.Semaphore(at_once)
        self._admitted = threading.Semaphore(at_once + waiting)

    @contextmanager
    def take_turn(self) -> Iterator[None]:
        """Wait for a turn.

        Raises:
            BusyError: too many wait already.
        """
        if not self._admitted.acquire(blocking=False):
            hint = "try again in a moment; nothing was done"
            message = (
                "the server is busy running tools or checking texts and briefs for other users"
            )
            raise BusyError(Fault("pages-busy", message, "", hint))
        try:
            with self._at_once:
                yield
        finally:
            self._admitted.release()
