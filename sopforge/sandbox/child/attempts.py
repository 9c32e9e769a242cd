"""Notices what a tool tries that no tool needs, to tell its author; the kernel is what stops it.

Python announces such acts by audit events (PEP 578). Code that means harm can go round them.
"""

from __future__ import annotations

import errno
import sys

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
    """What this process was told to be trying since it was last asked."""

    def __init__(self) -> None:
        self._seen = ""
        self._acts = _ACTS

    def watch(self, *, may_read: bool) -> None:
        """Refuse such acts from here on, and remember them."""
        self._acts = _ACTS if may_read else (*_ACTS, *_READING)
        sys.addaudithook(self._hear)

    def note(self, act: str) -> PermissionError:
        """Remember an act, and return the error that refuses it."""
        self._seen = self._seen or act
        return PermissionError(errno.EPERM, f"tools may not {act}")

    def take(self) -> str:
        """Return the first act since this was last asked, "" if there was none."""
        seen, self._seen = self._seen, ""
        return seen

    def _hear(self, event: str, given: tuple[object, ...]) -> None:
        if event.startswith(self._acts):
            raise self.note(_words(event, given))


def _words(event: str, given: tuple[object, ...]) -> str:
    """Return an event as words: ``open '/etc/passwd'``."""
    name = event.partition("os.")[2] or event
    first = given[0] if given and isinstance(given[0], str) else ""
    return f"{name} {first[:_LONGEST]!r}" if first else f"use {event}"
