"""A caller with threads, forks, signals and few descriptors gets its own answers, or an error."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from sopforge.errors import SandboxError, ToolProcessError
from sopforge.sandbox.answers import Observation
from sopforge.sandbox.levels import Level
from sopforge.sandbox.process import ToolProcess
from sopforge.sandbox.zygotes import Zygote, get_shared_zygote

FILES = {
    "tools.py": b"""
import time

class SmallManager:
    def same(self, value):
        return value
    def later(self, value):
        time.sleep(0.3)
        return value
"""
}


class AlarmError(Exception):
    """What a caller's own signal raises."""


@pytest.fixture
def alarm() -> Iterator[Callable[[float], None]]:
    """Return a function that interrupts by an exception after some seconds."""

    def ring(*_: object) -> None:
        raise AlarmError

    def wind(seconds: float) -> None:
        signal.setitimer(signal.ITIMER_REAL, seconds)

    before = signal.signal(signal.SIGALRM, ring)
    yield wind
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def test_threads_that_share_a_process_get_their_own_answers() -> None:
    wrong: list[object] = []

    def ask(name: str) -> None:
        for number in range(200):
            answer = tools.call("same", {"value": [name, number]})
            if answer != Observation([name, number]):
                wrong.append(answer)

    with ToolProcess(files=FILES) as tools:
        threads = [threading.Thread(target=ask, args=(name,)) for name in "abcd"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert tools.call("same", {"value": 1}) == Observation(1)
    assert wrong == []


def test_an_answer_that_nobody_waited_for_is_not_that_of_the_next_call(
    alarm: Callable[[float], None],
) -> None:
    with ToolProcess(files=FILES) as tools:
        alarm(0.1)
        with pytest.raises(AlarmError):
            tools.call("later", {"value": "mine"})
        with pytest.raises(ToolProcessError, match="tool-process-closed"):
            tools.call("same", {"value": "yours"})


def test_a_fork_that_nobody_waited_for_is_not_that_of_the_next_process(
    alarm: Callable[[float], None],
) -> None:
    with Zygote(0) as zygote:
        os.kill(zygote.number, signal.SIGSTOP)
        alarm(0.1)
        with pytest.raises(AlarmError):
            zygote.fork(Level.STRONG)
        os.kill(zygote.number, signal.SIGCONT)
        assert not zygote.is_alive
        with pytest.raises(SandboxError, match="its process is gone"):
            zygote.fork(Level.STRONG)


def test_the_shared_zygote_is_started_again_after_an_interruption(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted() -> None:
        raise AlarmError

    first = get_shared_zygote()
    monkeypatch.setattr(first, "_read", interrupted)
    with pytest.raises(AlarmError):
        first.fork(Level.STRONG)
    with ToolProcess(files=FILES) as tools:
        assert tools.call("same", {"value": 1}) == Observation(1)
        assert tools.zygote is not first


def test_a_fork_of_the_caller_has_no_part_in_its_process() -> None:
    with ToolProcess(files=FILES) as tools:
        child = os.fork()
        if not child:
            status = 1
            try:
                tools.call("same", {"value": "child"})
            except ToolProcessError:
                with ToolProcess(files=FILES) as own:
                    status = 0 if own.call("same", {"value": 2}) == Observation(2) else 2
            finally:
                os._exit(status)
        _, status = os.waitpid(child, 0)
        assert tools.call("same", {"value": "parent"}) == Observation("parent")
    assert status == 0


def test_a_fork_of_the_caller_does_not_keep_the_zygote() -> None:
    zygote = Zygote(0)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(writing)
        os.read(reading, 1)
        os._exit(0)
    began = time.monotonic()
    zygote.close()
    took = time.monotonic() - began
    os.close(writing)
    os.close(reading)
    os.waitpid(child, 0)
    assert took < 5


@pytest.fixture
def few() -> Iterator[list[int]]:
    """Have no descriptor left but those that a test closes of these."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = max(int(path.name) for path in Path("/proc/self/fd").iterdir()) + 20
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    held: list[int] = []
    with suppress(OSError):
        while True:
            held.append(os.open(os.devnull, os.O_RDONLY))
    yield held
    for descriptor in held:
        os.close(descriptor)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("left", [0, 1])
def test_too_few_descriptors_are_reported(bare: Zygote, few: list[int], left: int) -> None:
    for _ in range(left):
        os.close(few.pop())
    with (
        pytest.raises(SandboxError, match="Too many open files"),
        ToolProcess(files=FILES, zygote=bare),
    ):
        pass
    for _ in range(3):
        os.close(few.pop())
    with ToolProcess(files=FILES, zygote=bare) as tools:
        assert tools.call("same", {"value": 1}) == Observation(1)


DEAF = """
import os, signal, sys, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
from sopforge.errors import ToolProcessError
from sopforge.sandbox.levels import Level
from sopforge.sandbox.process import ToolProcess
files = {"tools.py": b"import os\\nclass AManager:\\n    def end(self): os._exit(3)\\n"}
with ToolProcess(files=files, level=Level.LIMITS) as tools:
    try:
        tools.call("end", {})
    except ToolProcessError as cause:
        print(cause.faults[0].message)
began = time.monotonic()
tools.zygote.close()
print(time.monotonic() - began < 5)
"""


@pytest.mark.parametrize("path", [os.defpath, "/nothing"], ids=["wrapped", "bare"])
def test_a_caller_that_is_deaf_to_ended_children_hears_of_them(path: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", DEAF],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        env={"PATH": path, "PYTHONPATH": str(Path(__file__).parents[3])},
    )
    assert ran.stdout.splitlines() == ["the process ended with exit status 3", "True"]
