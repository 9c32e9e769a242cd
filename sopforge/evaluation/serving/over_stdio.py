"""A package on standard input and output: one client, one session."""

from __future__ import annotations

import asyncio
import os
import threading
from collections import Counter
from collections.abc import AsyncIterator, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, cast

import anyio
from mcp import types
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage

from sopforge.evaluation.serving.attempts import Attempts
from sopforge.evaluation.serving.mcp_server import PackageServer
from sopforge.evaluation.serving.messages import MessageError, read_message

KEY = "stdio"
_MOST = 1 << 16
_CANCEL = "notifications/cancelled"


async def run_stdio(attempts: Attempts, read_only: Collection[str]) -> None:
    """Answer the client until it closes standard input, and all that it asked for until then.

    What else prints goes to standard error.
    """
    server = PackageServer(attempts, read_only, lambda _: KEY).build()
    asked, reads = anyio.create_memory_object_stream[SessionMessage | Exception]()
    writes, said = anyio.create_memory_object_stream[SessionMessage]()
    nothing: Any = _iterate_nothing()
    async with stdio_server(stdin=cast("Any", nothing)) as (_, output):
        talk = _Talk(output)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(talk.read, asked)
            tasks.start_soon(talk.write, said)
            await server.run(reads, writes, server.create_initialization_options())
            # Where the server has ended by itself, nothing more is waited for.
            await writes.aclose()


@dataclass(frozen=True, slots=True)
class _Talk:
    """What is read and written; the input ends for the server once each request is answered."""

    output: Any
    unanswered: Counter[str] = field(default_factory=Counter)
    written: asyncio.Event = field(default_factory=asyncio.Event)

    async def read(self, asked: Any) -> None:  # noqa: ANN401 - a stream of the SDK
        """Pass on what the client writes, and wait for the answers at its end."""
        async with asked:
            async for line in _iterate_lines():
                if line.strip():
                    await self._send_on(line, asked)
            while self.unanswered.total() > 0:
                self.written.clear()
                await self.written.wait()

    async def write(self, said: Any) -> None:  # noqa: ANN401 - a stream of the SDK
        """Write what the server says."""
        async with said, self.output:
            async for item in said:
                await self.output.send(item)
                if isinstance(item.message, types.JSONRPCResponse | types.JSONRPCError):
                    self.unanswered[str(item.message.id)] -= 1
                    self.written.set()

    async def _send_on(self, line: bytes, asked: Any) -> None:  # noqa: ANN401 - a stream of the SDK
        try:
            message = read_message(line)
        except MessageError as refused:
            await self.output.send(SessionMessage(refused.answer))
            return
        if isinstance(message, types.JSONRPCRequest):
            self.unanswered[str(message.id)] += 1
        elif isinstance(message, types.JSONRPCNotification) and message.method == _CANCEL:
            # Whoever takes a request back is not answered.
            self.unanswered.pop(str((message.params or {}).get("requestId")), None)
        await asked.send(SessionMessage(message))


async def _iterate_nothing() -> AsyncIterator[str]:
    """Yield no line: the SDK would drop those that it cannot read, and answer nothing."""
    return
    yield ""  # of a generator


async def _iterate_lines() -> AsyncIterator[bytes]:
    """Yield the lines of standard input.

    A thread reads them that nothing waits for, so that a signal ends the server at once, whatever
    the client does.
    """
    loop, found = asyncio.get_running_loop(), asyncio.Queue[bytes]()

    def read() -> None:
        # Once the loop is closed, nobody wants to know.
        with suppress(RuntimeError):
            while data := _read_some():
                loop.call_soon_threadsafe(found.put_nowait, data)
            loop.call_soon_threadsafe(found.put_nowait, b"")

    threading.Thread(target=read, name="stdin", daemon=True).start()
    rest = b""
    while data := await found.get():
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            yield line
    yield rest


def _read_some() -> bytes:
    """Return what there is to read, nothing at the end."""
    # Not through sys.stdin: its lock would be held as the interpreter ends.
    try:
        return os.read(0, _MOST)
    except OSError:
        return b""
