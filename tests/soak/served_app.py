"""The review app in a process of its own, with builds that are made once and looks every second.

``python -m tests.soak.served_app MADE STORE USERS PORT OPTION...`` serves until it is killed. Its
runs are processes as those of the app are, which take what was built from the same folder.
"""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from types import SimpleNamespace

from argon2 import PasswordHasher

from review.access import users
from review.runs import local_runs, one_run, sweeping
from tests.running.quick_commands import run_command, use_quick_builds
from tests.soak.places import ROOT, be_quick

RUN = "run"
SWEEP_SECONDS = 1.0


def main(made: str, *words: str) -> int:
    """Serve, or do the work of one run; return the exit code."""
    if "AWS_ENDPOINT_URL_S3" in os.environ:
        be_quick()
    use_quick_builds(Path(made))
    if words[0] == RUN:
        return one_run.main(words[1:])
    place, users_file, port, *more = words
    os.environ["PYTHONPATH"] = str(ROOT)
    runner = SimpleNamespace(executable=str(_runner(Path(made))))
    hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    for module, name, quick in (
        (local_runs, "sys", runner),
        (sweeping, "_PAUSE_SECONDS", SWEEP_SECONDS),
        (users, "_HASHER", hasher),
    ):
        assert hasattr(module, name), name
        setattr(module, name, quick)
    ended = run_command("review", "--store", place, "--users", users_file, "--port", port, *more)
    sys.stderr.write(ended.said)
    return ended.code


def _runner(made: Path) -> Path:
    """Write what stands for Python where the app starts a run: the run, with quick builds."""
    path = made / f"run-{os.getpid()}.sh"
    command = shlex.join([sys.executable, "-m", "tests.soak.served_app", str(made), RUN])
    # The app says: -P -m review.runs.one_run TASK DOMAIN STORE.
    path.write_text(f'#!/bin/sh\nshift 3\nexec {command} "$@"\n', encoding="utf-8")
    path.chmod(0o700)
    return path


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
