"""The socket between SOPForge and one worker: lines out and in, by a deadline."""

from __future__ import annotations

import os
import select
import socket
import time

LARGEST_LINE = 1_000_000
_CHUNK = 262_144
_EAGER = 60
_BOTH = select.POLLIN | select.POLLOUT
_QUIETLY = socket.MSG_DONTWAIT | getattr(socket, "MSG_NOSIGNAL", 0)
"""Also where a program has SIGPIPE end it, as filters in a pipeline do."""


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
        # And not `select`, which takes no descriptor from 1,024 on: a caller may have that many
        # open.
        self._poll = select.poll()
        self._poll.register(end, select.POLLIN)

    @property
    def is_silent(self) -> bool:
        """Whether nothing is there that was not read."""
        return not self._incoming and not self._has_more()

    def close(self) -> None:
        """Close this side."""
        self._end.close()

    def send(self, content: bytes, seconds: float) -> None:
        """Have this sent while lines are awaited, all of them within ``seconds``."""
        self._deadline = time.monotonic() + seconds
        self._outgoing = memoryview(content)
        self._write()

    def read_line(self) -> bytes:
        """Return the next line without its end.

        Raises:
            TooSlowError, TooLargeError, ClosedError: it will not come.
        """
        end = self._incoming.find(b"\n")
        while end < 0 and len(self._incoming) <= LARGEST_LINE:
            seen = len(self._incoming)
            self._wait()
            # In what is new alone: a flood of small pieces is not searched from its start again.
            end = self._incoming.find(b"\n", seen)
        if not 0 <= end <= LARGEST_LINE:
            raise TooLargeError
        line = bytes(self._incoming[:end])
        del self._incoming[: end + 1]
        return line

    def _wait(self) -> None:
        """Read or write, whichever can be done first."""
        if not self._outgoing and self._read():
            return
        self._poll.modify(self._end, _BOTH if self._outgoing else select.POLLIN)
        # By the clock and not by a limit of the socket: that begins anew at each signal that the
        # caller handles, and with a timer of the caller's a loop outlived its second by more than a
        # minute.
        for _, event in self._poll.poll(self._require_seconds_left() * 1000):
            if event & select.POLLOUT:
                self._write()
            if event & ~select.POLLOUT:
                self._read()

    def _require_seconds_left(self) -> float:
        """Return how many seconds are left.

        Raises:
            TooSlowError: none.
        """
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TooSlowError
        return left

    def _read(self) -> bool:
        """Return whether something came within some microseconds, as most answers do.

        To fall asleep and be woken takes longer than a tool needs; to yield lets it run.
        """
        # Here too: where there is always more to read, nobody would ever come to the poll.
        self._require_seconds_left()
        for _ in range(_EAGER):
            try:
                received = self._end.recv(_CHUNK, socket.MSG_DONTWAIT)
            except BlockingIOError:
                os.sched_yield()
                continue
            except ConnectionError as cause:
                raise ClosedError from cause
            if not received:
                raise ClosedError
            self._incoming += received
            return True
        return False

    def _has_more(self) -> bool:
        try:
            return bool(self._end.recv(1, socket.MSG_DONTWAIT | socket.MSG_PEEK))
        except (BlockingIOError, ConnectionError):  # the next line says that the other side is gone
            return False

    def _write(self) -> None:
        try:
            sent = self._end.send(self._outgoing, _QUIETLY)
        except BlockingIOError:
            return
        except ConnectionError:
            sent = len(self._outgoing)  # the end of the replies shows what happened
        self._outgoing = self._outgoing[sent:]
