"""What changed between versions, worked out beside the pages that show it, and kept."""

from __future__ import annotations

from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYetError
from threading import Lock
from typing import TypeAlias

from sopforge.pipeline.changes.changes import Changes, compare_sides
from sopforge.pipeline.changes.sides import Sides
from sopforge.store.versions import Version

_MOST_KEPT = 64
# Many are known at once, where neither rules nor tasks differ.
_PATIENCE_SECONDS = 0.05

_Side: TypeAlias = tuple[int, str] | None
_Key: TypeAlias = tuple[tuple[str, _Side, _Side], ...]


class Comparisons:
    """Comparisons that were asked for; the solver works on one at a time."""

    def __init__(self) -> None:
        self._worker = ThreadPoolExecutor(1)
        self._asked: OrderedDict[tuple[str, _Key], Future[Changes]] = OrderedDict()
        self._lock = Lock()

    def find_changes(self, sides: Sides) -> Changes | None:
        """Return what changed, None while that is worked out.

        Raises:
            SopForgeError: it cannot be worked out.
        """
        asked = self._submit_comparison(sides)
        try:
            return asked.result(_PATIENCE_SECONDS)
        except NotYetError:
            return None

    def close(self) -> None:
        """Work on nothing more."""
        self._worker.shutdown(wait=False, cancel_futures=True)

    def _submit_comparison(self, sides: Sides) -> Future[Changes]:
        key = sides.brief.parts.domain, _make_key(sides)
        with self._lock:
            found = self._asked.get(key)
            # A failure is not kept: a store that was away may be back at the next look.
            if found is None or (found.done() and found.exception() is not None):
                found = self._worker.submit(_compare, sides)
                self._asked[key] = found
            self._asked.move_to_end(key)
            while len(self._asked) > _MOST_KEPT:
                self._asked.popitem(last=False)
            return found


def _compare(sides: Sides) -> Changes:
    return compare_sides(sides)


def _make_key(sides: Sides) -> _Key:
    return tuple((pair.stage, _name_side(pair.old), _name_side(pair.new)) for pair in sides.pairs)


def _name_side(version: Version | None) -> _Side:
    return None if version is None else (version.number, version.manifest.content)
