"""A run of a model agent that is killed again and again pays for no reply twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from sopforge.evaluation.packages.proved import read_proved
from sopforge.evaluation.runs.rows import ROWS
from tests.conftest import Released
from tests.servers.model_server import ModelServer, Silence, model_server
from tests.worlds.model_players import make_player
from tests.worlds.providers import set_keys

TASKS, AT_ONCE = 12, 3
MAIN = "from sopforge.cli import main; main()"
COMMAND = [sys.executable, "-c", MAIN, "evaluate", "--agent", "function-calling"]
OPTIONS = f"--model anthropic/claude-test-1 --tasks {TASKS} --concurrency {AT_ONCE}".split()


def read_rows(out: Path) -> list[dict[str, Any]]:
    """Return the rows of a run by task, without how long each took."""
    rows = [json.loads(line) for line in (out / ROWS).read_text().splitlines()]
    return sorted(({**row, "seconds": 0} for row in rows), key=lambda row: str(row["task"]))


def start(package: str, out: Path) -> subprocess.Popen[bytes]:
    """Start a run in a process of its own."""
    return subprocess.Popen(
        [*COMMAND, package, *OPTIONS, "--out", str(out)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "SOPFORGE_PROGRESS": "0"},
        start_new_session=True,
    )


def wait_for(process: subprocess.Popen[bytes], server: ModelServer, replies: int) -> None:
    """Wait until a run has asked so often more."""
    due = len(server.seen) + replies
    until = time.monotonic() + 60
    while len(server.seen) < due and process.poll() is None and time.monotonic() < until:
        time.sleep(0.002)


def kill_after(process: subprocess.Popen[bytes], server: ModelServer, replies: int) -> None:
    """Kill a run once it has asked so often more."""
    wait_for(process, server, replies)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def test_a_run_that_is_interrupted_says_what_is_kept(
    released: Released, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = str(released.published.packages["L0"])
    set_keys(monkeypatch)
    with model_server() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        server.answer = lambda _: Silence(3)
        process = start(place, tmp_path / "run")
        wait_for(process, server, 1)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)

    assert process.returncode == 130, said
    assert "repeat the command to continue" in " ".join(said.decode().split())


@pytest.mark.parametrize(
    "kills", [2, pytest.param(10, marks=pytest.mark.exhaustive)], ids=["twice", "ten-times"]
)
def test_a_run_that_is_killed_asks_for_nothing_twice_and_ends_with_the_same_rows(
    released: Released, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kills: int
) -> None:
    place = str(released.published.packages["L0"])
    package = read_proved(Path(place))
    set_keys(monkeypatch)
    with model_server() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        server.answer = player = make_player(package.graded.tasks)
        undisturbed = start(place, tmp_path / "undisturbed")
        assert undisturbed.wait() == 0
        asked = sorted(player.asked)

        player.asked.clear()
        for _ in range(kills):
            kill_after(start(place, tmp_path / "killed"), server, len(asked) // (kills + 2))
        assert start(place, tmp_path / "killed").wait() == 0

    assert read_rows(tmp_path / "killed") == read_rows(tmp_path / "undisturbed")
    assert set(player.asked) == set(asked)
    # Only what had not arrived when a run was killed: at most a reply for each task at work.
    assert len(player.asked) - len(asked) <= kills * AT_ONCE
