"""One file that comes from a stranger, read as what it is when it is open.

It is opened without waiting, so that a pipe holds nobody up, and looked at through its descriptor,
so that what was looked at is what is read.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath

from sopforge.errors import Fault

OPEN_FILE = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_CHUNK = 1024**2
_KINDS = {
    stat.S_IFDIR: "is a folder",
    stat.S_IFLNK: "is a link",
    stat.S_IFIFO: "is a named pipe",
    stat.S_IFSOCK: "is a socket",
    stat.S_IFCHR: "is a device",
    stat.S_IFBLK: "is a device",
}
_HINTS = {stat.S_IFDIR: "name a file in it", stat.S_IFLNK: "put the file itself in its place"}


class RefusedFileError(Exception):
    """Something is no file that is read; its fault says why without saying what: "is a link"."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self._fault = fault

    def make_fault_at(self, what: str, where: str) -> Fault:
        """Return the fault of a place, with what is there as its subject."""
        return replace(self._fault, message=f"{what} {self._fault.message}", where=where)


def read_named(path: Path, largest: int) -> bytes:
    """Return the content of a file that a user named, through links: the user chose them.

    Raises:
        RefusedFileError: it is no plain file, is larger than ``largest`` bytes, or changed
            while it was read.
        OSError: the system does not let it be read.
    """
    with _close_at_end(os.open(path, OPEN_FILE)) as descriptor:
        return b"".join(iterate_chunks(descriptor, largest))


def read_below(folder: Path, name: str, largest: int) -> bytes:
    """Return the content of a file below a folder, to which no link leads from there.

    Raises as ``read_named``.
    """
    *folders, last = PurePosixPath(name).parts or (".",)
    with ExitStack() as opened:
        at = opened.enter_context(_close_at_end(os.open(folder, OPEN_FOLDER)))
        for part in folders:
            at = opened.enter_context(_close_at_end(open_within(at, part, OPEN_FOLDER)))
        descriptor = opened.enter_context(_close_at_end(open_within(at, last, OPEN_FILE)))
        return b"".join(iterate_chunks(descriptor, largest))


def open_within(folder: int, name: str, flags: int) -> int:
    """Return a descriptor of what an open folder has under a name; raises as ``read_named``."""
    # Looked at before it is opened, so that a link is refused as one and a device is left alone.
    # What is put into its place in between meets O_NOFOLLOW, and the second look at what is open.
    refuse_kind(os.stat(name, dir_fd=folder, follow_symlinks=False), flags)
    return os.open(name, flags | os.O_NOFOLLOW, dir_fd=folder)


def refuse_kind(status: os.stat_result, flags: int = OPEN_FILE) -> None:
    """Raise ``RefusedFileError`` for what is not of the kind that the flags open."""
    wanted = stat.S_IFDIR if flags & os.O_DIRECTORY else stat.S_IFREG
    found = stat.S_IFMT(status.st_mode)
    if found != wanted:
        reason = _KINDS.get(found, "is no folder" if wanted == stat.S_IFDIR else "is no plain file")
        hint = _HINTS.get(found, "give a plain file")
        raise RefusedFileError(Fault("not-a-file", reason, "", hint))


def iterate_chunks(descriptor: int, largest: int) -> Iterator[bytes]:
    """Return the content of an open file in parts; raises as ``read_named``."""
    status = os.fstat(descriptor)
    refuse_kind(status)
    if status.st_size > largest:
        # A file with a hole in it can have any size, which is why that is asked first.
        raise make_too_large_error(status.st_size, largest)
    left = status.st_size
    # One byte more than there should be left: a file that grew is noticed, and one that grows as
    # fast as it is read does not hold us for ever.
    while part := os.read(descriptor, min(_CHUNK, left + 1)):
        left -= len(part)
        if left < 0:
            break
        yield part
    if left:
        reason, hint = "changed while it was read", "wait until nobody writes it"
        raise RefusedFileError(Fault("not-readable", reason, "", hint))


def make_too_large_error(size: int, largest: int) -> RefusedFileError:
    """Return the refusal of a file of more bytes than are read."""
    reason = f"has {size:,} bytes; at most {largest:,} are read"
    hint = "remove what the file does not need"
    return RefusedFileError(Fault("file-too-large", reason, "", hint))


@contextmanager
def _close_at_end(descriptor: int) -> Iterator[int]:
    try:
        yield descriptor
    finally:
        os.close(descriptor)
