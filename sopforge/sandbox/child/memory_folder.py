"""The files of a tool process that can open none: they are kept in its memory.

This serves well-behaved modules, which read their data by name as if it lay beside them. It is no
boundary: the kernel refuses every call that takes a path.
"""

from __future__ import annotations

import builtins
import errno
import io
import linecache
import os
import posixpath
import stat
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, Self, TypeAlias

from sopforge.sandbox.child.attempts import Attempts

Path: TypeAlias = "str | bytes | int | os.PathLike[str]"
_READING = frozenset("rbt")


class MemoryFolder:
    """A folder that can be read and not written, and seems to be at ``home``."""

    def __init__(self, home: str, files: Mapping[str, bytes], attempts: Attempts) -> None:
        self._home = home
        self._files = files
        self._attempts = attempts
        self._open = io.open

    def install(self) -> None:
        """Have Python's own functions for files look here."""
        for owner, name, function in self._list_replacements():
            setattr(owner, name, function)

    def _list_replacements(self) -> list[tuple[Any, str, Callable[..., object]]]:
        return [
            (builtins, "open", self.open),
            (io, "open", self.open),
            (os, "stat", self.stat),
            (os, "lstat", self.stat),
            (os, "access", self.access),
            (os, "listdir", self.listdir),
            (os, "scandir", self.scandir),
            (linecache, "updatecache", self.read_lines),
            (os, "getcwd", lambda: self._home),
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
            # A descriptor that is open already needs no path, so that the kernel decides.
            return self._open(file, mode, buffering, encoding, errors, newline, closefd, opener)
        path = self._resolve_path(file)
        if not set(mode) <= _READING:
            raise self._attempts.note_act(f"write the file {path!r}")
        content = io.BytesIO(self._read_content(path))
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
        """Return what is shown of a file: its kind and its size, and no times."""
        if isinstance(path, int) or dir_fd is not None:
            return os.fstat(path if isinstance(path, int) else -1)
        name = self._resolve_path(path)
        if name == self._home:
            return os.stat_result((stat.S_IFDIR | 0o555, 0, 0, 1, 0, 0, 0, 0, 0, 0))
        size = len(self._read_content(name, act="look at"))
        return os.stat_result((stat.S_IFREG | 0o444, 0, 0, 1, 0, 0, size, 0, 0, 0))

    def listdir(self, path: Path = ".") -> list[str]:
        """Return the names of the files."""
        if isinstance(path, int) or self._resolve_path(path) != self._home:
            raise self._attempts.note_act(f"list the folder {path!r}")
        return sorted(self._files)

    def access(self, path: Path, mode: int, **_: object) -> bool:
        """Return whether a file is there, to read."""
        try:
            self.stat(path)
        except OSError:
            return False
        return not mode & (os.W_OK | os.X_OK)

    def scandir(self, path: Path = ".") -> Entries:
        """Return the files as entries."""
        names = self.listdir(path)
        folder = self._home if isinstance(path, int) else os.fsdecode(path)
        return Entries(Entry(self, posixpath.join(folder, name)) for name in names)

    def read_lines(self, path: str, _: object = None) -> list[str]:
        """Return a source's lines for tracebacks and warnings, which also ask for the library's."""
        folder, name = posixpath.split(self._resolve_path(path))
        content = self._files.get(name, b"") if folder == self._home else b""
        return content.decode(errors="replace").splitlines(keepends=True)

    def _resolve_path(self, path: str | bytes | os.PathLike[str]) -> str:
        return posixpath.normpath(posixpath.join(self._home, os.fsdecode(path)))

    def _read_content(self, path: str, act: str = "open") -> bytes:
        folder, name = posixpath.split(path)
        if folder != self._home:
            raise self._attempts.note_act(f"{act} {path!r}, which is not one of their files")
        with suppress(KeyError):
            return self._files[name]
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)


class Entry:
    """One of the files, as ``os.scandir`` lists it."""

    def __init__(self, folder: MemoryFolder, path: str) -> None:
        self.name = posixpath.basename(path)
        self.path = path
        self._folder = folder

    def __fspath__(self) -> str:
        return self.path

    def is_file(self, **_: object) -> bool:
        """Return True: every entry is a file."""
        return True

    def is_dir(self, **_: object) -> bool:
        """Return False: no entry is a folder or a link."""
        return False

    is_symlink = is_junction = is_dir

    def inode(self) -> int:
        """Return that it has none."""
        return 0

    def stat(self, **_: object) -> os.stat_result:
        """Return its kind and its size."""
        return self._folder.stat(self.path)


class Entries:
    """Entries that are walked through once, and can be closed."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._entries = iter(entries)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Entry:
        return next(self._entries)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Have no more of them."""
        self._entries = iter(())
