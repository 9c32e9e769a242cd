"""Agents of users: a command that speaks JSON lines, or a function in Python.

A command is started for each task. It reads one line with what an agent may see, and then, for each
line that it writes, one line with the reply:

    reads   {"sop": "...", "tools": [...], "task": {"id": "...", "text": "...", "inputs": {...}}}
    writes  {"tool": "openFile", "arguments": {"case_id": "C-1"}}
    reads   {"result": {"state": "open"}}      or {"refusal": "...", "message": "..."}
    writes  {"say": "Now I know enough."}      no reply
    writes  {"answer": "<decision>approved</decision>"}
"""

from __future__ import annotations

import importlib
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from sopforge.environment.events import Reply
from sopforge.environment.session import Session
from sopforge.errors import Fault, MaterialError
from sopforge.evaluation.agents.agent import AttemptEndedError
from sopforge.evaluation.grading.grades import Stop
from sopforge.sandbox.answers import as_text

LONGEST_LINE = 1 << 20
_LONGEST_SAID = 300
_COMMAND_HINT = 'name a program with its arguments, as in "command:python my_agent.py"'


class AgentBrokeError(Exception):
    """An agent ended, or wrote what is none of the lines that it may write."""


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
            AgentBrokeError: it ends without an answer, or writes a line that is none of ours.
            AttemptEndedError: it took longer than it may.
        """
        with _start(self.command, self.time_limit) as talk:
            talk.write(_describe_observation(session))
            while session.state.answer is None:
                said = talk.read()
                if "answer" in said:
                    session.finish(_require_text(said["answer"]))
                elif "say" in said:
                    session.say(_require_text(said["say"]))
                else:
                    talk.write(_describe_reply(_make_call(session, said)))


@dataclass(frozen=True, slots=True)
class FunctionAgent:
    """A function that is given a session, and returns the final text or None."""

    name: str
    function: Callable[[Session[Any]], str | None]

    def solve(self, session: Session[Any]) -> None:
        """Have the function work, in this process and for as long as it likes."""
        answer = self.function(session)
        if answer is not None and session.state.answer is None:
            session.finish(answer)


def make_command_agent(command: str, time_limit: float) -> CommandAgent:
    """Return the agent of a command.

    Raises:
        MaterialError: it is empty, or its quotes are not closed.
    """
    try:
        words = shlex.split(command)
    except ValueError as cause:
        message = f"'{command}' is no command: {cause}"
        raise MaterialError(Fault("agent-unknown", message, "--agent", _COMMAND_HINT)) from cause
    if not words:
        raise MaterialError(
            Fault("agent-unknown", "the command is empty", "--agent", _COMMAND_HINT)
        )
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
    except (ImportError, AttributeError, ValueError) as cause:
        message = f"'{place}' cannot be imported: {cause}"
        hint = "name a function as python:MODULE:FUNCTION, in the working directory or installed"
        raise MaterialError(Fault("agent-unknown", message, "--agent", hint)) from cause
    return FunctionAgent(name, found)


@dataclass(slots=True)
class _Talk:
    """Lines to and from a process, which is killed when its time is up."""

    process: subprocess.Popen[bytes]
    writes: IO[bytes]
    reads: IO[bytes]
    errors: IO[bytes]
    limit: float
    is_over: bool = False

    def write(self, record: str) -> None:
        """Write a line; a process that has ended is noticed when it is read from."""
        with suppress(BrokenPipeError):
            self.writes.write(record.encode() + b"\n")
            self.writes.flush()

    def read(self) -> dict[str, Any]:
        """Return the object on the next line."""
        line = self.reads.readline(LONGEST_LINE)
        if self.is_over:
            raise AttemptEndedError(Stop.TOO_SLOW, f"no answer within {self.limit:g} s")
        if not line:
            raise AgentBrokeError(f"the command ended without an answer{self.read_errors()}")
        try:
            said = json.loads(line)
        except (ValueError, RecursionError) as cause:
            raise AgentBrokeError(f"it wrote what is no JSON: {_shorten(line)}") from cause
        if not isinstance(said, dict):
            raise AgentBrokeError(f"it wrote what is no object: {_shorten(line)}")
        return said

    def read_errors(self) -> str:
        """Return the last line that the process wrote to standard error, after a colon."""
        self.process.wait()
        self.errors.seek(0)
        lines = self.errors.read().split(b"\n")
        last = next((line for line in reversed(lines) if line.strip()), b"")
        return f": {_shorten(last)}" if last else ""

    def end(self, *, is_over: bool = False) -> None:
        """Kill the process and its children."""
        self.is_over = is_over
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)


@contextmanager
def _start(command: str, limit: float) -> Iterator[_Talk]:
    with tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(  # noqa: S603 - the user's own command
                shlex.split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )
        except OSError as cause:
            raise AgentBrokeError(f"the command does not start: {cause}") from cause
        with process:
            if process.stdin is None or process.stdout is None:
                raise AssertionError("both are pipes")
            talk = _Talk(process, process.stdin, process.stdout, errors, limit)
            # Whatever waits then, to read or to write, goes on: the other end is gone.
            timer = threading.Timer(limit, talk.end, kwargs={"is_over": True})
            timer.daemon = True
            timer.start()
            try:
                yield talk
            finally:
                timer.cancel()
                talk.end(is_over=talk.is_over)
                # What was not read any more would fail once more as the pipe is closed.
                with suppress(BrokenPipeError):
                    process.stdin.close()


def _describe_observation(session: Session[Any]) -> str:
    seen = session.observation
    tools = [
        {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
        for tool in seen.tools
    ]
    task = {"id": seen.task.id, "text": seen.task.text, "inputs": dict(seen.task.inputs)}
    return json.dumps({"sop": seen.sop, "tools": tools, "task": task}, ensure_ascii=False)


def _make_call(session: Session[Any], said: dict[str, Any]) -> Reply:
    tool, arguments = said.get("tool"), said.get("arguments", {})
    if not isinstance(tool, str) or not isinstance(arguments, dict):
        wanted = 'neither a "tool" with "arguments", nor "say", nor "answer"'
        raise AgentBrokeError(f"it wrote {wanted}: {_shorten(json.dumps(said).encode())}")
    return session.call(tool, arguments)


def _describe_reply(reply: Reply) -> str:
    if reply.refusal:
        return as_text({"refusal": reply.refusal, "message": reply.message})
    return as_text({"result": reply.result})


def _require_text(value: object) -> str:
    if not isinstance(value, str):
        raise AgentBrokeError(f"it wrote what is no text: {_shorten(repr(value).encode())}")
    return value


def _shorten(line: bytes) -> str:
    text = line.decode(errors="replace").strip()
    return text if len(text) <= _LONGEST_SAID else f"{text[:_LONGEST_SAID]}..."
