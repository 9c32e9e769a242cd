"""The sessions of clients: begun, gone on with and answered, each known by its client's key.

What a client does at the wrong time is refused in words that say what to do. These refusals are
no events: a session's events are the calls that its environment answered.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from sopforge.errors import SopForgeError
from sopforge.harness.environment.events import Reply
from sopforge.harness.environment.machine import State
from sopforge.harness.environment.session import Session
from sopforge.harness.environment.shown import Shown, ShownTask
from sopforge.sandbox.answers import JSONValue

NO_TASK, TASK_OPEN, TASK_OVER, UNKNOWN_TASK = "no_task", "task_open", "task_over", "unknown_task"
NO_SESSION, UNFIT_ARGUMENTS = "no_session", "unfit_arguments"
BEGIN, ANSWER, SAY = "begin_task", "answer", "say_to_user"
_OWN = "session_"
"""Put before a name of ours that is a package's as well."""


@dataclass(slots=True)
class Attempts:
    """The sessions of clients by their keys; two never meet.

    ``open_session`` returns the new session of a key at a task. Of clients that choose no task each
    has the session that it returns for "", from the first request on; it raises ``KeyError`` where
    there is none any more. ``end`` is given each state that has come to its end, with an answer or
    without. ``broken`` is why this machine could not run the tools.
    """

    shown: Shown
    open_session: Callable[[str, str], Session[Any]]
    is_choosing: bool = True
    has_user: bool = False
    end: Callable[[State[Any]], None] = lambda _: None
    sessions: dict[str, Session[Any]] = field(default_factory=dict)
    broken: SopForgeError | None = None
    lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def begin_name(self) -> str:
        """The name of the tool that begins a task."""
        return self._find_free_name(BEGIN)

    @property
    def answer_name(self) -> str:
        """The name of the tool that takes the final text."""
        return self._find_free_name(ANSWER)

    @property
    def say_name(self) -> str:
        """The name of the tool that speaks to the user."""
        return self._find_free_name(SAY)

    def list_tasks(self, key: str) -> Mapping[str, ShownTask]:
        """Return the tasks that a client may see, by their ids."""
        if self.is_choosing:
            return self.shown.tasks
        try:
            # To look is not to begin: nothing is kept of it.
            session = self.sessions.get(key) or self.open_session(key, "")
        except KeyError:
            return {}
        return {session.state.task: session.observation.task}

    def begin(self, key: str, task: object) -> Reply:
        """Begin a task, and return what an agent may see of it."""
        with self.lock:
            session = self.sessions.get(key)
            if session and session.state.answer is None:
                message = f"{session.state.task} is begun: give its answer with {self.answer_name}"
                return Reply(None, TASK_OPEN, message)
            if not isinstance(task, str) or task not in self.shown.tasks:
                message = f"there is no task {task!r}: prompts/list names the tasks"
                return Reply(None, UNKNOWN_TASK, message)
            session = self.sessions[key] = self.open_session(key, task)
            seen = session.observation
            return Reply({"sop": seen.sop, "task": describe_task(seen.task)})

    def call(self, key: str, tool: str, arguments: Mapping[str, JSONValue]) -> Reply:
        """Return what a tool of the package replies."""
        with self.lock:
            session = self._find(key)
            if session is None or session.state.answer is not None:
                return self._refuse(session)
            try:
                return session.call(tool, arguments)
            except (TypeError, ValueError) as cause:
                return Reply(None, UNFIT_ARGUMENTS, str(cause))
            except SopForgeError as cause:
                self.broken = cause
                return Reply(None, cause.faults[0].code, cause.faults[0].message)

    def say(self, key: str, text: object) -> Reply:
        """Say something to the user, and return what he replies."""
        with self.lock:
            session = self._find(key)
            if session is None or session.state.answer is not None:
                return self._refuse(session)
            if not isinstance(text, str):
                return Reply(None, UNFIT_ARGUMENTS, f"{self.say_name} takes text, a string")
            return Reply({"user": session.say(text)})

    def answer(self, key: str, text: object) -> Reply:
        """Take the final text, with which a session is over."""
        with self.lock:
            session = self._find(key)
            if session is None or session.state.answer is not None:
                return self._refuse(session)
            if not isinstance(text, str):
                return Reply(None, UNFIT_ARGUMENTS, f"{self.answer_name} takes text, a string")
            session.finish(text)
            self.end(session.state)
            return Reply({"task": session.state.task, "is_over": True})

    def leave(self, key: str) -> None:
        """Let go of a client's session: what has no answer by now has come to its end."""
        with self.lock:
            session = self.sessions.pop(key, None)
            if session and session.state.answer is None:
                self.end(session.state)

    def leave_all(self) -> None:
        """Let go of all sessions."""
        for key in list(self.sessions):
            self.leave(key)

    def _find(self, key: str) -> Session[Any] | None:
        if not self.is_choosing and key not in self.sessions:
            with suppress(KeyError):
                self.sessions[key] = self.open_session(key, "")
        return self.sessions.get(key)

    def _refuse(self, session: Session[Any] | None) -> Reply:
        """Refuse what is done before a task is begun, or after its answer."""
        if session is None and self.is_choosing:
            message = f"no task is begun: call {self.begin_name} with the task_id of one"
            return Reply(None, NO_TASK, message)
        message = f"{session.state.task} has its answer" if session else "the time is up"
        if self.is_choosing:
            message += f": begin another task with {self.begin_name}"
        return Reply(None, TASK_OVER, message)

    def _find_free_name(self, name: str) -> str:
        taken = {tool.name for tool in self.shown.tools}
        while name in taken:
            name = _OWN + name
        return name


def write_name_key(name: str) -> str:
    """Return by what the session of an address is known."""
    return f"name {name}"


def describe_task(task: ShownTask) -> dict[str, Any]:
    """Return a task as JSON: its id, its text and its inputs."""
    return {"id": task.id, "text": task.text, "inputs": dict(task.inputs)}
