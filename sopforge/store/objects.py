"""What a store keeps its things in: named bytes, of which each is there whole or not at all.

Names are paths with slashes. A part that starts with a dot is the implementation's own, and is
listed by its name alone. A local folder (``folder.py``) and an S3 bucket (``bucket.py``) keep the
same promises.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Protocol

from sopforge.errors import Fault, StoreError


class ExistsError(StoreError):
    """There is something of that name, written by another."""

    def __init__(self, place: str) -> None:
        hint = "run the same command again; nothing is lost"
        super().__init__(Fault("written-meanwhile", "another run wrote it first", place, hint))


class Objects(Protocol):
    """Named bytes in one place.

    Every method raises ``StoreError`` where the place cannot be reached, read or written.
    """

    @property
    def place(self) -> str:
        """Where this is, as a person writes it."""

    def read(self, name: str) -> bytes | None:
        """Return what is kept under a name, or nothing."""

    def list_names(self, prefix: str) -> list[str]:
        """Return the whole names of all that is kept below a prefix, sorted."""

    def map_sizes(self, prefix: str) -> dict[str, int]:
        """Return how many bytes are kept under each of ``list_names``."""

    def list_children(self, prefix: str) -> list[str]:
        """Return the next parts of the names below a prefix, sorted."""

    def create(self, name: str, data: bytes) -> None:
        """Keep something new; raises ``ExistsError`` where another was first."""

    def create_all(self, prefix: str, files: Mapping[str, bytes], last: str) -> None:
        """Keep several new things below a prefix, of which ``last`` is there once all are.

        What a process left there that died before its ``last`` is cleared away first. Raises
        ``ExistsError`` where there is a ``last`` already, or another is at it.
        """

    def replace(self, name: str, data: bytes) -> None:
        """Keep something in the place of what there was."""

    def append(self, name: str, line: bytes) -> None:
        """Put a line after those that there are; it is on the disk when this returns.

        A line that a crash tore is ended first.
        """

    def delete(self, name: str) -> None:
        """Drop what is kept under a name, if there is anything."""

    def drop_all(self, prefix: str, first: str) -> None:
        """Drop all that is kept below a prefix, ``first`` before the others."""

    def drop_left(self, prefix: str, *, is_trial: bool = False) -> dict[str, int]:
        """Drop what processes left below a prefix that died long ago, and return it with sizes.

        It is temporary files, and locks that nobody holds; a trial drops nothing.
        """

    def hold_lock(self, name: str, *, wait: float | None = None) -> AbstractContextManager[None]:
        """Let one process at a time in; raises ``StoreError`` where another stays too long.

        ``wait`` is in seconds, ``math.inf`` for as long as it takes; the place's own if left out.
        Whoever lost the lock meanwhile cannot write below the name: that raises ``StoreError``.
        """

    def is_locked(self, name: str) -> bool:
        """Return whether somebody alive holds a lock; nobody is let in or kept out by asking."""

    def note_holder(self, name: str, note: str) -> None:
        """Say in a lock what its holder does, which this one must be: others read it soon.

        It is gone with the lock. Where this one does not hold it, nothing is noted.
        """

    def read_holder(self, name: str) -> str | None:
        """Return what the holder of a lock noted, or ""; None where nobody alive holds it."""


def read_text(objects: Objects, name: str) -> str:
    """Return a text; raises ``StoreError`` where there is none, or it is not UTF-8."""
    data = objects.read(name)
    if data is None:
        raise make_damage_error(objects, name, "the file is missing")
    try:
        return data.decode()
    except UnicodeDecodeError as cause:
        raise make_damage_error(objects, name, "the file is not UTF-8") from cause


def make_damage_error(
    objects: Objects, name: str, message: str, hint: str = "restore it from a copy"
) -> StoreError:
    """Return the error that says that something is not what was written."""
    return StoreError(Fault("store-damaged", message, f"{objects.place}/{name}", hint))
