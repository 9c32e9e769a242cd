"""Commands in processes of their own, of which some are killed at a random time."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from tests.running.quick_commands import Ended, run_command
from tests.soak.commands import Command

KILLED = -9
_SHARE_KILLED = 0.35
_LATEST_KILL = 0.5


@dataclass(frozen=True)
class Run:
    """A command that was run, and how it ended."""

    command: Command
    ended: Ended


def run_at_once(commands: Iterable[Command], chance: random.Random) -> list[Run]:
    """Run commands at the same time, and kill some of them."""
    started = [(command, *_started(command)) for command in commands]
    now = time.monotonic()
    kills = sorted(
        (now + chance.uniform(0, _LATEST_KILL), pid)
        for _, pid, _ in started
        if chance.random() < _SHARE_KILLED
    )
    for moment, pid in kills:
        time.sleep(max(0.0, moment - time.monotonic()))
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return [Run(command, _ended(pid, end)) for command, pid, end in started]


def _started(command: Command) -> tuple[int, int]:
    """Start a command; return its process, and where it says how it ended."""
    end, out = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(end)
        ended = run_command(*command)
        with os.fdopen(out, "w") as file:
            json.dump([ended.code, ended.said], file)
        os._exit(0)
    os.close(out)
    return pid, end


def _ended(pid: int, end: int) -> Ended:
    with os.fdopen(end) as file:
        text = file.read()
    _, status = os.waitpid(pid, 0)
    # A process that was killed once it had said how it ended did end so.
    with suppress(ValueError):
        return Ended(*json.loads(text))
    return Ended(os.waitstatus_to_exitcode(status), "")
