"""Which processes descend from this one, and how much they took while somebody looked."""

from __future__ import annotations

import ctypes
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

PAGE = os.sysconf("SC_PAGE_SIZE")
HEAVY = 700_000_000
MANY_THREADS = 8
MANY_DESCRIPTORS = 200


@dataclass(frozen=True)
class Living:
    """A process that is no zombie."""

    pid: int
    parent: int
    threads: int
    memory: int


@contextmanager
def adopting_orphans() -> Iterator[None]:
    """Have orphans of our descendants come to us, so that no double fork hides a process."""
    set_subreaper, library = 36, ctypes.CDLL(None)
    library.prctl(set_subreaper, 1, 0, 0, 0)
    try:
        yield
    finally:
        library.prctl(set_subreaper, 0, 0, 0, 0)


def living_descendants() -> dict[int, Living]:
    """Return the processes below this one."""
    table = dict(_read_table())
    below: set[int] = set()
    found = {os.getpid()}
    while found:
        below |= found
        found = {pid for pid, one in table.items() if one.parent in below} - below
    return {pid: table[pid] for pid in below - {os.getpid()}}


def left_over(before: int, seconds: float = 2.0) -> bool:
    """Return whether more descendants than before live on for so long."""
    deadline, in_a_row = time.monotonic() + seconds, 0
    # A look may miss a process whose parent ends meanwhile; two looks in a row do not.
    while time.monotonic() <= deadline:
        in_a_row = in_a_row + 1 if len(living_descendants()) <= before else 0
        if in_a_row == 2:
            return False
        time.sleep(0.02)
    return True


def end_all_but(kept: set[int]) -> None:
    """Kill descendants of ours that a failed test left."""
    for pid in set(living_descendants()) - kept:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(pid, 0)


class Watch:
    """Looks at our descendants many times a second; those of before do not count."""

    def __init__(self) -> None:
        self._before = living_descendants()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._memory = self._threads = self._descriptors = 0

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._done.set()
        self._thread.join()

    def signs(self) -> Iterator[str]:
        """Yield what the new processes took too much of."""
        found = {
            "heavy": self._memory > HEAVY,
            "many": self._threads > MANY_THREADS,
            "open": self._descriptors > MANY_DESCRIPTORS,
        }
        yield from (sign for sign, is_there in found.items() if is_there)

    def _look(self) -> None:
        is_last = False
        while not is_last:
            is_last = self._done.wait(0.02)
            new = [one for pid, one in living_descendants().items() if pid not in self._before]
            self._memory = max(self._memory, sum(one.memory for one in new))
            self._threads = max(self._threads, sum(one.threads for one in new))
            self._descriptors = max([self._descriptors, *map(_descriptors, new)])


def _read_table() -> Iterator[tuple[int, Living]]:
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            with suppress(OSError):
                # The name of a program may hold anything but ends with the last bracket.
                fields = (Path(entry.path) / "stat").read_text().rpartition(")")[2].split()
                if fields[0] not in {"Z", "X"}:
                    parent, threads, pages = (int(fields[i]) for i in (1, 17, 21))
                    pid = int(entry.name)
                    yield pid, Living(pid, parent, threads, pages * PAGE)


def _descriptors(one: Living) -> int:
    with suppress(OSError):
        return len(list(Path(f"/proc/{one.pid}/fd").iterdir()))
    return 0
