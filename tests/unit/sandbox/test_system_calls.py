"""The filter's program, run by a second implementation of the machine that the kernel has."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sopforge.sandbox.child.seccomp import ALLOW, KILL, REFUSE, Instruction, build_filter
from sopforge.sandbox.child.system_calls import (
    ARCHITECTURES,
    ON_PATHS,
    ON_VALUES,
    Architecture,
    SystemCall,
)

HEADERS = {
    "x86_64": (
        Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
        Path("/usr/include/asm/unistd_64.h"),
    ),
    "aarch64": (Path("/usr/include/asm-generic/unistd.h"),),
}
X86, ARM = ARCHITECTURES["x86_64"], ARCHITECTURES["aarch64"]
LEVELS = {"strong": ON_VALUES, "kernel": (*ON_VALUES, *ON_PATHS)}
WORDS = st.integers(0, 2**64 - 1)


def verdict(
    steps: list[Instruction], number: int, audit: int, arguments: tuple[int, ...] = ()
) -> int:
    """Run a program over ``struct seccomp_data`` as net/core/filter.c describes it."""
    data = struct.pack("<IIQ6Q", number, audit, 0, *(*arguments, *[0] * 6)[:6])
    accumulator = position = 0
    while True:
        step = steps[position]
        position += 1
        match step.code:
            case 0x20:  # BPF_LD | BPF_W | BPF_ABS
                (accumulator,) = struct.unpack_from("<I", data, step.operand)
                continue
            case 0x06:  # BPF_RET | BPF_K
                return step.operand
            case 0x15:
                holds = accumulator == step.operand
            case 0x35:
                holds = accumulator >= step.operand
            case 0x45:
                holds = accumulator & step.operand != 0
            case _:
                pytest.fail(f"no such instruction: {step}")
        position += step.then if holds else step.otherwise


def by_name(calls: tuple[SystemCall, ...], column: int) -> dict[str, int]:
    """Return the numbers of the calls that an architecture has."""
    return {call.name: number for call in calls if (number := call.numbers[column]) is not None}


@pytest.mark.parametrize("kind", [X86, ARM], ids=lambda item: item.name)
def test_the_numbers_are_those_of_the_kernels_headers(kind: Architecture) -> None:
    header = next((path for path in HEADERS[kind.name] if path.is_file()), None)
    if header is None:
        pytest.skip("the kernel's headers are not installed (linux-libc-dev)")
    found = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", header.read_text()))
    # Where a 64-bit machine has its own call under the name of a 32-bit one.
    other = {"newfstatat": "fstatat", "fadvise64": "fadvise64"}
    for name, number in by_name(LEVELS["kernel"], kind.column).items():
        listed = found.get(name, found.get(other.get(name, "")))
        assert listed == str(number), name


@pytest.mark.parametrize("calls", LEVELS.values(), ids=LEVELS)
@pytest.mark.parametrize("kind", ARCHITECTURES.values(), ids=ARCHITECTURES)
def test_what_is_listed_is_allowed_and_the_rest_refused(
    calls: tuple[SystemCall, ...], kind: Architecture
) -> None:
    steps = build_filter(calls, kind)
    listed = set(by_name(calls, kind.column).values())

    for number in range(600):
        wanted = ALLOW if number in listed else REFUSE
        assert verdict(steps, number, kind.audit) == wanted, number


@pytest.mark.parametrize("kind", ARCHITECTURES.values(), ids=ARCHITECTURES)
@given(number=st.integers(0, 2**32 - 1), audit=st.integers(0, 2**32 - 1))
def test_a_call_of_another_architecture_ends_the_process(
    kind: Architecture, number: int, audit: int
) -> None:
    if audit != kind.audit:
        assert verdict(build_filter(ON_VALUES, kind), number, audit) == KILL


@given(number=st.integers(0x40000000, 2**32 - 1))
def test_a_call_of_the_x32_kind_ends_the_process(number: int) -> None:
    assert verdict(build_filter(ON_VALUES, X86), number, X86.audit) == KILL


@pytest.mark.parametrize("kind", [X86, ARM], ids=lambda item: item.name)
@given(where=WORDS, size=WORDS, protection=WORDS)
def test_no_memory_becomes_code(kind: Architecture, where: int, size: int, protection: int) -> None:
    numbers = by_name(ON_VALUES, kind.column)
    steps = build_filter(ON_VALUES, kind)
    wanted = REFUSE if protection & 4 else ALLOW
    for name in ("mmap", "mprotect"):
        said = verdict(steps, numbers[name], kind.audit, (where, size, protection))
        assert said == wanted
    huge = verdict(steps, numbers["mmap"], kind.audit, (where, size, 0, 0x40022))  # MAP_HUGETLB
    assert huge == REFUSE


@pytest.mark.parametrize("kind", [X86, ARM], ids=lambda item: item.name)
@given(clock=st.integers(-(2**31), 2**31 - 1))
def test_no_clock_is_that_of_another_process(kind: Architecture, clock: int) -> None:
    """The number of a process, inverted, is the clock of the time that it has used."""
    numbers = by_name(ON_VALUES, kind.column)
    wanted = ALLOW if clock >= 0 else REFUSE
    for name in ("clock_gettime", "clock_getres", "clock_nanosleep"):
        for argument in (clock % 2**32, clock % 2**64):
            said = verdict(build_filter(ON_VALUES, kind), numbers[name], kind.audit, (argument,))
            assert said == wanted


@given(process=WORDS, kind=WORDS, changed=WORDS, old=WORDS)
def test_limits_of_the_process_itself_can_be_read_and_not_changed(
    process: int, kind: int, changed: int, old: int
) -> None:
    steps = build_filter(ON_VALUES, X86)
    wanted = ALLOW if process == changed == 0 else REFUSE
    assert verdict(steps, 302, X86.audit, (process, kind, changed, old)) == wanted


@pytest.mark.parametrize(
    ("flags", "wanted"),
    [
        (0, ALLOW),  # O_RDONLY
        (0o2000000, ALLOW),  # O_CLOEXEC
        (0o1, REFUSE),  # O_WRONLY
        (0o2, REFUSE),  # O_RDWR
        (0o100, REFUSE),  # O_CREAT
        (0o1000, REFUSE),  # O_TRUNC
        (0o10000000, REFUSE),  # O_PATH
    ],
)
def test_files_are_opened_to_be_read(flags: int, wanted: int) -> None:
    for kind, number in ((X86, 257), (ARM, 56)):
        steps = build_filter(LEVELS["kernel"], kind)
        assert verdict(steps, number, kind.audit, (2**64 - 100, 1, flags)) == wanted


def test_the_strong_list_takes_no_path() -> None:
    names = {call.name for call in ON_VALUES}
    takers = {"open", "openat", "openat2", "stat", "newfstatat", "statx", "execve", "readlink"}
    assert names.isdisjoint(takers | {call.name for call in ON_PATHS})
