"""Agents of users that are clients of the Model Context Protocol.

A command is started for each task. It finds the address of its session in ``SOPFORGE_MCP_URL`` and
the id of the task in ``SOPFORGE_TASK``, works as a client there, and calls ``answer``.
"""

from __future__ import annotations

import secrets
import threading
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from sopforge.evaluation.agents.processes import AgentProcess, refuse_no_command, start_agent
from sopforge.evaluation.agents.scripted import MCP
from sopforge.evaluation.packages.package import EvaluatedPackage
from sopforge.evaluation.packages.proved import ProvedPackage
from sopforge.evaluation.serving.attempts import Attempts, write_name_key
from sopforge.evaluation.serving.installed import require_sdk
from sopforge.harness.environment.machine import State
from sopforge.harness.environment.session import Session
from sopforge.language.domain.model import ToolKind

GRACE = 5.0
"""Seconds for which a command may go on after its answer, to take its leave."""
URL, TASK = "SOPFORGE_MCP_URL", "SOPFORGE_TASK"


@dataclass(slots=True)
class McpAgent:
    """A command that works over MCP, and may take ``time_limit`` seconds for a task.

    Used in a ``with`` block, one server stands for all of its tasks. Each has an address of its
    own that nobody guesses, and that is served no longer than the command runs. ``read_only`` are
    the tools that are no actions, by name.
    """

    command: str
    time_limit: float
    read_only: frozenset[str] = frozenset()
    stack: ExitStack = field(default_factory=ExitStack)
    served: Attempts | None = None
    url: str = ""
    given: dict[str, Session[Any]] = field(default_factory=dict)
    process: AgentProcess | None = None
    leaving: threading.Timer | None = None

    @property
    def name(self) -> str:
        """The name by which it was asked for."""
        return f"{MCP}{self.command}"

    def __enter__(self) -> Self:
        """Return itself; the server starts with the first task."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        cause: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stack.close()
        self.served = None

    def solve(self, session: Session[Any]) -> None:
        """Have the command work in the session.

        Raises:
            AgentBrokeError: it ends without an answer.
            AttemptEndedError: it took longer than it may.
            SandboxError: this machine cannot confine the tools as asked for.
        """
        served = self.served or self.serve(session)
        name = secrets.token_urlsafe()
        variables = {URL: f"{self.url}/{name}", TASK: session.state.task}
        self.given = {write_name_key(name): session}
        with start_agent(self.command, self.time_limit, variables) as self.process:
            self.process.process.wait()
            # What is answered at this moment is waited for, and nothing is after it.
            with served.lock:
                self.given, served.sessions = {}, {}
                if self.leaving:
                    self.leaving.cancel()
            if served.broken:
                raise served.broken
            if session.state.answer is None:
                raise self.process.make_ending_error()

    def serve(self, session: Session[Any]) -> Attempts:
        """Start the server, at which the session at work is found by its address."""
        from sopforge.evaluation.serving.over_http import HttpServer  # noqa: PLC0415 - slow to import

        self.served = Attempts(
            session.environment.shown,
            self.find,
            is_choosing=False,
            has_user=session.has_user,
            end=self.give_grace,
        )
        server = HttpServer(
            self.served, self.read_only, lambda name: write_name_key(name) in self.given
        )
        self.url = self.stack.enter_context(server.run_beside())
        return self.served

    def find(self, key: str, _: str) -> Session[Any]:
        """Return the session of an address.

        Raises:
            KeyError: it is not at work any more.
        """
        return self.given[key]

    def give_grace(self, state: State[Any]) -> None:  # noqa: ARG002 - whoever has its answer
        """Leave the command some time, once it has given its answer."""
        if self.process is not None:
            self.leaving = threading.Timer(GRACE, self.process.end)
            self.leaving.daemon = True
            self.leaving.start()


def make_mcp_agent(command: str, package: EvaluatedPackage, time_limit: float) -> McpAgent:
    """Return the agent of a command that is a client.

    Raises:
        MaterialError: it is no command, or the SDK of the protocol is not installed.
    """
    refuse_no_command(command, f"{MCP}python my_client.py")
    require_sdk()
    # Of a package without a model nobody says which tools change nothing.
    tools = (
        package.graded.model.offered.tools.values() if isinstance(package, ProvedPackage) else ()
    )
    changing_none = (tool.name for tool in tools if tool.kind is not ToolKind.ACTION)
    return McpAgent(command, time_limit, frozenset(changing_none))
