"""How often somebody's text is checked as it is typed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

MOST_A_MINUTE = 60


class CheckTurns:
    """Gives turns to check: one at a time for each person, and so many a minute."""

    def __init__(self) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._per_person = RateLimitItemPerMinute(MOST_A_MINUTE)
        self._busy: set[str] = set()
        self._lock = Lock()

    @contextmanager
    def take_turn(self, name: str) -> Iterator[bool]:
        """Yield whether it is a person's turn; while it lasts, the person has no other."""
        is_given = self._begin(name)
        try:
            yield is_given
        finally:
            if is_given:
                with self._lock:
                    self._busy.discard(name)

    def _begin(self, name: str) -> bool:
        with self._lock:
            if name in self._busy or not self._limiter.hit(self._per_person, name):
                return False
            self._busy.add(name)
            return True
