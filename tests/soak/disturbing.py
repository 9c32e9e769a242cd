"""What is killed and started again while reviewers work: the app, its runs, the store's service."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from tests.servers.prefect_processes import children
from tests.soak.places import ROOT, OnS3, Soaked

START_SECONDS = 60.0
# Long enough for the app to answer again, most of the time.
_LONGEST_PAUSE = 3.0
_RUN_SECONDS = 2.0
_LONGEST_OUTAGE = 1.5
_STOP_SECONDS = 20


@dataclass
class ServedApp:
    """The app on a store, as a process of which the runs are children."""

    made: Path
    store: str
    users: Path
    port: int
    log: Path
    options: tuple[str, ...] = ()
    environment: Mapping[str, str] | None = None
    process: subprocess.Popen[bytes] | None = None
    groups: list[int] = field(default_factory=list)

    @property
    def origin(self) -> str:
        """Where it is opened."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it; it answers some seconds later."""
        words = (str(self.made), self.store, str(self.users), str(self.port), *self.options)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.soak.served_app", *words],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.groups.append(self.process.pid)

    def wait(self) -> None:
        """Wait until it answers."""
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            assert time.monotonic() < deadline, f"no app: {self.log.read_text()[-4000:]}"
            time.sleep(0.05)

    def kill(self) -> None:
        """Kill the app alone: its runs go on as orphans."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(_STOP_SECONDS)

    def runs(self) -> list[int]:
        """Return the processes of its runs."""
        # One may end while it is looked for.
        with suppress(FileNotFoundError, ProcessLookupError):
            return children(self.process.pid) if self.process and self._lives else []
        return []

    def kill_runs(self) -> int:
        """Kill its runs; return how many there were."""
        killed = 0
        for number in self.runs():
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
                killed += 1
        return killed

    def kill_all(self) -> None:
        """Kill all that was started here, orphans too."""
        for group in self.groups:
            with suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
        if self.process is not None:
            self.process.wait(_STOP_SECONDS)
        self.groups.clear()

    @property
    def _lives(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def _answers(self) -> bool:
        assert self._lives, f"the app ended: {self.log.read_text()[-4000:]}"
        with suppress(httpx.TransportError):
            return httpx.get(f"{self.origin}/login", timeout=5).status_code < 400
        return False


@dataclass
class Disturber:
    """Kills and starts again at random moments; ``others`` are what else it may do so with."""

    app: ServedApp
    place: Soaked
    chance: random.Random
    kills: Counter[str]
    others: Mapping[str, Callable[[], None]] = field(default_factory=dict)

    def disturb(self, left: float) -> None:
        """Wait a moment, then kill something; it is there again when this returns."""
        time.sleep(min(left, self.chance.uniform(0, _LONGEST_PAUSE)))
        kinds = ["app", "run", "run", "run", "machine"]
        kinds += ["store"] * 2 if self._has_service else []
        kind = self.chance.choice([*kinds, *self.others])
        match kind:
            case _ if kind in self.others:
                self.others[kind]()
            case "app":
                self.app.kill()
                self._start()
            case "machine":
                self.app.kill_all()
                self._start()
            case "store":
                self._cut()
            case _:
                self.kills["run"] += self._kill_runs()
                return
        self.kills[kind] += 1

    @property
    def _has_service(self) -> bool:
        return isinstance(self.place, OnS3)

    def _kill_runs(self) -> int:
        """Wait for a run, then kill it at some moment; return how many were killed."""
        time.sleep(self.chance.uniform(0, _RUN_SECONDS))
        ends = time.monotonic() + _RUN_SECONDS
        while not (killed := self.app.kill_runs()) and time.monotonic() < ends:
            time.sleep(0.02)
        return killed

    def _start(self) -> None:
        time.sleep(self.chance.uniform(0, 0.3))
        self.app.start()
        # Some are killed again before they answer.
        if self.chance.random() < 0.7:
            with suppress(AssertionError):
                self.app.wait()

    def _cut(self) -> None:
        """Have the service do nothing for a moment, or answer nothing of what it does."""
        assert isinstance(self.place, OnS3)
        self.place.cut(is_done=self.chance.random() < 0.3)
        time.sleep(self.chance.uniform(0.1, _LONGEST_OUTAGE))
        self.place.upset()
