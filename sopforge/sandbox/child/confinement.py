"""Confines a process that was just forked to one level, for good."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from sopforge.sandbox.child.kernel import UnenforceableError
from sopforge.sandbox.child.landlock import restrict
from sopforge.sandbox.child.limits import lower_limits
from sopforge.sandbox.child.seccomp import allow_only
from sopforge.sandbox.child.system_calls import ON_PATHS, ON_VALUES
from sopforge.sandbox.levels import Level


def confine(level: Level, home: Path | None) -> None:
    """Confine this process; ``home`` is the folder that it may read, at levels with one.

    Raises:
        UnenforceableError: this machine cannot enforce the level.
    """
    # First, for the filter refuses any change of limits.
    lower_limits()
    if level is Level.LIMITS:
        return
    if sys.platform != "linux":
        message = f"only Linux can confine a process; this is {sys.platform}"
        raise UnenforceableError(message)
    if level is Level.STRONG:
        with suppress(UnenforceableError):  # a second wall where there is one
            restrict(None)
        allow_only(ON_VALUES)
    else:
        # Landlock first, for the filter refuses the calls that set it up.
        restrict(home)
        allow_only((*ON_VALUES, *ON_PATHS))
    _assure()


def _assure() -> None:
    """Try what must fail now: a kernel may accept a rule and not keep it.

    Raises:
        UnenforceableError: something succeeds.
    """
    attempts: dict[str, Callable[[], object]] = {
        "a file outside can be opened": lambda: os.open("/", os.O_RDONLY),
        "a socket can be made": socket.socket,
        "a process can be started": _start,
        "another process can be signalled": lambda: os.kill(os.getppid(), 0),
        # Nothing but the filter refuses this: what is around may have refused all of the others.
        "the filter is not in force": lambda: os.getsid(0),
    }
    for words, act in attempts.items():
        try:
            act()
        except PermissionError:
            continue
        raise UnenforceableError(words)


def _start() -> None:
    if not os.fork():
        os._exit(0)
