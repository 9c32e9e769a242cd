"""Agents of users: a command that speaks JSON lines, or a function in Python.

A command is started for each task. It reads one line with what an agent may see, and then, for each
line that it writes, one line with the reply:

    reads   {"sop": "...", "tools": [...], "task": {"id": "...", "text": "...", "inputs": {...}}}
    writes  {"tool": "openFile", "arguments": {"case_id": "C-1"}}
    reads   {"result": {"state": "open"}}      or {"refusal": "...", "message": "..."}
    writes  {"say": "Which account?"}          no reply where there is no user
    reads   {"user": "Account: A-1."}
    writes  {"answer": "<decision>approved</decision>"}

A line that is none of these changes nothing, and is answered ``{"error": "..."}``.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard

from sopforge.errors import Fault, MaterialError
from sopforge.evaluation.agents.processes import (
    AgentProcess,
    refuse_no_command,
    shorten,
    start_agent,
)
from sopforge.harness.environment.lines import (
    describe_error,
    describe_observation,
    describe_reply,
)
from sopforge.harness.environment.session import Session
from sopforge.session.environment import LONGEST_LINE, Act, LineError, read_act

AgentFunction: TypeAlias = Callable[[Session[Any]], str | None]


@dataclass(frozen=True, slots=True)
class CommandAgent:
    """A command, which is started for each task and may take ``time_limit`` seconds for it."""

    command: str
    time_limit: float

    @property
    def name(self) -> str:
        """The name by which it was asked for."""
        return f"command:{self.command}"

    def solve(self, session: Session[Any]) -> None:
        """Pass lines between the command and the session.

        Raises:
            AgentBrokeError: it ends without an answer.
            AttemptEndedError: it took longer than it may.
        """
        refused = ""
        with start_agent(self.command, self.time_limit) as process:
            _write(process, describe_observation(session.observation))
            while session.state.answer is None:
                line = process.read_line(LONGEST_LINE)
                if not line or process.is_over:
                    raise process.make_ending_error(refused)
                try:
                    reply = _carry_out(session, read_act(line)) if line.strip() else None
                except (LineError, ValueError, TypeError) as cause:
                    reply = describe_error(cause)
                    refused = refused or f"{cause}: {shorten(line)}"
                if reply is not None:
                    _write(process, reply)


@dataclass(frozen=True, slots=True)
class FunctionAgent:
    """A function that is given a session, and returns the final text or None."""

    name: str
    function: AgentFunction

    def solve(self, session: Session[Any]) -> None:
        """Have the function work, in this process and for as long as it likes."""
        # What it prints is no part of what the command prints for programs.
        with redirect_stdout(sys.stderr):
            answer = self.function(session)
        if answer is not None and session.state.answer is None:
            session.finish(answer)


def is_agent_function(offered: object) -> TypeGuard[AgentFunction]:
    """Return whether something can be called as an agent is."""
    return callable(offered)


def make_command_agent(command: str, time_limit: float) -> CommandAgent:
    """Return the agent of a command.

    Raises:
        MaterialError: it is empty, or its quotes are not closed.
    """
    refuse_no_command(command, "command:python my_agent.py")
    return CommandAgent(command, time_limit)


def load_function_agent(name: str, place: str) -> FunctionAgent:
    """Return the agent of ``MODULE:FUNCTION``, looked for in the working directory too.

    Raises:
        MaterialError: there is no such function.
    """
    module, _, function = place.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found = getattr(importlib.import_module(module), function)
    except KeyboardInterrupt:
        raise
    except BaseException as cause:
        message = f"'{place}' cannot be imported: {str(cause) or type(cause).__name__}"
        hint = (
            "name a function as python:MODULE:FUNCTION; the module must be installed or in the"
            " working directory"
        )
        raise MaterialError(Fault("agent-unknown", message, "--agent", hint)) from cause
    return FunctionAgent(name, found)


def _write(process: AgentProcess, record: str) -> None:
    """Write a line; a process that has ended is noticed when it is read from."""
    with suppress(BrokenPipeError):
        process.writes.write(record.encode() + b"\n")
        process.writes.flush()


def _carry_out(session: Session[Any], act: Act) -> str | None:
    """Do what an agent wants, and return the line that it is answered, None for none."""
    if act.kind == "tool":
        return describe_reply(session.call(act.text, act.arguments))
    if act.kind == "answer":
        session.finish(act.text)
        return None
    reply = session.say(act.text)
    return None if reply is None else json.dumps({"user": reply}, ensure_ascii=False)
