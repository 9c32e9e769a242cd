"""The files of a tool process that can open none: they are kept in its memory.

This serves well-behaved modules, which read their data by name as if it lay beside them. It is no
boundary: the kernel refuses every call that takes a path.
"""

from __future__ import annotations

import builtins
import errno
import io
import os
import posixpath
import stat
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, TypeAlias

from sopforge.sandbox.child.attempts import Attempts

HOME = "/tools"
"""Where the files seem to be."""

Path: TypeAlias = "str | bytes | int | os.PathLike[str]"
_READING = frozenset("rbt")


class MemoryFolder:
    """A folder that can be read and not written."""

    def __init__(self, files: Mapping[str, bytes], attempts: Attempts) -> None:
        self._files = files
        self._attempts = attempts
        self._open = io.open

    def install(self) -> None:
        """Have Python's own functions for files look here."""
        for owner, name, function in self._replaced():
            setattr(owner, name, function)

    def _replaced(self) -> list[tuple[Any, str, Callable[..., object]]]:
        return [
            (builtins, "open", self.open),
            (io, "open", self.open),
            (os, "stat", self.stat),
            (os, "lstat", self.stat),
            (os, "listdir", self.listdir),
            (os, "getcwd", lambda: HOME),
        ]

    def open(  # noqa: PLR0917 - the parameters of the built-in
        self,
        file: Path,
        mode: str = "r",
        buffering: int = -1,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
        closefd: bool = True,  # noqa: FBT001, FBT002
        opener: Callable[[str, int], int] | None = None,
    ) -> object:
        """Open one of the files, as the built-in does."""
        if isinstance(file, int):
            return self._open(file, mode, buffering, encoding, errors, newline, closefd, opener)
        path = _absolute(file)
        if not set(mode) <= _READING:
            raise self._attempts.note(f"write the file {path!r}")
        content = io.BytesIO(self._content(path))
        if "b" in mode:
            return content
        return io.TextIOWrapper(content, encoding or "utf-8", errors, newline)

    def stat(
        self,
        path: Path,
        *,
        dir_fd: int | None = None,
        follow_symlinks: bool = True,  # noqa: ARG002
    ) -> os.stat_result:
        """Return what is told of a file: its kind and its size, and no times."""
        if isinstance(path, int) or dir_fd is not None:
            return os.fstat(path if isinstance(path, int) else -1)
        name = _absolute(path)
        if name == HOME:
            return os.stat_result((stat.S_IFDIR | 0o555, 0, 0, 1, 0, 0, 0, 0, 0, 0))
        size = len(self._content(name, act="look at"))
        return os.stat_result((stat.S_IFREG | 0o444, 0, 0, 1, 0, 0, size, 0, 0, 0))

    def listdir(self, path: Path = ".") -> list[str]:
        """Return the names of the files."""
        if isinstance(path, int) or _absolute(path) != HOME:
            raise self._attempts.note(f"list the folder {path!r}")
        return sorted(self._files)

    def _content(self, path: str, act: str = "open") -> bytes:
        folder, name = posixpath.split(path)
        if folder != HOME:
            raise self._attempts.note(f"{act} {path!r}, which is none of their files")
        with suppress(KeyError):
            return self._files[name]
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)


def _absolute(path: str | bytes | os.PathLike[str]) -> str:
    return posixpath.normpath(posixpath.join(HOME, os.fsdecode(path)))
