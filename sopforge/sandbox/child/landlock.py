"""Landlock: which folders a process can reach.

https://docs.kernel.org/userspace-api/landlock.html
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

from sopforge.sandbox.child.kernel import UnenforceableError, make_system_call

# The same numbers on every architecture.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_GET_VERSION = 1
_PATH_BENEATH = 1
_READ_FILE, _READ_FOLDER = 1 << 2, 1 << 3

# What each version of the interface first controls.
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}
_ALL_NETWORK, _NETWORK_FROM = 0b11, 4
_ALL_SCOPES, _SCOPES_FROM = 0b11, 6


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("files", ctypes.c_uint64),
        ("network", ctypes.c_uint64),
        ("scopes", ctypes.c_uint64),
    )


class _PathBeneath(ctypes.Structure):
    # As the kernel declares it, without padding at the end.
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def get_landlock_version() -> int:
    """Return the version of the kernel's interface, 0 where there is none."""
    try:
        return make_system_call(
            _CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_GET_VERSION)
        )
    except OSError:
        return 0


def restrict(readable: Path | None) -> None:
    """Let this process read one folder, or none, and reach no other file, no TCP port, no peer.

    Raises:
        UnenforceableError: the kernel has no Landlock.
    """
    there = get_landlock_version()
    if not there:
        message = "the kernel has no Landlock (Linux 5.13 or later, and 'landlock' in lsm=)"
        raise UnenforceableError(message)
    # A right that this kernel does not know would have the whole ruleset refused.
    rights = max(count for since, count in _FILE_RIGHTS.items() if since <= there)
    rules = _Ruleset(
        (1 << rights) - 1,
        _ALL_NETWORK if there >= _NETWORK_FROM else 0,
        _ALL_SCOPES if there >= _SCOPES_FROM else 0,
    )
    size = 24 if there >= _SCOPES_FROM else 16 if there >= _NETWORK_FROM else 8
    ruleset = make_system_call(
        _CREATE_RULESET, ctypes.byref(rules), ctypes.c_size_t(size), ctypes.c_uint32(0)
    )
    if readable is not None:
        _allow(ruleset, readable)
    # The kernel takes this from a process without capabilities only because the zygote has set
    # no_new_privs.
    make_system_call(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    os.close(ruleset)


def _allow(ruleset: int, readable: Path) -> None:
    folder = os.open(readable, os.O_PATH | os.O_DIRECTORY)
    rule = _PathBeneath(_READ_FILE | _READ_FOLDER, folder)
    make_system_call(
        _ADD_RULE,
        ctypes.c_int(ruleset),
        ctypes.c_int(_PATH_BENEATH),
        ctypes.byref(rule),
        ctypes.c_uint32(0),
    )
    os.close(folder)
