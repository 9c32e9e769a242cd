"""Notices what a tool tries that no tool needs, to tell its author; the kernel is what stops it.

Python announces such acts by audit events (PEP 578). Code that means harm can go round them.
"""

from __future__ import annotations

import errno
import sys
from types import FrameType

_ACTS = (
    "ctypes.", "fcntl.", "ftplib.", "http.", "mmap.", "msvcrt.", "nntplib.",
    "os.add_dll", "os.chdir", "os.chflags", "os.chmod", "os.chown", "os.exec", "os.fork",
    "os.fwalk", "os.getxattr", "os.kill", "os.link", "os.listxattr", "os.lockf",
    "os.mkdir", "os.posix_spawn", "os.remove", "os.removexattr", "os.rename", "os.rmdir",
    "os.setxattr", "os.spawn", "os.startfile", "os.symlink", "os.system",
    "os.truncate", "os.unshare", "os.utime", "os.walk", "poplib.", "pty.", "resource.",
    "shutil.", "signal.", "smtplib.", "socket.", "sqlite3.", "subprocess.", "sys.remote_exec",
    "syslog.", "telnetlib.", "tempfile.", "urllib.", "webbrowser.",
)  # fmt: skip
_READING = ("glob.", "open", "os.listdir", "os.scandir")
_LONGEST = 100


class Attempts:
    """What a module was noticed to try since it was last asked."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._acts: tuple[str, ...] = _ACTS
        self._seen = ("", 0)

    def watch(self, *, may_read: bool) -> None:
        """Refuse such acts from here on, and remember them."""
        self._acts = _ACTS if may_read else (*_ACTS, *_READING)
        sys.addaudithook(self._hear)

    def note(self, act: str) -> PermissionError:
        """Remember an act, and return the error that refuses it."""
        if not self._seen[0]:
            self._seen = act, self._line()
        return PermissionError(errno.EPERM, f"tools may not {act}")

    def take(self) -> tuple[str, int]:
        """Return the first act since this was last asked and the module's line, or "" and 0."""
        seen, self._seen = self._seen, ("", 0)
        return seen

    def _hear(self, event: str, given: tuple[object, ...]) -> None:
        if event.startswith(self._acts):
            raise self.note(_words(event, given))

    def _line(self) -> int:
        frame: FrameType | None = sys._getframe()  # noqa: SLF001 - documented, for debuggers and the like
        while frame is not None and frame.f_code.co_filename != self._path:
            frame = frame.f_back
        return frame.f_lineno if frame is not None else 0


def _words(event: str, given: tuple[object, ...]) -> str:
    """Return an event as words: ``open '/etc/passwd'``."""
    name = event.partition("os.")[2] or event
    first = given[0] if given and isinstance(given[0], str) else ""
    return f"{name} {first[:_LONGEST]!r}" if first else f"use {event}"
