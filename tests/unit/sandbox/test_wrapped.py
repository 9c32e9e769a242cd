"""Bubblewrap around the processes: what a tool can see, even where nothing else holds it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from sopforge.errors import SandboxError
from sopforge.sandbox.answers import Observation, Refusal
from sopforge.sandbox.levels import Level
from sopforge.sandbox.process import ToolProcess
from sopforge.sandbox.zygotes import WRAPPER, Zygote, start_zygote

LOOKING = b"""
import os, socket

class LookingManager:
    def folder(self, path):
        return sorted(os.listdir(path))
    def read(self, path):
        return open(path).read()
    def processes(self):
        return [name for name in os.listdir("/proc") if name.isdigit()]
    def networks(self):
        return [name for _, name in socket.if_nameindex()]
"""

READING = {
    "tools.py": b"class AManager:\n    def run(self):\n        return open('data').read()\n",
    "data": b"here",
}


@pytest.fixture(scope="module")
def wrapped() -> Iterator[Zygote]:
    """Return a zygote in bubblewrap, where that is installed and allowed."""
    wrapper = shutil.which(WRAPPER)
    if wrapper is None:
        pytest.skip("bubblewrap is not installed")
    try:
        made = Zygote(0, wrapper=wrapper)
    except SandboxError:
        pytest.skip("bubblewrap cannot be used here: namespaces are not allowed")
    with made:
        yield made


def test_the_disk_is_what_python_needs(wrapped: Zygote, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x")
    files = {"tools.py": LOOKING}
    with ToolProcess(files=files, level=Level.LIMITS, zygote=wrapped) as tools:
        assert tools.call("folder", {"path": "/etc"}) == Observation(["ld.so.cache"])
        answer = tools.call("read", {"path": str(tmp_path / "secret")})
        assert isinstance(answer, Refusal)
        assert answer.code == "FileNotFoundError"


def test_other_processes_and_networks_are_not_there(wrapped: Zygote) -> None:
    files = {"tools.py": LOOKING}
    with ToolProcess(files=files, level=Level.LIMITS, zygote=wrapped) as tools:
        seen = tools.call("processes", {})
        assert isinstance(seen, Observation)
        assert isinstance(seen.value, list)
        assert len(seen.value) <= 4
        assert tools.call("networks", {}) == Observation(["lo"])


@pytest.mark.parametrize("level", [Level.STRONG, Level.KERNEL, Level.LIMITS])
def test_tools_work_in_it_at_each_level(wrapped: Zygote, level: Level) -> None:
    with ToolProcess(files=READING, level=level, zygote=wrapped) as tools:
        assert tools.call("run", {}) == Observation("here")


@pytest.mark.parametrize("program", ["#!/bin/sh\nexit 1\n", "no program"])
def test_a_bubblewrap_that_fails_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    fake = tmp_path / WRAPPER
    fake.write_text(program)
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with start_zygote(0) as zygote:
        assert not zygote.wrapped
        with ToolProcess(files=READING, zygote=zygote) as tools:
            assert tools.call("run", {}) == Observation("here")
