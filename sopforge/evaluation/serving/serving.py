"""A package served until its client leaves, or until somebody stops it."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sopforge.errors import Fault, MaterialError
from sopforge.evaluation.serving.attempts import Attempts
from sopforge.evaluation.serving.over_http import HttpServer
from sopforge.evaluation.serving.over_stdio import run_stdio
from sopforge.evaluation.serving.served import Served
from sopforge.harness.environment.events import write_log
from sopforge.harness.environment.machine import State
from sopforge.harness.environment.session import open_session
from sopforge.harness.users.simulated import SimulatedUser
from sopforge.sandbox.process import ToolProcess

MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Serving:
    """What is served: a package with ``task`` alone, "" for all of its tasks, and where to log.

    With a ``user``, agents are shown what he says of a task, and may speak with him.
    """

    served: Served
    task: str = ""
    seed: int = 0
    log: Path | None = None
    user: SimulatedUser | None = None

    def serve_stdio(self) -> None:
        """Serve the one client on standard input and output, until it leaves.

        Raises:
            MaterialError: there is no such task, or the log cannot be written.
            ToolProcessError: the tools do not load.
            SandboxError: this machine cannot confine them as asked for.
        """
        with self.open_attempts() as attempts:
            _run(run_stdio(attempts, self.served.read_only))

    def serve_http(self, listener: socket.socket) -> None:
        """Serve whoever connects, until a signal comes; raises as ``serve_stdio``."""
        with listener, self.open_attempts() as attempts:
            _run(HttpServer(attempts, self.served.read_only).run(listener))

    @contextmanager
    def open_attempts(self) -> Iterator[Attempts]:
        """Open the sessions of clients; all are logged at their end, at the latest at this one."""
        shown, task = self.served.shown, self.task
        if task and task not in shown.tasks:
            known = ", ".join(list(shown.tasks)[:MOST_NAMED])
            message = f"{shown.name} has no task '{task}'; it begins with {known}"
            raise MaterialError(Fault("unknown-task", message, "--task", "look in tasks.jsonl"))
        with (
            _open_log(self.log) as end,
            self.served.open_environment() as served,
        ):
            environment = self.user.join(served) if self.user else served
            # What is wrong with the tools or with this machine is said before anybody connects.
            with ToolProcess(files=shown.files):
                pass
            attempts = Attempts(
                environment.shown,
                lambda _, chosen: open_session(environment, chosen or task, self.seed),
                is_choosing=not task,
                has_user=self.user is not None,
                end=end,
            )
            try:
                yield attempts
            finally:
                attempts.leave_all()


@contextmanager
def _open_log(place: Path | None) -> Iterator[Callable[[State[Any]], None]]:
    """Open what notes a state that is at its end: as a line of a file, if there is to be one."""
    if place is None:
        yield lambda _: None
        return
    # In one write for each, so that what another server appends stands before or after it.
    with place.open("ab", buffering=0) as lines:

        def note(state: State[Any]) -> None:
            head = {"task": state.task, "seed": state.seed, "answer": state.answer}
            lines.write(write_log(head, state.events).encode() + b"\n")

        yield note


def _run(main: Coroutine[Any, Any, None]) -> None:
    """Run until it is done; SIGTERM ends it as Ctrl-C does, in order."""
    stopped = False

    async def run() -> None:
        def stop() -> None:
            nonlocal stopped
            stopped = True
            task.cancel()

        task = asyncio.ensure_future(main)
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop)
        await task

    try:
        asyncio.run(run())
    except asyncio.CancelledError:
        if not stopped:
            raise
