"""Where all domains stand, kept in memory, and read anew as often as that is cheap."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from sopforge.errors import SopForgeError
from sopforge.store.overview import Overview, build_overview, iterate_overviews
from sopforge.store.versions import Store

# Reading may take this share of the time, and what is read in a moment is read when asked for.
_SHARE = 0.1
_AT_ONCE_SECONDS = 0.05
_LEAST_SECONDS = 0.5
_PATIENCE_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Listing:
    """The domains as they stood ``age`` seconds ago; some are missing while they are read first."""

    rows: tuple[Overview, ...]
    age: float
    is_complete: bool


class DomainIndex:
    """Rows of all domains of a store."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._rows: dict[str, Overview] = {}
        self._lock = threading.Lock()
        self._reader: threading.Thread | None = None
        self._read_at: float | None = None
        self._took = 0.0
        self._trouble: SopForgeError | None = None

    def list_domains(self) -> Listing:
        """Return where all domains stand.

        Raises:
            StoreError: the store cannot be read.
        """
        if self._is_due():
            self._read_soon()
        if self._trouble is not None:
            raise self._trouble
        with self._lock:
            rows = tuple(self._rows[name] for name in sorted(self._rows))
        age = 0.0 if self._read_at is None else self._clock() - self._read_at
        return Listing(rows, age, self._read_at is not None)

    def refresh(self, domain: str) -> Overview:
        """Return where one domain stands now."""
        row = build_overview(self._store.get_domain(domain))
        with self._lock:
            self._rows[domain] = row
        return row

    def read_all(self) -> None:
        """Read where all domains stand; each can be seen as soon as it was read."""
        started, found = self._clock(), dict[str, Overview]()
        try:
            for row in iterate_overviews(self._store):
                found[row.domain] = row
                with self._lock:
                    self._rows[row.domain] = row
            self._trouble = None
        except SopForgeError as refused:
            self._trouble = refused
            return
        finally:
            self._took = self._clock() - started
        with self._lock:
            # Only here domains that are gone fall out; until all are read, earlier rows are better
            # than none.
            self._rows = found
        self._read_at = self._clock()

    def _is_due(self) -> bool:
        if self._read_at is None or self._trouble is not None:
            return True
        least = max(_LEAST_SECONDS, self._took / _SHARE)
        return self._clock() - self._read_at > least

    def _read_soon(self) -> None:
        """Have all read; wait for it where it takes a moment, or is the first time."""
        with self._lock:
            if self._reader is None or not self._reader.is_alive():
                self._reader = threading.Thread(target=self.read_all, daemon=True)
                self._reader.start()
            reader = self._reader
        is_quick = self._read_at is None or self._took < _AT_ONCE_SECONDS
        if is_quick or self._trouble is not None:
            reader.join(_PATIENCE_SECONDS)
