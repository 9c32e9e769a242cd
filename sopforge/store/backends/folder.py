"""A store in a local folder: files written whole, under locks of the file system."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from math import isinf
from pathlib import Path
from stat import S_ISDIR
from typing import BinaryIO, cast

from filelock import FileLock, Timeout

from sopforge.errors import Fault, StoreError, describe_system_error
from sopforge.store.backends.atomic_files import (
    clear_leftovers,
    make_folder,
    replace_file,
    sync,
    write_exclusively,
    write_folder,
)
from sopforge.store.backends.leftovers import find_leftovers
from sopforge.store.objects import ExistsError
from sopforge.untrusted.plain_files import RefusedFileError, refuse_kind

LOCK_SECONDS = 30
LEFTOVER_SECONDS = 3600
"""Whatever is being written for longer belongs to a process that died."""
_SCRATCH = ".new"


class FolderObjects:
    """Named bytes as files below a folder, which is made when it is first written to."""

    def __init__(self, root: Path, lock_seconds: float = LOCK_SECONDS) -> None:
        self.root = root
        self._lock_seconds = lock_seconds
        self._inside: set[Path] = set()
        self._held: set[str] = set()
        self._cleared: set[Path] = set()

    @property
    def place(self) -> str:
        return str(self.root)

    def read(self, name: str) -> bytes | None:
        path = self._resolve_path(name)
        with _convert_errors(path):
            try:
                with _open_plain(path) as file:
                    return file.read()
            # As in a bucket, there is nothing below a name that holds bytes itself.
            except (FileNotFoundError, NotADirectoryError):
                return None

    def list_names(self, prefix: str) -> list[str]:
        found: list[str] = []
        start = self._resolve_path(prefix)
        with _convert_errors(start):
            # Without `onerror`, os.walk passes over a folder that must not be read, and its files
            # would look as if nobody had written them.
            for folder, folders, files in os.walk(start, onerror=_refuse):
                folders[:] = [item for item in folders if not item.startswith(".")]
                inside = Path(folder).relative_to(self.root)
                found += [(inside / item).as_posix() for item in files if not item.startswith(".")]
        return sorted(found)

    def map_sizes(self, prefix: str) -> dict[str, int]:
        names = self.list_names(prefix)
        with _convert_errors(self.root / prefix):
            return {name: (self.root / name).lstat().st_size for name in names}

    def list_children(self, prefix: str) -> list[str]:
        path = self.root / prefix
        with _convert_errors(path):
            try:
                found = [child.name for child in path.iterdir()]
            except (FileNotFoundError, NotADirectoryError):
                return []
        return sorted(name for name in found if not name.startswith("."))

    def create(self, name: str, data: bytes) -> None:
        path = self._resolve_path(name)
        with _convert_errors(path):
            try:
                write_exclusively(path, data, self._prepare_scratch(name))
            except FileExistsError as cause:
                if not os.path.lexists(path):
                    raise  # A file stands where a folder must: nobody has written this one.
                raise ExistsError(str(path)) from cause

    def create_all(self, prefix: str, files: Mapping[str, bytes], last: str) -> None:
        path = self._resolve_path(prefix)
        with _convert_errors(path):
            # Without its last file it is what a dead process left, and nobody has counted it.
            if path.exists() and not (path / last).exists():
                shutil.rmtree(path)
            try:
                write_folder(path, files, self._prepare_scratch(prefix))
            except FileExistsError as cause:
                raise ExistsError(str(path)) from cause

    def replace(self, name: str, data: bytes) -> None:
        path = self._resolve_path(name)
        with _convert_errors(path):
            replace_file(path, data, self._prepare_scratch(name))

    def append(self, name: str, line: bytes) -> None:
        path = self._resolve_path(name)
        # Under a lock, for a torn line is looked for in one step and ended in another: two writers
        # would both end it, or one would write into the line of the other.
        with self.hold_lock(name), _convert_errors(path):
            is_new = not path.exists()
            with _open_plain(path, "ab+") as file:
                file.write(_find_missing_line_end(file) + line)
                file.flush()
                os.fsync(file.fileno())
            if is_new:
                sync(path.parent)

    def delete(self, name: str) -> None:
        path = self._resolve_path(name)
        with _convert_errors(path):
            path.unlink(missing_ok=True)

    def drop_all(self, prefix: str, first: str) -> None:
        path = self._resolve_path(prefix)
        with _convert_errors(path):
            # rmtree goes in no order of its own: killed in the midst, it could leave the very file
            # by which the rest counts as whole.
            (path / first).unlink(missing_ok=True)
            if path.exists():
                shutil.rmtree(path)

    def drop_left(self, prefix: str, *, is_trial: bool = False) -> dict[str, int]:
        start = self._resolve_path(prefix)
        with _convert_errors(start):
            found = find_leftovers(start)
            for path in found if not is_trial else ():
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path)
                else:
                    path.unlink(missing_ok=True)
        return {path.relative_to(self.root).as_posix(): size for path, size in found.items()}

    @contextmanager
    def hold_lock(self, name: str, *, wait: float | None = None) -> Iterator[None]:
        path, seconds = self._resolve_path(name), self._lock_seconds if wait is None else wait
        with _convert_errors(path):
            make_folder(path.parent)
            # The system takes this lock from a holder that dies, so that it needs no lease.
            file = _get_lock_file(path)
            with suppress(FileNotFoundError):
                _refuse_special(file)
            lock = FileLock(file, timeout=-1 if isinf(seconds) else seconds)
            try:
                lock.acquire()
            except Timeout as cause:
                message = f"another run is working on '{name}'"
                fault = Fault(
                    "domain-locked", message, self.place, "wait until it ends, then try again"
                )
                raise StoreError(fault) from cause
        # Outside of the conversion: what fails below the lock is no trouble with the lock's own
        # file.
        self._held.add(name)
        try:
            self.note_holder(name, "")
            yield
        finally:
            self._held.discard(name)
            lock.release()

    def is_locked(self, name: str) -> bool:
        return self.read_holder(name) is not None

    def note_holder(self, name: str, note: str) -> None:
        file = _get_lock_file(self._resolve_path(name))
        with _convert_errors(file):
            if name in self._held and (note or file.stat().st_size):
                _write_note(file, note)

    def read_holder(self, name: str) -> str | None:
        file = _get_lock_file(self._resolve_path(name))
        with _convert_errors(file):
            try:
                with _open_plain(file) as opened:
                    # Nothing is made by asking: others may look who cannot write.
                    return _read_note(opened) if _is_taken(opened, file) else None
            except (FileNotFoundError, NotADirectoryError):
                return None

    def _resolve_path(self, name: str) -> Path:
        """Return where a name is; a link must not lead out of the store."""
        path = self.root / name
        # Most names are in a folder that was looked at before, which saves most of the time.
        if path.parent in self._inside and path.name != ".." and not path.is_symlink():
            return path
        # The root is resolved as well, for the store's own folder may be a link.
        if not path.resolve().is_relative_to(self.root.resolve()):
            hint = (
                "replace the link by the folder or file that it leads to, or name that place"
                " with --store"
            )
            raise StoreError(
                Fault("store-outside", "it is a link that leads out of the store", str(path), hint)
            )
        # Of the root it would be the folder around the store, and all that lies there would count
        # as looked at.
        if path != self.root:
            self._inside.add(path.parent)
        return path

    def _prepare_scratch(self, name: str) -> Path:
        """Return where things lie while they are written, cleared of what the dead left there."""
        top, _, rest = name.partition("/")
        # Within the store, for only within one file system is a file moved or linked in one step.
        folder = self.root / (top if rest else "") / _SCRATCH
        if folder not in self._cleared:
            clear_leftovers(folder, LEFTOVER_SECONDS)
            self._cleared.add(folder)
        return folder


def _get_lock_file(path: Path) -> Path:
    return path.with_name(f".{path.name}.lock")


def _is_taken(opened: BinaryIO, file: Path) -> bool:
    """Return whether somebody holds the lock of a file, which is open."""
    try:
        # Shared, so that two who ask at once do not take each other for a holder.
        fcntl.flock(opened, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as refused:
        if refused.errno == errno.ENOSYS:
            return not _can_take(file)
        if refused.errno not in {errno.EACCES, errno.EAGAIN}:
            raise
        return True
    return False


def _can_take(file: Path) -> bool:
    # Where a file system has no such locks, only the library knows what stands for one.
    lock = FileLock(file, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        return False
    lock.release()
    return True


def _write_note(file: Path, note: str) -> None:
    """Write a note into a file, whose first line it is: read at any moment, that is one or none."""
    data = note.encode() + b"\n"
    with _open_plain(file, "rb+") as opened:
        os.pwrite(opened.fileno(), data, 0)
        os.ftruncate(opened.fileno(), len(data) if note else 0)


def _read_note(file: BinaryIO) -> str:
    line, end, _ = file.read().partition(b"\n")
    return line.decode(errors="replace") if end else ""


def _open_plain(path: Path, mode: str = "rb") -> BinaryIO:
    """Return an open file; raises ``StoreError`` for a pipe, a socket or a device.

    To open a pipe would wait for who opens its other end, and a device may do anything.
    """
    with suppress(FileNotFoundError):
        _refuse_special(path)
    return cast("BinaryIO", open(path, mode, opener=_open_at_once))


def _open_at_once(path: str, flags: int) -> int:
    """Open without waiting, for what was looked at may have become a pipe."""
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY, 0o666)


def _refuse_special(path: Path) -> None:
    """Raise ``StoreError`` for what is neither a file nor a folder."""
    status = path.stat()
    if S_ISDIR(status.st_mode):
        return  # The system says so when it is opened.
    try:
        refuse_kind(status)
    except RefusedFileError as refused:
        hint = "remove it from the store; if a file of the store belongs there, restore that"
        fault = replace(refused.make_fault_at("it", str(path)), hint=hint)
        raise StoreError(fault) from refused


def _find_missing_line_end(file: BinaryIO) -> bytes:
    """Return a line end where a crash left a line without one."""
    if file.seek(0, os.SEEK_END) == 0:
        return b""
    file.seek(-1, os.SEEK_END)
    return b"" if file.read(1) == b"\n" else b"\n"


def _refuse(error: OSError) -> None:
    """Raise what kept a folder from being listed, unless it is that there is none."""
    if not isinstance(error, FileNotFoundError | NotADirectoryError):
        raise error


@contextmanager
def _convert_errors(path: Path) -> Iterator[None]:
    """Turn what the system says of a path into an error of the store."""
    try:
        yield
    except OSError as cause:
        trouble, hint = describe_system_error(cause, "store with --store")
        if cause.errno == errno.EISDIR:
            # A file of a store is nothing that a user names.
            hint = "restore the file"
        raise StoreError(Fault("store-unusable", trouble, str(path), hint)) from cause
