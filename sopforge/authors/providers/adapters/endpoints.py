"""One limit per endpoint: how many questions are open at once, and when the next may be asked."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock


class Endpoint:
    """Lets so many questions through at once, and none while the endpoint wants fewer."""

    def __init__(
        self,
        concurrency: int,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._slots = BoundedSemaphore(concurrency)
        self._clock = clock
        self._sleep = sleep
        self._lock = Lock()
        self._not_before = 0.0

    @contextmanager
    def hold_slot(self) -> Iterator[None]:
        """Hold one of the slots, once the endpoint may be asked again."""
        with self._slots:
            # Looked at again after each wait: meanwhile another worker may have been asked to slow
            # down.
            while (wait := self._wait()) > 0:
                self._sleep(wait)
            yield

    def slow_down(self, seconds: float) -> None:
        """Ask nothing for so long, whoever asks."""
        with self._lock:
            # A short wait that is asked for later must not cut off a longer one.
            self._not_before = max(self._not_before, self._clock() + seconds)

    def _wait(self) -> float:
        with self._lock:
            return self._not_before - self._clock()


class Endpoints:
    """The endpoints of a process by their address."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: dict[str, Endpoint] = {}

    def get_endpoint(self, address: str, concurrency: int) -> Endpoint:
        """Return the endpoint; whoever names it first says how many questions it takes."""
        with self._lock:
            return self._known.setdefault(address, Endpoint(concurrency))


ENDPOINTS = Endpoints()
