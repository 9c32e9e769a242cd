"""Of a tool process nothing is left: no process, no file, no descriptor."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from sopforge.errors import SandboxError, ToolProcessError
from sopforge.sandbox.levels import Level
from sopforge.sandbox.process import ToolProcess
from sopforge.sandbox.zygotes import Zygote

RUN = [Level.STRONG, Level.KERNEL, Level.LIMITS]
SOURCE = """
import os, time

class SmallManager:
    def run(self):
        return 1
    def die(self):
        os._exit(1)
    def hang(self):
        while True: pass
    def escape(self):
        if not os.fork():
            os.setsid()
            if not os.fork():
                time.sleep(60)
        return 1
"""
FILES = {"tools.py": SOURCE.encode()}
KILLED = """
import sys, time
from sopforge.sandbox.levels import Level
from sopforge.sandbox.process import ToolProcess

with ToolProcess(files={"tools.py": sys.argv[2].encode()}, level=Level(sys.argv[1])) as tools:
    print(tools.zygote.number, tools.home, flush=True)
    time.sleep(60)
"""


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    """Return a process of this file's own, which no other test forks from."""
    with Zygote(0) as made:
        yield made


def is_running(number: int) -> bool:
    """Return whether a process lives; one that only awaits its parent's attention does not."""
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in {"Z", "X"}


def is_gone_soon(is_there: Callable[[], bool]) -> bool:
    """Return whether something that was ended is gone within three seconds."""
    until = time.monotonic() + 3
    while is_there() and time.monotonic() < until:
        time.sleep(0.01)
    return not is_there()


def family(number: int) -> list[int]:
    """Return the numbers of a process and of all that came of it, ended ones included."""
    children = Path(f"/proc/{number}/task/{number}/children").read_text().split()
    return [number, *(one for child in children for one in family(int(child)))]


def descriptors(number: int | str = "self") -> int:
    """Return how many descriptors a process has open."""
    return len(list(Path(f"/proc/{number}/fd").iterdir()))


@pytest.mark.parametrize("level", RUN)
@pytest.mark.parametrize("tool", ["run", "die", "hang", "escape", ""])
def test_nothing_is_left_over(zygote: Zygote, level: Level, tool: str) -> None:
    before = descriptors()
    process = ToolProcess(files=FILES, time_limit=1.0, level=level, zygote=zygote)
    with process as tools:
        home = tools.home
        assert len(family(zygote.number)) == 2
        assert bool(home) is level.is_on_disk
        with suppress(ToolProcessError):
            tools.call(tool, {})
    assert family(zygote.number) == [zygote.number]
    assert not (home and Path(home).exists())
    assert descriptors() == before


def test_nothing_is_left_over_when_the_block_raises(zygote: Zygote) -> None:
    numbers = []

    def interrupted() -> None:
        with ToolProcess(files=FILES, zygote=zygote) as tools:
            numbers.append(tools.number)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert not is_running(numbers[0])


@pytest.mark.parametrize("source", ["1 / 0", "import os\nos._exit(0)", "x = "])
def test_nothing_is_left_over_when_the_module_does_not_load(zygote: Zygote, source: str) -> None:
    before = descriptors()
    process = ToolProcess(files={"tools.py": source.encode()}, zygote=zygote)
    with pytest.raises(ToolProcessError), process:
        pass
    assert family(zygote.number) == [zygote.number]
    assert descriptors() == before


def test_a_process_that_is_killed_from_outside_is_reported(zygote: Zygote) -> None:
    with ToolProcess(files=FILES, zygote=zygote) as tools:
        os.kill(tools.number, signal.SIGKILL)
        with pytest.raises(ToolProcessError, match="was killed or closed its output"):
            tools.call("run", {})


def test_nothing_is_left_over_after_ten_thousand_calls() -> None:
    with Zygote(0) as zygote:
        seen: list[int | str] = ["self", *([zygote.number] if os.geteuid() == 0 else [])]
        before = [descriptors(one) for one in seen]
        with ToolProcess(files=FILES, zygote=zygote) as tools:
            for _ in range(10_000):
                tools.call("run", {})
        for _ in range(100):
            with ToolProcess(files=FILES, zygote=zygote) as tools:
                tools.call("run", {})
        assert family(zygote.number) == [zygote.number]
        assert [descriptors(one) for one in seen] == before
        number = zygote.number
    assert not is_running(number)


@pytest.mark.parametrize("level", RUN)
def test_nothing_is_left_over_when_the_parent_is_killed(level: Level) -> None:
    command = [sys.executable, "-c", KILLED, level, SOURCE]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        zygote, *home = parent.stdout.readline().split()
        found = family(int(zygote))
        assert len(found) >= 2
        assert all(map(is_running, found))
        parent.kill()
    assert is_gone_soon(lambda: any(map(is_running, found)))
    assert is_gone_soon(lambda: any(Path(path).exists() for path in home))


@pytest.mark.parametrize("level", RUN)
def test_no_worker_outlives_a_zygote_that_is_killed(level: Level) -> None:
    with Zygote(0) as zygote, ToolProcess(files=FILES, level=level, zygote=zygote) as tools:
        number, home = tools.number, tools.home
        os.kill(zygote.number, signal.SIGKILL)
        assert is_gone_soon(lambda: is_running(number))
        with pytest.raises(SandboxError):
            tools.call("run", {})
    assert not (home and Path(home).exists())
