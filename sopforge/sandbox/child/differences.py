"""Makes zygotes differ in what no answer may depend on, so that asking two of them shows it.

Their string hashes differ from the start: Python takes the salt from its environment.
"""

from __future__ import annotations

import os
import time

_ZONES = ("UTC0", "UTC-23:59")
"""In all but one minute of a day it is another day in the second."""


def vary_surroundings(salt: int) -> None:
    """Have a time zone and numbers of processes that go with a salt."""
    # Past os.environ, where a module would see it: this is for the C library alone.
    os.putenv("TZ", _ZONES[salt % len(_ZONES)])
    time.tzset()
    for _ in range(salt):
        _skip_number()


def _skip_number() -> None:
    number = os.fork()
    if not number:
        os._exit(0)
    os.waitpid(number, 0)
