"""A lock as an object that its holder keeps renewing; what was not renewed may be taken over.

No clocks of two machines are compared: who waits takes over what did not change while it watched
for as long as the lease says, and who holds it counts from before its last renewal. So a holder
that was held up knows it first, and writes no more.
"""

from __future__ import annotations

import json
import math
import random
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from threading import Event, Thread
from typing import Any, Protocol

from sopforge.errors import StoreError

POLL_SECONDS = 0.2
_NEVER = -math.inf


class Conditional(Protocol):
    """Objects that are written on conditions."""

    def read_tagged(self, name: str) -> tuple[bytes, str] | None:
        """Return an object with the tag of its content, or nothing."""

    def put_if(self, name: str, data: bytes, writer: str, **condition: str) -> bool:
        """Put an object if a condition holds; return whether it did."""

    def delete_if(self, name: str, tag: str) -> None:
        """Drop an object if it is still the one of the tag."""


class Lease:
    """A lock below a name, held by one owner for ``seconds`` at a time."""

    def __init__(
        self,
        objects: Conditional,
        name: str,
        seconds: float,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._objects, self._name, self._seconds, self._now = objects, name, seconds, now
        self._owner = uuid.uuid4().hex
        self._until, self._renewals = _NEVER, 0
        self.note = ""
        """What the holder does, which each renewal says."""
        self._is_dropped = Event()
        # A daemon, so that a lock keeps no process alive.
        self._renewing = Thread(target=self._renew, daemon=True)

    @property
    def is_held(self) -> bool:
        """Whether nobody can have taken the lock over."""
        return self._now() < self._until

    def take_within(self, seconds: float) -> bool:
        """Return whether the lock could be had; it is renewed from then on.

        One other may hold it for so many seconds: where it changes hands, the wait begins anew.
        """
        seen, end = _NOBODY, self._now() + seconds
        while True:
            found = self._read_lock(seen)
            if self._is_taken_from(found):
                self._renewing.start()
                return True
            if found.owner != seen.owner:
                end = self._now() + seconds
            if self._now() >= end:
                return False
            seen = found
            time.sleep(random.uniform(0.5, 1.5) * POLL_SECONDS)  # noqa: S311 - so as not to meet

    def drop(self) -> None:
        """Let others in."""
        self._is_dropped.set()
        # A renewal in progress would change the tag by which the lock is dropped.
        self._renewing.join()
        self._until = _NEVER
        # What was done under the lock is done: a lock that stays is taken over soon.
        with suppress(StoreError):
            found = self._find_own_tag()
            if found is not None:
                self._objects.delete_if(self._name, found)

    def _read_lock(self, seen: _Seen) -> _Seen:
        """Return the lock, which may be as it was seen before."""
        found = self._objects.read_tagged(self._name)
        if found is None:
            return _NOBODY
        lock, tag = _parse_lock(found[0]), found[1]
        if tag == seen.tag:
            return seen
        return _Seen(tag, str(lock.get("owner")), lock.get("seconds", self._seconds), self._now())

    def _is_taken_from(self, seen: _Seen) -> bool:
        if seen is _NOBODY:
            return self._is_written(IfNoneMatch="*")
        is_over = self._now() - seen.since > seen.seconds
        return is_over and self._is_written(IfMatch=seen.tag)

    def _is_written(self, **condition: str) -> bool:
        # A tag is made of the bytes: without a count, a renewal would look as if nothing happened.
        self._renewals += 1
        lock = {
            "owner": self._owner,
            "seconds": self._seconds,
            "renewal": self._renewals,
            **({"note": self.note} if self.note else {}),
        }
        # From before the request, for the service may have written long before its reply comes.
        before = self._now()
        is_put = self._objects.put_if(
            self._name, json.dumps(lock).encode(), self._owner, **condition
        )
        self._until = before + self._seconds if is_put else _NEVER
        return is_put

    def _find_own_tag(self) -> str | None:
        """Return the tag of the lock while it is the owner's."""
        found = self._objects.read_tagged(self._name)
        is_own = found is not None and _parse_lock(found[0]).get("owner") == self._owner
        return found[1] if found is not None and is_own else None

    def _renew(self) -> None:
        # Early enough that a renewal may fail once and still be in time.
        while not self._is_dropped.wait(self._seconds / 3):
            if not self.is_held:
                return  # It was held up for too long: another may have been let in, or soon is.
            try:
                tag = self._find_own_tag()
                if tag is None or not self._is_written(IfMatch=tag):
                    self._until = _NEVER
                    return
            except StoreError:
                continue  # The service may answer again before the lease is over.


def read_lease_seconds(data: bytes, default: float) -> float:
    """Return for how long a lock that was not renewed is held."""
    seconds = _parse_lock(data).get("seconds", default)
    return seconds if isinstance(seconds, int | float) else default


def read_lease_note(data: bytes) -> str:
    """Return what the holder of a lock does, as far as it says so."""
    note = _parse_lock(data).get("note", "")
    return note if isinstance(note, str) else ""


@dataclass(frozen=True, slots=True)
class _Seen:
    """A lock as it was seen: since when it is the same, and for how long it may be."""

    tag: str
    owner: str
    seconds: float
    since: float


_NOBODY = _Seen("", "", 0.0, 0.0)


def _parse_lock(data: bytes) -> dict[str, Any]:
    """Return what a lock says; nothing where it was spoilt, so that it is over in time."""
    try:
        value = json.loads(data)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
