"""A filter of system calls: what is not on a list fails as not permitted.

The filter is a program for the kernel's classic BPF machine, which reads ``struct seccomp_data``:
the call's number, the architecture, and six arguments of 64 bits.
https://docs.kernel.org/userspace-api/seccomp_filter.html
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sopforge.sandbox.child.kernel import UnenforceableError, call_prctl
from sopforge.sandbox.child.system_calls import (
    ARCHITECTURES,
    Architecture,
    SystemCall,
    list_call_numbers,
)

_LOAD, _IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_HALF = 2**32
KILL, REFUSE, ALLOW = 0x80000000, 0x00050000 | errno.EPERM, 0x7FFF0000
_SET_SECCOMP, _FILTER = 22, 2


class Instruction(NamedTuple):
    """One step: what to do, how far to jump if it holds or not, and its operand."""

    code: int
    then: int
    otherwise: int
    operand: int


class _Instruction(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_uint16),
        ("then", ctypes.c_uint8),
        ("otherwise", ctypes.c_uint8),
        ("operand", ctypes.c_uint32),
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint16), ("steps", ctypes.POINTER(_Instruction)))


def build_filter(calls: Sequence[SystemCall], architecture: Architecture) -> list[Instruction]:
    """Return the filter that allows these calls, and kills a program of another architecture."""
    steps = [
        # Looked at before any number, for numbers mean other calls on other architectures.
        Instruction(_LOAD, 0, 0, _ARCHITECTURE),
        Instruction(_IF_EQUAL, 1, 0, architecture.audit),
        Instruction(_RETURN, 0, 0, KILL),
        Instruction(_LOAD, 0, 0, _NUMBER),
    ]
    if architecture.foreign is not None:
        steps += [
            Instruction(_IF_AT_LEAST, 0, 1, architecture.foreign),
            Instruction(_RETURN, 0, 0, KILL),
        ]
    for number, forbidden in list_call_numbers(calls, architecture):
        verdict = [*_build_bit_checks(forbidden), Instruction(_RETURN, 0, 0, ALLOW)]
        steps += [Instruction(_IF_EQUAL, 0, len(verdict), number), *verdict]
    # Refused and not killed, so that the module's author learns of the line that tried it.
    return [*steps, Instruction(_RETURN, 0, 0, REFUSE)]


def _build_bit_checks(forbidden: Mapping[int, int]) -> Iterator[Instruction]:
    """Return the steps that refuse a call with a forbidden bit in an argument."""
    for position, bits in forbidden.items():
        # The machine loads 32 bits at a time, of an argument the low half first.
        for half, word in enumerate((bits % _HALF, bits // _HALF)):
            if word:
                yield Instruction(_LOAD, 0, 0, _ARGUMENTS + 8 * position + 4 * half)
                yield Instruction(_IF_ANY_BIT, 0, 1, word)
                yield Instruction(_RETURN, 0, 0, REFUSE)


def allow_only(calls: Sequence[SystemCall]) -> None:
    """Have every other system call of this process refused, for good.

    Raises:
        UnenforceableError: the kernel or the processor is none that this is known for.
    """
    machine = os.uname().machine
    # On a 64-bit kernel, a 32-bit Python makes its calls by other numbers.
    if machine not in ARCHITECTURES or sys.maxsize < 2**32:
        message = f"no system calls are known for this Python on {machine}"
        raise UnenforceableError(message)
    install(build_filter(calls, ARCHITECTURES[machine]))


def install(steps: Sequence[Instruction]) -> None:
    """Put a filter on this process, for good; those that are there already stay.

    Raises:
        UnenforceableError: the kernel takes none.
    """
    held = (_Instruction * len(steps))(*(_Instruction(*step) for step in steps))
    filled = _Program(len(steps), held)
    try:
        # As with Landlock, no_new_privs has to be set before, or the kernel takes no filter.
        call_prctl(_SET_SECCOMP, _FILTER, ctypes.addressof(filled))
    except OSError as cause:
        message = f"the kernel accepts no seccomp filter ({cause.strerror})"
        raise UnenforceableError(message) from cause
