"""How strongly a tool process is confined, and which strength was asked for."""

from __future__ import annotations

import os
from enum import StrEnum

from sopforge.errors import Fault, SandboxError

SETTING = "SOPFORGE_SANDBOX"


class Level(StrEnum):
    """What the kernel enforces on a tool process; a result names the level it was made at."""

    STRONG = "strong"
    """No system call that takes a path: a tool gets its files in memory."""
    KERNEL = "kernel"
    """System calls that take a path reach the tools' own folder and nothing else, to read."""
    LIMITS = "limits"
    """Limits on memory, time and files, and an empty environment: no boundary."""
    NONE = "none"
    """Nothing is enforced, so nothing is run."""

    @property
    def is_boundary(self) -> bool:
        """Whether code that means harm is held."""
        return self in {Level.STRONG, Level.KERNEL}

    @property
    def is_on_disk(self) -> bool:
        """Whether a tool finds its files in a folder of its own, not in memory."""
        return self in {Level.KERNEL, Level.LIMITS}


def read_chosen_level() -> Level:
    """Return the level that this process runs tools at: ``SOPFORGE_SANDBOX``, else strong.

    Raises:
        SandboxError: the setting names no level at which tools are run.
    """
    text = os.environ.get(SETTING) or Level.STRONG
    levels = [level.value for level in Level if level is not Level.NONE]
    if text in levels:
        return Level(text)
    message = f"{text!r} is not a level of the sandbox; levels are {', '.join(levels)}"
    raise SandboxError(
        Fault("unknown-sandbox-level", message, f"--sandbox or {SETTING}", "leave it out")
    )
