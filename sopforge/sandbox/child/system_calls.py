"""The system calls that a tool process may make, with their numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

_ALL_BITS = 2**64 - 1
_PROT_EXEC = 4
_OF_ANOTHER = 1 << 31
"""A clock with this bit counts the processor time of the process whose number the others are."""
_HUGE_PAGES = 0x40000
"""Pages that the machine's owner set aside; no limit counts them."""
_ALL_BUT_READS = 0o3 | 0o100 | 0o1000 | 0o10000000
"""O_ACCMODE, O_CREAT, O_TRUNC and O_PATH, which are the same bits on both architectures."""


@dataclass(frozen=True, slots=True)
class SystemCall:
    """A call, its number on each architecture, and bits that no argument may have set."""

    name: str
    numbers: tuple[int | None, int | None]
    forbidden: Mapping[int, int] = field(default_factory=dict)
    """By the argument's position."""


@dataclass(frozen=True, slots=True)
class Architecture:
    """A kind of processor, as the kernel reports it to a filter."""

    name: str
    column: int
    audit: int
    foreign: int | None = None
    """Numbers from here up belong to another kind of program."""


ARCHITECTURES = {
    "x86_64": Architecture("x86_64", 0, 0xC000003E, foreign=0x40000000),
    "aarch64": Architecture("aarch64", 1, 0xC00000B7),
}
"""By the name that ``uname`` gives."""

ON_VALUES = (
    SystemCall("read", (0, 63)),
    SystemCall("write", (1, 64)),
    SystemCall("futex", (202, 98)),
    SystemCall("mmap", (9, 222), {2: _PROT_EXEC, 3: _HUGE_PAGES}),
    SystemCall("munmap", (11, 215)),
    SystemCall("mremap", (25, 216)),
    SystemCall("mprotect", (10, 226), {2: _PROT_EXEC}),
    SystemCall("brk", (12, 214)),
    SystemCall("madvise", (28, 233)),
    SystemCall("close", (3, 57)),
    SystemCall("fstat", (5, 80)),
    SystemCall("lseek", (8, 62)),
    SystemCall("rt_sigaction", (13, 134)),
    SystemCall("rt_sigprocmask", (14, 135)),
    SystemCall("rt_sigreturn", (15, 139)),
    SystemCall("sigaltstack", (131, 132)),
    SystemCall("sched_yield", (24, 124)),
    SystemCall("nanosleep", (35, 101)),
    SystemCall("clock_nanosleep", (230, 115), {0: _OF_ANOTHER}),
    SystemCall("clock_gettime", (228, 113), {0: _OF_ANOTHER}),
    SystemCall("clock_getres", (229, 114), {0: _OF_ANOTHER}),
    SystemCall("gettimeofday", (96, 169)),
    SystemCall("time", (201, None)),
    SystemCall("restart_syscall", (219, 128)),
    SystemCall("getrandom", (318, 278)),
    SystemCall("getrusage", (98, 165)),
    SystemCall("getrlimit", (97, 163)),
    # Of itself alone, and only to read: no other process, and no new limit.
    SystemCall("prlimit64", (302, 261), {0: _ALL_BITS, 2: _ALL_BITS}),
    SystemCall("getpid", (39, 172)),
    SystemCall("getppid", (110, 173)),
    SystemCall("gettid", (186, 178)),
    SystemCall("getuid", (102, 174)),
    SystemCall("geteuid", (107, 175)),
    SystemCall("getgid", (104, 176)),
    SystemCall("getegid", (108, 177)),
    SystemCall("rseq", (334, 293)),
    SystemCall("exit", (60, 93)),
    SystemCall("exit_group", (231, 94)),
)
"""Calls that take no path and reach nothing outside of the process but its open descriptors."""

# Without readlink: nothing needs it, and it shows where any link of the disk leads.
ON_PATHS = (
    SystemCall("open", (2, None), {1: _ALL_BUT_READS}),
    SystemCall("openat", (257, 56), {2: _ALL_BUT_READS}),
    SystemCall("stat", (4, None)),
    SystemCall("lstat", (6, None)),
    SystemCall("newfstatat", (262, 79)),
    SystemCall("statx", (332, 291)),
    SystemCall("access", (21, None)),
    SystemCall("faccessat", (269, 48)),
    SystemCall("faccessat2", (439, 439)),
    SystemCall("getdents64", (217, 61)),
    SystemCall("getcwd", (79, 17)),
    SystemCall("pread64", (17, 67)),
    SystemCall("dup", (32, 23)),
    SystemCall("fadvise64", (221, 223)),
)
"""Calls that read files; Landlock says which."""


def list_call_numbers(
    calls: Sequence[SystemCall], architecture: Architecture
) -> list[tuple[int, Mapping[int, int]]]:
    """Return each call's number on an architecture that has it, and its forbidden bits."""
    numbers = ((call.numbers[architecture.column], call.forbidden) for call in calls)
    return [(number, forbidden) for number, forbidden in numbers if number is not None]
