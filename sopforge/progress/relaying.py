"""Where the work of copies of a process is, passed on to the first one.

A copy writes short lines to a pipe, one every so often. Where the pipe is full or nobody reads any
more, a line is left out: no work ever waits for it to be heard.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from sopforge.progress.describing import get_shape
from sopforge.progress.tracking import Step, listen

SEND_SECONDS = 0.5
_LONGEST_LINE = 2048  # shorter than what the system writes in one piece, whoever else writes
_MOST_READ = 1 << 16


class Relay:
    """A pipe between copies of this process and this one; to be made before they are."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._reader, self._writer = os.pipe()
        for end in (self._reader, self._writer):
            os.set_blocking(end, False)
        self._due, self._rest = 0.0, b""
        self._shape: tuple[tuple[str, str], ...] = ()
        self._steps: dict[int, list[Step]] = {}

    def close(self) -> None:
        """Let go of both ends."""
        os.close(self._reader)
        os.close(self._writer)

    @contextmanager
    def send_from(self, place: int) -> Iterator[None]:
        """In a copy, pass on what the work on the item in a place is at, as long as this lasts."""
        self._due = 0.0
        with listen(lambda steps: self._send(place, steps)):
            yield

    def find_steps(self, place: int) -> Sequence[Step]:
        """Return what was heard last of the work in a place: the same steps as long as it lasts."""
        self._receive()
        return self._steps.get(place, ())

    def _send(self, place: int, steps: Sequence[Step]) -> None:
        now, shape = self._clock(), get_shape(steps)
        if now < self._due and shape == self._shape:
            return
        self._due, self._shape = now + SEND_SECONDS, shape
        said = [[step.what, step.total, step.done, step.name] for step in steps]
        line = json.dumps([place, said]).encode() + b"\n"
        if len(line) <= _LONGEST_LINE:
            with suppress(BlockingIOError, BrokenPipeError):
                os.write(self._writer, line)

    def _receive(self) -> None:
        with suppress(BlockingIOError):
            while data := os.read(self._reader, _MOST_READ):
                *lines, self._rest = (self._rest + data).split(b"\n")
                for line in lines:
                    place, said = json.loads(line)
                    self._note(place, [Step(*values) for values in said])

    def _note(self, place: int, heard: Sequence[Step]) -> None:
        known = self._steps.setdefault(place, [])
        for depth, step in enumerate(heard):
            if depth < len(known) and _is_later(known[depth], step):
                known[depth].done, known[depth].name = step.done, step.name
            else:
                known[depth:] = [step]
        del known[len(heard) :]


def _is_later(known: Step, heard: Step) -> bool:
    """Return whether what was heard is the known step, further on."""
    is_same = (known.what, known.total) == (heard.what, heard.total)
    return is_same and known.done <= heard.done
