"""Something done every so often beside the work, by a thread that no fork has to fear."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Self

turn = threading.RLock()
"""Held while a thread ticks, and while the process is copied: no copy has a lock of a tick."""
os.register_at_fork(before=turn.acquire, after_in_parent=turn.release, after_in_child=turn.release)


class Ticker(threading.Thread):
    """Does something every so many seconds, also while the main thread is deep in a library.

    It does so as long as it is entered, and in its ``turn``: whoever shares something with it takes
    turns with it.
    """

    def __init__(self, tick: Callable[[], None], seconds: float) -> None:
        super().__init__(name="ticker", daemon=True)
        self._tick, self._seconds = tick, seconds
        self._is_over = threading.Event()

    def run(self) -> None:
        # A terminal that was closed, or a pipe that nobody reads, ends what is shown and no more.
        with suppress(OSError):
            while not self._is_over.wait(self._seconds):
                with turn:
                    self._tick()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self.join()


def count_working_threads() -> int:
    """Return how many threads may hold a lock at any time: all but those that tick."""
    return sum(not isinstance(thread, Ticker) for thread in threading.enumerate())
