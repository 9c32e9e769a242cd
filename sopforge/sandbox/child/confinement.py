"""Confines a process that was just forked to one level, for good."""

from __future__ import annotations

import sys
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
        restrict(home)
        allow_only((*ON_VALUES, *ON_PATHS))
