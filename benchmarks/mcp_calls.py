"""What a call costs over MCP, beside the environment's own, by the clock."""

from __future__ import annotations

import asyncio
import http.client
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import IO, Any, TypeAlias
from urllib.parse import urlsplit

from mcp import Client, StdioServerParameters
from rich.table import Table

from sopforge.evaluation.serving.served import read_served
from sopforge.harness.environment.session import open_session
from sopforge.sandbox.process import ToolProcess

CALLS, TRIES = 200, 9
COMMAND = (sys.executable, "-c", "from sopforge.cli import main; main()", "mcp")
_HANDSHAKE = "2025-11-25"
_PARTIES = {"capabilities": {}, "clientInfo": {"name": "benchmark", "version": "1"}}
_ACCEPT = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
Call: TypeAlias = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Gold:
    """A call of a task in a published package."""

    package: Path
    task: str
    tool: str
    arguments: Mapping[str, Any]


def mcp_calls(gold: Gold) -> Table:
    """Return how long a call takes in the sandbox, in the environment, and over each transport."""
    shown = Table("a gold call", "milliseconds", title="MCP", box=None, title_justify="left")
    for name, opened in (
        ("the sandboxed tool", _open_tool(gold)),
        ("the environment", _open_environment(gold)),
        ("stdio, a plain client", _open_stdio(gold)),
        ("HTTP, a plain client", _open_http(gold)),
        ("HTTP, a plain client, no such tool", _open_http(gold, tool="none")),
    ):
        with opened as call:
            shown.add_row(name, _format(_measure(call)))
    server = StdioServerParameters(
        command=COMMAND[0], args=[*COMMAND[1:], str(gold.package), "--task", gold.task]
    )
    shown.add_row("stdio, the SDK's client", _format(asyncio.run(_measure_sdk(server, gold))))
    with _serve_http(gold) as url:
        shown.add_row("HTTP, the SDK's client", _format(asyncio.run(_measure_sdk(url, gold))))
    return shown


@contextmanager
def _open_tool(gold: Gold) -> Iterator[Call]:
    with ToolProcess(files=read_served(gold.package).shown.files) as tools:
        yield lambda: tools.call(gold.tool, gold.arguments)


@contextmanager
def _open_environment(gold: Gold) -> Iterator[Call]:
    with read_served(gold.package).open_environment() as environment:
        session = open_session(environment, gold.task)
        yield lambda: session.call(gold.tool, gold.arguments)


@contextmanager
def _open_stdio(gold: Gold) -> Iterator[Call]:
    command = [*COMMAND, str(gold.package), "--task", gold.task]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:  # noqa: S603 - our own interpreter, and no shell
        writes, reads = _require(server.stdin), _require(server.stdout)

        def post(line: Mapping[str, Any]) -> None:
            writes.write(json.dumps(line).encode() + b"\n")
            writes.flush()

        def ask(method: str, params: Mapping[str, Any]) -> object:
            post({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
            return json.loads(reads.readline())["result"]

        ask("initialize", {"protocolVersion": _HANDSHAKE, **_PARTIES})
        post({"jsonrpc": "2.0", "method": "notifications/initialized"})
        yield lambda: ask("tools/call", {"name": gold.tool, "arguments": gold.arguments})
        writes.close()


@contextmanager
def _open_http(gold: Gold, tool: str = "") -> Iterator[Call]:
    with _serve_http(gold) as url:
        place = urlsplit(url)
        connection = http.client.HTTPConnection(place.netloc)

        def post(method: str, params: Mapping[str, Any], head: Mapping[str, str]) -> Any:  # noqa: ANN401 - JSON
            body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
            connection.request("POST", place.path, json.dumps(body), {**_ACCEPT, **head})
            answer = connection.getresponse()
            return answer.headers, json.loads(answer.read())["result"]

        begun, _ = post("initialize", {"protocolVersion": _HANDSHAKE, **_PARTIES}, {})
        session = {"mcp-session-id": begun["mcp-session-id"], "mcp-protocol-version": _HANDSHAKE}
        params = {"name": tool or gold.tool, "arguments": gold.arguments}
        yield lambda: post("tools/call", params, session)
        connection.close()


@contextmanager
def _serve_http(gold: Gold) -> Iterator[str]:
    command = [*COMMAND, str(gold.package), "--http", "--port", "0", "--task", gold.task]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603 - as above
        said = _require(server.stdout).readline()
        yield next(word.rstrip(";") for word in said.split() if word.startswith("http"))
        server.terminate()


async def _measure_sdk(server: StdioServerParameters | str, gold: Gold) -> float:
    seconds = []
    async with Client(server) as client:
        for _ in range(TRIES):
            started = time.perf_counter()
            for _ in range(CALLS):
                await client.call_tool(gold.tool, dict(gold.arguments))
            seconds.append(time.perf_counter() - started)
    return median(seconds) / CALLS


def _measure(call: Call) -> float:
    """Return the seconds of a call: the median of several times many."""
    seconds = []
    for _ in range(TRIES):
        started = time.perf_counter()
        for _ in range(CALLS):
            call()
        seconds.append(time.perf_counter() - started)
    return median(seconds) / CALLS


def _format(seconds: float) -> str:
    return f"{seconds * 1000:.2f}"


def _require(pipe: IO[Any] | None) -> IO[Any]:
    if pipe is None:
        raise AssertionError("it is a pipe")
    return pipe
