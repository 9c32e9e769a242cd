"""System calls that Python has no function for."""

from __future__ import annotations

import ctypes
import os
from functools import cache


class UnenforceableError(Exception):
    """This machine cannot enforce what was asked for; the text says what is missing."""


@cache
def load_libc() -> ctypes.CDLL:
    """Return the C library of this process."""
    return ctypes.CDLL(None, use_errno=True)


def call_prctl(option: int, *arguments: int) -> int:
    """Make the call of that name.

    Raises:
        OSError: the kernel refuses.
    """
    # The arguments that are not used too: some options are refused unless these are 0.
    words = [ctypes.c_ulong(word) for word in (*arguments, 0, 0, 0, 0)[:4]]
    return _require_success(load_libc().prctl(option, *words))


def make_system_call(number: int, *arguments: object) -> int:
    """Make a system call by its number.

    Raises:
        OSError: the kernel refuses.
    """
    # Unless this is said, ctypes takes the result for an int of 32 bits.
    load_libc().syscall.restype = ctypes.c_long
    return _require_success(load_libc().syscall(ctypes.c_long(number), *arguments))


def _require_success(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
