"""A folder that comes from a stranger, copied to one of ours before anything of it is read.

Whoever reads the copy reads plain files that nobody else changes, however often they are opened.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PurePosixPath

from sopforge.errors import Fault, raise_gathered
from sopforge.untrusted.plain_files import (
    OPEN_FILE,
    OPEN_FOLDER,
    RefusedFileError,
    iterate_chunks,
    make_too_large_error,
    open_within,
)

_MOST_REPORTED = 20
"""Of the faults of a folder: whoever corrects that many knows the rest."""
_NO_NAME = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_SMALLER = "give the folder of a package, and leave out what does not belong to it"


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a folder is read: files and folders in it, bytes of each file and of all.

    ``depth`` counts the folders inside each other, the first one too. A release of the largest
    domain stays below a third of each.
    """

    entries: int = 10_000
    file: int = 64 * 1024**2
    whole: int = 512 * 1024**2
    depth: int = 8


LIMITS = Limits()


def copy_folder(source: Path, target: Path, limits: Limits = LIMITS) -> None:
    """Copy the plain files below a folder, which may itself be a link, to a new folder.

    Raises:
        MaterialError: with a fault for each thing that is no plain file, is too large or cannot be
            read, or because there is too much of it. What was copied until then stays.
    """
    copying = _Copying(limits, source, target)
    descriptor = os.open(source, OPEN_FOLDER)
    try:
        # From here on names are opened within open folders: who swaps a folder on the path for a
        # link meanwhile leads the copy nowhere.
        copying.copy(descriptor, source, PurePosixPath())
    except _EnoughError:
        pass
    finally:
        os.close(descriptor)
    raise_gathered(copying.faults)


def refuse_listed(place: str, sizes: Mapping[str, int], limits: Limits = LIMITS) -> None:
    """Raise for files that a service lists, by their sizes, as ``copy_folder`` does for a folder.

    Raises:
        MaterialError: a name leads out of the place, or there is too much.
    """
    faults = []
    for name, size in sorted(sizes.items()):
        where, parts = f"{place.rstrip('/')}/{_format_name(name)}", name.split("/")
        # A service lists any text as a name: "/etc/x" and "../x" would lead out of the folder.
        if {"", ".", ".."} & set(parts) or _NO_NAME.search(name):
            faults.append(_make_name_fault(where))
        elif len(parts) > limits.depth:
            faults.append(_make_depth_fault(where, limits))
        elif size > limits.file:
            faults.append(make_too_large_error(size, limits.file).make_fault_at("it", where))
    if len(sizes) > limits.entries:
        faults.append(_make_count_fault(place, limits))
    if sum(sizes.values()) > limits.whole:
        faults.append(_make_size_fault(place, limits))
    raise_gathered(faults[:_MOST_REPORTED])


class _EnoughError(Exception):
    """So much is wrong, or there is so much, that nothing more is looked at."""


@dataclass(slots=True)
class _Copying:
    limits: Limits
    place: Path
    target: Path
    faults: list[Fault] = field(default_factory=list)
    entries: int = 0
    bytes: int = 0

    def copy(self, folder: int, place: Path, inside: PurePosixPath) -> None:
        """Copy what is in an open folder; ``place`` is what messages call it."""
        (self.target / inside).mkdir()
        for name in self._list_names(folder, place):
            where = place / name
            if _NO_NAME.search(name):
                self._report(_make_name_fault(_format_name(str(where))))
                continue
            with self._note_refusals(where):
                if _is_folder(folder, name):
                    self._copy_folder(folder, where, inside / name)
                else:
                    self._copy_file(folder, where, inside / name)

    def _list_names(self, folder: int, place: Path) -> list[str]:
        """Return the names in a folder, sorted; of one with too many, none is looked at."""
        most = self.limits.entries - self.entries
        with os.scandir(folder) as found:
            # One more than allowed shows that there are too many, and millions are not listed.
            names = [entry.name for entry in islice(found, most + 1)]
        self.entries += len(names)
        if len(names) > most:
            self.faults.append(_make_count_fault(str(place), self.limits))
            raise _EnoughError
        return sorted(names)

    def _copy_folder(self, above: int, where: Path, inside: PurePosixPath) -> None:
        if len(inside.parts) >= self.limits.depth:
            self._report(_make_depth_fault(str(where), self.limits))
            return
        folder = open_within(above, where.name, OPEN_FOLDER)
        try:
            self.copy(folder, where, inside)
        finally:
            os.close(folder)

    def _copy_file(self, above: int, where: Path, inside: PurePosixPath) -> None:
        file = open_within(above, where.name, OPEN_FILE)
        try:
            size = os.fstat(file).st_size
            # A file that is too large is refused below, by its name; counted here, it would end the
            # copy with a fault of the whole folder.
            if size <= self.limits.file:
                self._count(size)
            with (self.target / inside).open("xb") as copy:
                copy.writelines(iterate_chunks(file, self.limits.file))
        finally:
            os.close(file)

    def _count(self, size: int) -> None:
        self.bytes += size
        if self.bytes > self.limits.whole:
            self.faults.append(_make_size_fault(str(self.place), self.limits))
            raise _EnoughError

    @contextmanager
    def _note_refusals(self, where: Path) -> Iterator[None]:
        """Note why something is not read, and go on with the next."""
        try:
            yield
        except RefusedFileError as refused:
            self._report(refused.make_fault_at("it", str(where)))
        except (PermissionError, FileNotFoundError) as refused:
            message = f"it cannot be read: {refused.strerror}"
            self._report(Fault("not-readable", message, str(where), "check its rights"))

    def _report(self, fault: Fault) -> None:
        self.faults.append(fault)
        if len(self.faults) == _MOST_REPORTED:
            raise _EnoughError


def _is_folder(above: int, name: str) -> bool:
    mode = os.stat(name, dir_fd=above, follow_symlinks=False).st_mode
    return stat.S_ISDIR(mode)


def _format_name(name: str) -> str:
    """Return a name in characters that can be shown."""
    return _NO_NAME.sub(lambda found: repr(found[0])[1:-1], name)


def _make_name_fault(where: str) -> Fault:
    message = "the name has characters that are no text, or leads out of the folder"
    return Fault("not-a-file-name", message, where, "rename it, or remove it")


def _make_count_fault(where: str, limits: Limits) -> Fault:
    message = f"there are more than {limits.entries:,} files and folders"
    return Fault("folder-too-large", message, where, _SMALLER)


def _make_size_fault(where: str, limits: Limits) -> Fault:
    message = f"the files have more than {limits.whole:,} bytes together"
    return Fault("folder-too-large", message, where, _SMALLER)


def _make_depth_fault(where: str, limits: Limits) -> Fault:
    message = f"folders lie more than {limits.depth} deep inside each other"
    return Fault("folder-too-deep", message, where, _SMALLER)
