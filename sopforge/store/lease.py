"""A lock as an object that its holder keeps renewing; what was not renewed may be taken over.

A holder that was held up for longer than its lease may find another at work. Nothing is spoilt by
that: versions, decisions and releases are created on the condition that there are none.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable
from threading import Event, Thread
from typing import Protocol

from sopforge.errors import StoreError

POLL_SECONDS = 0.2


class Conditional(Protocol):
    """Objects that are written on conditions."""

    def tagged(self, name: str) -> tuple[bytes, str] | None:
        """Return an object with the tag of its content, or nothing."""

    def put_if(self, name: str, data: bytes, writer: str, **condition: str) -> bool:
        """Put an object if a condition holds; tell whether it did."""

    def delete_if(self, name: str, tag: str) -> None:
        """Drop an object if it is still the one of the tag."""


class Lease:
    """A lock below a name, held by one owner for ``seconds`` at a time."""

    def __init__(
        self,
        objects: Conditional,
        name: str,
        seconds: float,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._objects, self._name, self._seconds, self._now = objects, name, seconds, now
        self._owner = uuid.uuid4().hex
        self._is_dropped = Event()
        self._renewing = Thread(target=self._renew, daemon=True)

    def taken_within(self, seconds: float) -> bool:
        """Tell whether the lock could be had in time; it is renewed from then on."""
        end = self._now() + seconds
        while not self._is_taken():
            if self._now() >= end:
                return False
            time.sleep(POLL_SECONDS)
        self._renewing.start()
        return True

    def drop(self) -> None:
        """Let others in."""
        self._is_dropped.set()
        self._renewing.join()
        found = self._own()
        if found is not None:
            self._objects.delete_if(self._name, found)

    def _is_taken(self) -> bool:
        found = self._objects.tagged(self._name)
        if found is None:
            return self._is_written(IfNoneMatch="*")
        data, tag = found
        is_over = float(json.loads(data)["until"]) < self._now()
        return is_over and self._is_written(IfMatch=tag)

    def _is_written(self, **condition: str) -> bool:
        until = self._now() + self._seconds
        data = json.dumps({"owner": self._owner, "until": until}).encode()
        return self._objects.put_if(self._name, data, self._owner, **condition)

    def _own(self) -> str | None:
        """Return the tag of the lock while it is the owner's."""
        found = self._objects.tagged(self._name)
        is_own = found is not None and json.loads(found[0])["owner"] == self._owner
        return found[1] if found is not None and is_own else None

    def _renew(self) -> None:
        while not self._is_dropped.wait(self._seconds / 3):
            try:
                tag = self._own()
                if tag is None:
                    return
                self._is_written(IfMatch=tag)
            except StoreError:
                continue  # The service may answer again before the lease is over.
