"""Notices what a tool tries that no tool needs, for a report to its author; the kernel stops it.

Python announces such acts by audit events (PEP 578). Code that means harm can go round them.
"""

from __future__ import annotations

import errno
import os
import sys
from types import FrameType
from typing import NamedTuple

from sopforge.sandbox.child.answers import find_innermost_line
from sopforge.sandbox.levels import Level

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


class Misbehaviour(NamedTuple):
    """What no tool may do, with the module's line, 0 if unknown."""

    code: str
    message: str
    hint: str
    line: int = 0


class Attempts:
    """What the module at a path was noticed to try since it was last asked."""

    def __init__(self, path: str, level: Level) -> None:
        self._path = path
        self._folder = path.rpartition("/")[0]
        self._level = level
        # On the disk, it is by these that a module reads its own folder.
        self._acts = _ACTS if level.is_on_disk else (*_ACTS, *_READING)
        self._seen = ("", 0)

    def watch(self) -> None:
        """Refuse such acts from here on, and remember them."""
        sys.addaudithook(self._hear)

    def note_act(self, act: str) -> PermissionError:
        """Remember an act, and return the error that refuses it.

        The folder, which may be new every time, is left out of the words.
        """
        act = act.replace(f"{self._folder}/", "")
        # The first act counts, for later ones may only follow from its refusal.
        if not self._seen[0]:
            self._seen = act, self._find_running_line()
        return PermissionError(errno.EPERM, f"tools may not {act}")

    def forget(self) -> None:
        """Take no notice of what was seen."""
        self._seen = ("", 0)

    def find_misbehaviour(self, raised: BaseException | None) -> Misbehaviour | None:
        """Return what was tried since this was last asked, or what an exception shows of it."""
        act, line = self._seen
        self.forget()
        if not act and self._level.is_boundary and _is_refused(raised):
            act, line = f"do what the sandbox refuses ({raised})", self._find_raising_line(raised)
        if act:
            hint = "a tool computes from its arguments and from the files beside it, and no more"
            return Misbehaviour("tool-forbidden", f"it tried to {act}", hint, line)
        if isinstance(raised, MemoryError):
            message, hint = (
                "it needs more memory than a tool may have",
                "look for data that grows without end",
            )
            return Misbehaviour(
                "tool-out-of-memory", message, hint, self._find_raising_line(raised)
            )
        return None

    def _hear(self, event: str, given: tuple[object, ...]) -> None:
        if event.startswith(self._acts):
            raise self.note_act(_describe_event(event, given))

    def _find_running_line(self) -> int:
        frame: FrameType | None = sys._getframe()  # noqa: SLF001 - documented, for debuggers and the like
        while frame is not None and frame.f_code.co_filename != self._path:
            frame = frame.f_back
        return frame.f_lineno if frame is not None else 0

    def _find_raising_line(self, raised: BaseException | None) -> int:
        return find_innermost_line(raised, self._path) if raised else 0


def _is_refused(raised: BaseException | None) -> bool:
    """Return whether the kernel, not the module, said no: the filter of calls, or Landlock.

    A module may raise the same with words of its own.
    """
    refused = errno.EPERM, errno.EACCES
    return (
        isinstance(raised, PermissionError)
        and raised.errno in refused
        and raised.strerror == os.strerror(raised.errno)
    )


def _describe_event(event: str, given: tuple[object, ...]) -> str:
    """Return an event as words: ``open '/etc/passwd'``."""
    name = event.partition("os.")[2] or event
    first = given[0] if given and isinstance(given[0], str) else ""
    return f"{name} {first[:_LONGEST]!r}" if first else f"use {event}"
