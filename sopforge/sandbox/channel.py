"""The socket between SOPForge and one worker: lines out and in, by a deadline."""

from __future__ import annotations

import os
import select
import socket
import struct
import time
from contextlib import suppress

LARGEST_LINE = 1_000_000
_CHUNK = 262_144
_SLACK = 1.1
_EAGER = 60


class TooSlowError(Exception):
    """No line came by the deadline."""


class TooLargeError(Exception):
    """A line is larger than any may be."""


class ClosedError(Exception):
    """The other side is gone."""


class Channel:
    """Sends while it waits for lines, so that full buffers never block both sides."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._outgoing = memoryview(b"")
        self._incoming = bytearray()
        self._deadline = 0.0
        self._patience = 0.0

    @property
    def is_silent(self) -> bool:
        """Whether nothing came that was not read."""
        return not self._incoming

    def close(self) -> None:
        """Close this side."""
        self._end.close()

    def send(self, content: bytes, seconds: float) -> None:
        """Have this sent while lines are awaited, all of them within ``seconds``."""
        self._deadline = time.monotonic() + seconds
        self._outgoing = memoryview(content)
        self._write()

    def line(self) -> bytes:
        """Return the next line without its end.

        Raises:
            TooSlowError, TooLargeError, ClosedError: it will not come.
        """
        end = self._incoming.find(b"\n")
        while end < 0 and len(self._incoming) <= LARGEST_LINE:
            seen = len(self._incoming)
            self._wait()
            end = self._incoming.find(b"\n", seen)
        if not 0 <= end <= LARGEST_LINE:
            raise TooLargeError
        line = bytes(self._incoming[:end])
        del self._incoming[: end + 1]
        return line

    def _wait(self) -> None:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TooSlowError
        if self._outgoing:
            self._both(left)
        else:
            self._read(left)

    def _both(self, seconds: float) -> None:
        """Read or write, whichever can be done first."""
        ready = select.select([self._end], [self._end], [], seconds)
        if ready[1]:
            self._write()
        if ready[0]:
            self._read(seconds)

    def _read(self, seconds: float) -> None:
        try:
            received = self._at_once()
            if received is None:
                self._wait_for_at_most(seconds)
                received = self._end.recv(_CHUNK)
        except BlockingIOError as cause:
            raise TooSlowError from cause
        except ConnectionError as cause:
            raise ClosedError from cause
        if not received:
            raise ClosedError
        self._incoming += received

    def _at_once(self) -> bytes | None:
        """Return what comes within some microseconds, as most answers do.

        To fall asleep and be woken takes longer than a tool needs; to yield lets it run.
        """
        for _ in range(_EAGER):
            with suppress(BlockingIOError):
                return self._end.recv(_CHUNK, socket.MSG_DONTWAIT)
            os.sched_yield()
        return None

    def _wait_for_at_most(self, seconds: float) -> None:
        """Have the kernel itself give up waiting in ``recv``."""
        if not seconds <= self._patience <= seconds * _SLACK:
            self._end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _as_timeval(seconds))
            self._patience = seconds

    def _write(self) -> None:
        try:
            sent = self._end.send(self._outgoing, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return
        except ConnectionError:
            sent = len(self._outgoing)  # the end of the replies tells what happened
        self._outgoing = self._outgoing[sent:]


def _as_timeval(seconds: float) -> bytes:
    microseconds = max(round(seconds * 1_000_000), 1)  # none would mean without end
    return struct.pack("ll", *divmod(microseconds, 1_000_000))
