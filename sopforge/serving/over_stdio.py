"""A package on standard input and output: one client, one session."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Collection
from contextlib import suppress
from typing import Any, cast

from mcp.server.stdio import stdio_server

from sopforge.serving.attempts import Attempts
from sopforge.serving.mcp_server import PackageServer

KEY = "stdio"
_MOST = 1 << 16


async def run_stdio(attempts: Attempts, read_only: Collection[str]) -> None:
    """Answer the client until it closes standard input; what else prints goes to standard error."""
    server = PackageServer(attempts, read_only, lambda _: KEY).build()
    lines: Any = _iterate_lines()
    async with stdio_server(stdin=cast("Any", lines)) as (reads, writes):
        await server.run(reads, writes, server.create_initialization_options())


async def _iterate_lines() -> AsyncIterator[str]:
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
            yield line.decode(errors="replace")


def _read_some() -> bytes:
    """Return what there is to read, nothing at the end."""
    # Not through sys.stdin: its lock would be held as the interpreter ends.
    try:
        return os.read(0, _MOST)
    except OSError:
        return b""
