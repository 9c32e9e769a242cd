"""A limit on the time that content of strangers takes, such as a pattern that never ends."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

CHECK_SECONDS = 20.0
"""For all values of a parameter, or of a document: patterns can be written that never end."""


class TooSlowError(RuntimeError):
    """What a stranger's file asks for takes longer than it may."""


@contextmanager
def limit_time(seconds: float, what: str) -> Iterator[None]:
    """Raise ``TooSlowError`` where a block takes longer; only the main thread can be stopped."""
    # Python runs handlers of signals in the main thread only, and refuses to set them elsewhere.
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise TooSlowError(f"{what} takes more than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        # The timer first: a signal after the old handler is back would end the process.
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
