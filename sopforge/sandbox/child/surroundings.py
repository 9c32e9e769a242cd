"""What a module can see of the process that it is in, beside its own files.

A module that finds out that it is being tried could behave well there and nowhere else. So nothing
here names the sandbox, and a process can also look like a plain run: a program elsewhere, started
from a shell, that imports the module from its folder.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable

_PROGRAM = "main.py"
_OURS = "sopforge"
_ORDINARY = {
    "HOME": "/home/user",
    "LANG": "C.UTF-8",
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "PWD": "/",
    "SHELL": "/bin/bash",
    "USER": "user",
}
_ZONES = ("UTC0", "UTC-23:59")
"""In all but one minute of a day it is another day in the second."""


def hide_program() -> None:
    """Have the command line be that of some program."""
    sys.argv[:] = [_PROGRAM]
    sys.orig_argv[:] = ["python3", _PROGRAM]


def keep_modules(offered: Iterable[str]) -> None:
    """Leave the offered modules to be imported by name, and none of ours."""
    kept = frozenset(offered)
    for name in [name for name in sys.modules if name not in kept or _is_ours(name)]:
        del sys.modules[name]


def imitate_plain_run(folder: str) -> None:
    """Have variables and the path of imports as where a program imports from a folder."""
    for name, value in _ORDINARY.items():
        os.environ[name] = value
    # Without the folder that our own code was loaded from, which would name the sandbox.
    sys.path[:] = [folder, *(path for path in sys.path if path.startswith(sys.base_prefix))]


def vary_surroundings(salt: int) -> None:
    """Have a time zone and numbers of processes that go with a salt.

    No answer may depend on them, so asking two zygotes shows it. Their string hashes differ from
    the start: Python takes the salt from its environment.
    """
    # Past os.environ, where a module would see it: this is for the C library alone.
    os.putenv("TZ", _ZONES[salt % len(_ZONES)])
    time.tzset()
    for _ in range(salt):
        _skip_number()


def _is_ours(name: str) -> bool:
    return name.partition(".")[0] == _OURS


def _skip_number() -> None:
    number = os.fork()
    if not number:
        os._exit(0)
    os.waitpid(number, 0)
