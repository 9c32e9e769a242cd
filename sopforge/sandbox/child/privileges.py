"""What a process gives up for good: privileges, and outliving or being watched by others."""

from __future__ import annotations

import ctypes
import signal
from contextlib import suppress

from sopforge.sandbox.child.kernel import call_prctl, load_libc

_PDEATHSIG, _DUMPABLE, _CAPBSET_DROP, _SUBREAPER, _NO_NEW_PRIVS, _AMBIENT = 1, 4, 24, 36, 38, 47
_AMBIENT_CLEAR_ALL = 4
_MOST_CAPABILITIES = 64
_CAPABILITY_VERSION = 0x20080522


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Capabilities(ctypes.Structure):
    """The low and the high half of the effective, permitted and inheritable capabilities."""

    _fields_ = (("words", ctypes.c_uint32 * 6),)


def give_up_privileges() -> None:
    """Drop all capabilities, also root's, and any means to get them back; never to be watched.

    Raises:
        OSError: the kernel refuses.
    """
    call_prctl(_NO_NEW_PRIVS, 1)
    # Before the capabilities themselves go, for it takes one to drop these.
    for capability in range(_MOST_CAPABILITIES):
        with suppress(OSError):  # unknown to this kernel, or not ours to drop
            call_prctl(_CAPBSET_DROP, capability)
    with suppress(OSError):
        call_prctl(_AMBIENT, _AMBIENT_CLEAR_ALL)
    header = _Header(_CAPABILITY_VERSION, 0)
    if load_libc().capset(ctypes.byref(header), ctypes.byref(_Capabilities())) != 0:
        number = ctypes.get_errno()
        raise OSError(number, "capset")
    # Else any process of the same user could attach to this one, and read and write its memory.
    call_prctl(_DUMPABLE, 0)


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends."""
    call_prctl(_SUBREAPER, 1)


def die_with_parent() -> None:
    """Have the kernel kill this process when its parent ends."""
    call_prctl(_PDEATHSIG, signal.SIGKILL)
