"""The CPU time of some work, of this process and of the ones that it waited for."""

from __future__ import annotations

import resource
from collections.abc import Callable


def cpu_seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds of some work."""
    started = _used()
    work()
    return _used() - started


def _used() -> float:
    own, others = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime
