"""Sessions that people have ended, kept beside the users so that no restart brings one back."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping
from pathlib import Path

from filelock import FileLock

from review.access.private_files import write_private

_LOG = logging.getLogger("review")
_NAME = "review-ended-sessions.txt"
_LOCK_SECONDS = 10


class EndedSessions:
    """The sessions that ended within the last ``seconds``: an older cookie is refused by its age.

    All processes that serve one address, with one file of users, know them.
    """

    def __init__(self, users_file: Path, seconds: int) -> None:
        self._path = users_file.with_name(_NAME)
        self._seconds = seconds
        self._stamp: tuple[int, int, int] | None = None
        self._ended: dict[str, float] = {}
        self._lock = threading.Lock()

    def __contains__(self, identity: object) -> bool:
        """Return whether a session was ended, here or by another process."""
        with self._lock:
            self._reload_if_changed()
            return identity in self._ended

    def add(self, identity: str) -> None:
        """End a session; where that cannot be kept, it is ended until this process ends."""
        with self._lock:
            self._ended[identity] = time.time()
        try:
            self._keep(identity)
        # A lock of the file that cannot be had in time is an OSError as well.
        except OSError as cause:
            _LOG.warning("%s: the end of a session was not kept: %s", self._path, cause)

    def _keep(self, identity: str) -> None:
        lock = self._path.with_name(f".{self._path.name}.lock")
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # The lock of the file comes first: every page asks for the other one, and none of them must
        # wait for another process.
        with FileLock(lock, timeout=_LOCK_SECONDS), self._lock:
            self._reload_if_changed()
            now = time.time()
            kept = {name: at for name, at in self._ended.items() if now - at < self._seconds}
            self._ended = {**kept, identity: now}
            lines = [f"{at:.0f} {name}\n" for name, at in self._ended.items()]
            write_private(self._path, "".join(lines))

    def _reload_if_changed(self) -> None:
        """Read the file, if it was changed since; what ended here stays ended."""
        try:
            status = self._path.stat()
            # Taken before the file is read: what is written in between is read at the next look.
            # The inode changes even where two writes fall into one tick of the clock.
            stamp = status.st_mtime_ns, status.st_size, status.st_ino
            if stamp != self._stamp:
                self._ended |= _read(self._path)
                self._stamp = stamp
        except (FileNotFoundError, NotADirectoryError):
            self._stamp = None


def _read(path: Path) -> Mapping[str, float]:
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    parts = [line.partition(" ") for line in lines]
    return {identity: float(at) for at, _, identity in parts if identity and at.isdecimal()}
