"""A store in a local folder: files written whole, under locks of the file system."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import isinf
from pathlib import Path
from typing import BinaryIO

from filelock import FileLock, Timeout

from sopforge.errors import Fault, StoreError
from sopforge.store.files import replace_file, write_exclusively, write_folder
from sopforge.store.objects import ExistsError

LOCK_SECONDS = 10

# What the system says, and what can be done about it.
_TROUBLES = {
    errno.ENOSPC: ("the disk is full", "make room, then run the same command again"),
    errno.EDQUOT: ("the disk quota is used up", "make room, then run the same command again"),
    errno.EROFS: ("the disk is read-only", "name a store that can be written, with --store"),
    errno.EACCES: ("it must not be touched", "see to its permissions, or name another store"),
    errno.EPERM: ("it must not be touched", "see to its permissions, or name another store"),
    errno.EEXIST: ("a part of the path is a file", "name a folder for the store"),
    errno.ENOTDIR: ("a part of the path is a file", "name a folder for the store"),
}


class FolderObjects:
    """Named bytes as files below a folder, which is made when it is first written to."""

    def __init__(self, root: Path, lock_seconds: float = LOCK_SECONDS) -> None:
        self.root = root
        self._lock_seconds = lock_seconds

    @property
    def place(self) -> str:
        return str(self.root)

    def read(self, name: str) -> bytes | None:
        path = self.root / name
        with _told(path):
            try:
                return path.read_bytes()
            except (FileNotFoundError, NotADirectoryError):
                return None

    def names(self, prefix: str) -> list[str]:
        found: list[str] = []
        with _told(self.root / prefix):
            for folder, folders, files in os.walk(self.root / prefix):
                folders[:] = [item for item in folders if not item.startswith(".")]
                inside = Path(folder).relative_to(self.root)
                found += [(inside / item).as_posix() for item in files if not item.startswith(".")]
        return sorted(found)

    def children(self, prefix: str) -> list[str]:
        with _told(self.root / prefix):
            try:
                found = [path.name for path in (self.root / prefix).iterdir()]
            except (FileNotFoundError, NotADirectoryError):
                return []
        return sorted(name for name in found if not name.startswith("."))

    def create(self, name: str, data: bytes) -> None:
        path = self.root / name
        with _told(path):
            try:
                write_exclusively(path, data)
            except FileExistsError as cause:
                raise ExistsError(str(path)) from cause

    def create_all(self, prefix: str, files: Mapping[str, bytes], last: str) -> None:
        path = self.root / prefix
        with _told(path):
            if path.exists() and not (path / last).exists():
                shutil.rmtree(path)
            try:
                write_folder(path, files)
            except FileExistsError as cause:
                raise ExistsError(str(path)) from cause

    def replace(self, name: str, data: bytes) -> None:
        with _told(self.root / name):
            replace_file(self.root / name, data)

    def append(self, name: str, line: bytes) -> None:
        path = self.root / name
        with _told(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("ab+") as file:
                file.write(_line_end(file) + line)
                file.flush()
                os.fsync(file.fileno())

    def delete(self, name: str) -> None:
        with _told(self.root / name):
            (self.root / name).unlink(missing_ok=True)

    @contextmanager
    def locked(self, name: str, *, wait: float | None = None) -> Iterator[None]:
        path, seconds = self.root / name, self._lock_seconds if wait is None else wait
        with _told(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = FileLock(
                path.with_name(f".{path.name}.lock"), timeout=-1 if isinf(seconds) else seconds
            )
            try:
                lock.acquire()
            except Timeout as cause:
                message = f"another run works on '{name}'"
                fault = Fault("domain-locked", message, self.place, "wait for it, then try again")
                raise StoreError(fault) from cause
        try:
            yield
        finally:
            lock.release()


def _line_end(file: BinaryIO) -> bytes:
    """Return a line end where a crash left a line without one."""
    if file.seek(0, os.SEEK_END) == 0:
        return b""
    file.seek(-1, os.SEEK_END)
    return b"" if file.read(1) == b"\n" else b"\n"


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Tell what the system says of a path as an error of the store."""
    try:
        yield
    except OSError as cause:
        trouble, hint = _TROUBLES.get(cause.errno or 0, (cause.strerror or str(cause), ""))
        raise StoreError(Fault("store-unusable", trouble, str(path), hint)) from cause
