"""Calls answered by the published tools, in processes that are confined."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from decimal import Decimal
from types import TracebackType
from typing import Self, TypeAlias

from sopforge.errors import ToolProcessError
from sopforge.harness.environment.events import TOOL_FAULT, Reply
from sopforge.harness.environment.shown import ShownTask
from sopforge.sandbox.answers import Answer, JSONValue, Refusal
from sopforge.sandbox.process import DIED, ToolProcess
from sopforge.sandbox.zygotes import NO_LIBRARIES
from sopforge.session.environment import write_json

TIME_LIMIT = 20.0
LIVE = 8
"""How many processes are kept, each with the history that it has lived through."""
History: TypeAlias = tuple[str, ...]
"""A session: its task, then its calls as JSON."""


@dataclass(frozen=True, slots=True)
class _Live:
    """A process, and what ends it."""

    process: ToolProcess
    ending: ExitStack


@dataclass(slots=True)
class ToolsService:
    """Answers by the code of a package; what it keeps is the history of a session.

    Where tools ``keep_state``, each session has a process of its own, and one that goes on from an
    earlier state has its calls made again in a fresh process. Else one process answers everything.
    ``libraries`` and ``is_lenient`` are those of ``ToolProcess``, for packages of others. Used in a
    ``with`` block, at the end of which its processes end.
    """

    files: Mapping[str, bytes]
    keep_state: bool
    time_limit: float = TIME_LIMIT
    libraries: frozenset[str] = NO_LIBRARIES
    is_lenient: bool = False
    live: OrderedDict[History, _Live] = field(default_factory=OrderedDict)

    def __enter__(self) -> Self:
        """Return itself, once the tools have been loaded.

        Raises:
            ToolProcessError: they do not load, so that no call could be answered.
            SandboxError: this machine cannot confine them as asked for.
        """
        live = self.open(())
        if self.keep_state:
            live.ending.close()
        else:
            self.keep((), live)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        cause: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        while self.live:
            self.live.popitem()[1].ending.close()

    def begin(self, task: ShownTask, seed: int) -> History:  # noqa: ARG002 - protocol
        """Return a history without calls."""
        return (task.id,) if self.keep_state else ()

    def answer(
        self, kept: History, tool: str, arguments: Mapping[str, JSONValue]
    ) -> tuple[History, Reply]:
        """Return the history after a call, and the reply.

        A tool that hangs or dies is a reply too: the next call has a fresh process.

        Raises:
            SandboxError: this machine cannot confine it as asked for.
        """
        try:
            try:
                live, found = self.ask(kept, tool, arguments)
            except ToolProcessError as cause:
                # Somebody else may have killed it, such as a machine without memory. A tool that
                # ends its process does so again.
                if cause.faults[0].code != DIED:
                    raise
                live, found = self.ask(kept, tool, arguments)
        except ToolProcessError as cause:
            return kept, _make_fault_reply(cause)
        call = write_json([tool, arguments])
        after = (*kept, call) if self.keep_state else kept
        self.keep(after, live)
        if isinstance(found, Refusal):
            return after, Reply(None, found.code, found.message)
        return after, Reply(found.value)

    def ask(
        self, kept: History, tool: str, arguments: Mapping[str, JSONValue]
    ) -> tuple[_Live, Answer]:
        """Return what a tool answers, and the process that did; one that failed is ended.

        Raises:
            ToolProcessError: the tools do not load, or it hung, died or answered no JSON.
        """
        live = self.live.pop(kept, None) or self.open(kept)
        try:
            return live, live.process.call(tool, arguments)
        except ToolProcessError:
            live.ending.close()
            raise

    def open(self, kept: History) -> _Live:
        """Return a fresh process that has lived through a history."""
        with ExitStack() as stack:
            process = stack.enter_context(
                ToolProcess(
                    files=self.files,
                    time_limit=self.time_limit,
                    libraries=self.libraries,
                    is_lenient=self.is_lenient,
                )
            )
            made = [json.loads(call, parse_float=Decimal) for call in kept[1:]]
            process.call_many([(tool, arguments) for tool, arguments in made])
            return _Live(process, stack.pop_all())

    def keep(self, kept: History, live: _Live) -> None:
        """Keep a process for the next call of its session, and end the one not used longest."""
        if (before := self.live.pop(kept, None)) is not None:
            before.ending.close()
        self.live[kept] = live
        if len(self.live) > LIVE:
            self.live.popitem(last=False)[1].ending.close()


def _make_fault_reply(cause: ToolProcessError) -> Reply:
    return Reply(None, TOOL_FAULT, cause.faults[0].message)
