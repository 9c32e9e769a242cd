"""Runs commands at once, each in a process of its own.

``python -m tests.running.crowd`` reads a JSON list of commands from its input, and prints one of
how each ended: its exit code, what it said, and how many seconds it took.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

from sopforge.pipeline.stages import pipeline  # noqa: F401 - loaded once, before the processes part
from sopforge.store.backends import bucket  # noqa: F401 - likewise
from tests.running.quick_commands import run_command


def main(commands: list[list[str]]) -> list[Any]:
    """Start all commands at the same moment, and return how they ended."""
    start, go = os.pipe()
    ends = []
    for command in commands:
        result, out = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(go)
            os.read(start, 1)  # ends once nobody holds the other end any more
            began = time.monotonic()
            ended = run_command(*command)
            seconds = round(time.monotonic() - began, 2)
            os.write(out, json.dumps([ended.code, ended.said, seconds]).encode())
            os._exit(0)
        os.close(out)
        ends.append((pid, result))
    os.close(go)
    results = []
    for pid, end in ends:
        with os.fdopen(end, "rb") as file:
            results.append(json.loads(file.read()))
        os.waitpid(pid, 0)
    return results


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(json.loads(sys.stdin.read()))))
