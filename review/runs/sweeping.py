"""Looking, now and then, for domains that have something to do and that nobody goes on with."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from sopforge.errors import SopForgeError

_LOG = logging.getLogger("review")
_PAUSE_SECONDS = 60.0
# A look at a large store may take a minute itself.
_SHARE = 0.1


class Sweeps:
    """Looks at once and then again and again, in a thread of its own."""

    def __init__(self, look: Callable[[], None]) -> None:
        self._look = look
        self._is_over = threading.Event()

    def start(self) -> None:
        """Begin to look."""
        threading.Thread(target=self._go, daemon=True, name="sweeps").start()

    def stop(self) -> None:
        """Look no more."""
        self._is_over.set()

    def _go(self) -> None:
        pause = 0.0
        while not self._is_over.wait(pause):
            started = time.monotonic()
            self._try()
            pause = max(_PAUSE_SECONDS, (time.monotonic() - started) / _SHARE)

    def _try(self) -> None:
        try:
            with suppress(SopForgeError):  # The pages report a store that cannot be read.
                self._look()
        except Exception:  # noqa: BLE001 - the next look may do
            _LOG.exception("the search for domains to continue failed")
