"""Programs of users: started for a task, stopped when its time is up, and how they broke."""

from __future__ import annotations

import os
import secrets
import selectors
import shlex
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from sopforge.errors import Fault, MaterialError
from sopforge.evaluation.agents.agent import AttemptEndedError
from sopforge.harness.grading.grades import Stop
from sopforge.proxies import skip_proxies_for_loopback

_LONGEST_SAID = 300
_PIECE = 1 << 16
_LONGEST_ERRORS = 1 << 16
_FRAME = b" \t\r|"
_MARK = "SOPFORGE_RUN"
"""A variable that all have that come of an agent, also those with a session of their own."""
_PROCESSES = Path("/proc")
_ROUNDS, _PAUSE = 100, 0.01


class AgentBrokeError(Exception):
    """An agent ended, or did what it may not do."""


@dataclass(slots=True)
class AgentProcess:
    """A process, which is killed with its children when its time is up."""

    process: subprocess.Popen[bytes]
    errors: IO[bytes]
    limit: float
    until: float
    mark: bytes = b""
    is_over: bool = False
    rest: bytes = b""

    @property
    def writes(self) -> IO[bytes]:
        """What it reads as its standard input."""
        return _require_pipe(self.process.stdin)

    def read_line(self, most: int) -> bytes:
        """Return the next line that it writes; of one of more bytes than ``most`` one more.

        It is empty at the end, and once its time is up: a child of its own that lives on may hold
        its output open.
        """
        line = b""
        while b"\n" not in self.rest:
            line = (line + self.rest)[: most + 1]
            self.rest = self._read_some()
            if not self.rest:
                return b"" if self.is_over else line
        end, _, self.rest = self.rest.partition(b"\n")
        return (line + end + b"\n")[: most + 1]

    def _read_some(self) -> bytes:
        """Return what it has written, nothing at the end and once its time is up."""
        pipe = _require_pipe(self.process.stdout)
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            if selector.select(max(0.0, self.until - time.monotonic())):
                return os.read(pipe.fileno(), _PIECE)
        self.end(is_over=True)
        return b""

    def end(self, *, is_over: bool = False) -> None:
        """Kill the process and all that came of it."""
        self.is_over = is_over
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        for _ in range(_ROUNDS):
            # Again, until none is left that could have started another one meanwhile.
            found = list(_iterate_marked(self.mark))
            if not found:
                return
            for number in found:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(number, signal.SIGKILL)
            time.sleep(_PAUSE)

    def make_ending_error(self, refused: str = "") -> AgentBrokeError | AttemptEndedError:
        """Return why it ended without an answer, once it has; ``refused`` is a line that was."""
        self.process.wait()
        if self.is_over:
            return AttemptEndedError(
                Stop.TOO_SLOW, f"the command did not answer within {self.limit:g} s"
            )
        size = self.errors.seek(0, os.SEEK_END)
        self.errors.seek(max(0, size - _LONGEST_ERRORS))
        lines = self.errors.read().split(b"\n")
        # Python draws a frame around the errors of a group: what stands in it is what was said.
        last = next((line for line in reversed(lines) if line.strip(_FRAME + b"+-")), b"")
        says = f": {shorten(last.lstrip(_FRAME))}" if last else ""
        wrote = f"; of its lines one was refused: {refused}" if refused else ""
        return AgentBrokeError(f"the command ended without an answer{says}{wrote}")


@contextmanager
def start_agent(
    command: str, limit: float, variables: Mapping[str, str] | None = None
) -> Iterator[AgentProcess]:
    """Start a command for so many seconds.

    One that is given ``variables``, beside those that there are, works by these: it reads nothing,
    and what it prints goes nowhere.

    Raises:
        AgentBrokeError: it does not start.
    """
    pipe, mark = subprocess.DEVNULL if variables else subprocess.PIPE, secrets.token_hex()
    with tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(  # noqa: S603 - the user's own command
                shlex.split(command),
                stdin=pipe,
                stdout=pipe,
                stderr=errors,
                env=_build_environment({**(variables or {}), _MARK: mark}),
                start_new_session=True,
            )
        except OSError as cause:
            raise AgentBrokeError(f"the command cannot be started: {cause}") from cause
        with process:
            until, entry = time.monotonic() + limit, f"{_MARK}={mark}".encode()
            agent = AgentProcess(process, errors, limit, until, entry)
            # Whatever waits then, to read or to write, goes on: the other end is gone.
            timer = threading.Timer(limit, agent.end, kwargs={"is_over": True})
            timer.daemon = True
            timer.start()
            try:
                yield agent
            finally:
                timer.cancel()
                agent.end(is_over=agent.is_over)
                # What was not read any more would fail once more as the pipe is closed.
                with suppress(BrokenPipeError):
                    if process.stdin:
                        process.stdin.close()


def _build_environment(variables: Mapping[str, str]) -> dict[str, str]:
    """Return what an agent's command reads: it may serve or be served on this machine."""
    environment = {**os.environ, **variables}
    skip_proxies_for_loopback(environment)
    return environment


def _iterate_marked(mark: bytes) -> Iterator[int]:
    """Yield the processes that have an entry among their variables, where the system lists them."""
    for place in _PROCESSES.glob("[0-9]*"):
        # Of others' processes nothing is shown, and those that have ended have none.
        with suppress(OSError):
            if mark in (place / "environ").read_bytes().split(b"\0"):
                yield int(place.name)


def _require_pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise AssertionError("nothing is said to a command that works by variables")
    return pipe


def refuse_no_command(command: str, example: str) -> None:
    """Raise ``MaterialError`` for a command that is empty, or whose quotes are not closed."""
    hint = f'name a program with its arguments, for example "{example}"'
    try:
        words = shlex.split(command)
    except ValueError as cause:
        message = f"'{command}' is not a command: {cause}"
        raise MaterialError(Fault("agent-unknown", message, "--agent", hint)) from cause
    if not words:
        raise MaterialError(Fault("agent-unknown", "the command is empty", "--agent", hint))


def shorten(line: bytes) -> str:
    """Return a line as text, no longer than a person reads."""
    text = line.decode(errors="replace").strip()
    return text if len(text) <= _LONGEST_SAID else f"{text[:_LONGEST_SAID]}..."
