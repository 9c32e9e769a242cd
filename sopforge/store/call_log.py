"""The log of calls of language models, as far as a run has noted it.

Lines are only ever added, so that what was there once is how the log still begins.
"""

from __future__ import annotations

from dataclasses import dataclass

from sopforge.store.digests import digest_bytes


@dataclass(frozen=True, slots=True)
class NotedCalls:
    """How many bytes a log of calls had, and their digest."""

    size: int = 0
    digest: str = digest_bytes(b"")

    def is_start_of(self, data: bytes) -> bool:
        """Return whether a log still begins with what was noted."""
        return len(data) >= self.size and digest_bytes(data[: self.size]) == self.digest


NO_CALLS = NotedCalls()


def note_calls(data: bytes) -> NotedCalls:
    """Return what is to be noted of a log."""
    return NotedCalls(len(data), digest_bytes(data))
