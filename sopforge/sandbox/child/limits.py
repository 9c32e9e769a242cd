"""Limits on what a tool process uses."""

from __future__ import annotations

import resource

CPU_SECONDS = 60
"""Of its whole life; each call has a limit of its own, by the clock, in the parent."""

LIMITS = {
    resource.RLIMIT_CPU: CPU_SECONDS,
    resource.RLIMIT_AS: 512 * 1024**2,
    resource.RLIMIT_NOFILE: 64,
    resource.RLIMIT_FSIZE: 0,
    resource.RLIMIT_CORE: 0,
    resource.RLIMIT_NPROC: 0,
}


def lower_limits() -> None:
    """Put the limits on this process for good; a stricter limit that is there already stays."""
    for kind, wanted in LIMITS.items():
        _, hard = resource.getrlimit(kind)
        limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        # Soft and hard alike, for anybody may raise a soft limit up to the hard one.
        resource.setrlimit(kind, (limit, limit))
