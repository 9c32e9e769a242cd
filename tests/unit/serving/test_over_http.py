"""A package on HTTP: sessions by the protocol and by address, which never meet."""

from __future__ import annotations

import asyncio
import http.client
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

import pytest
from mcp import Client

from sopforge.errors import MaterialError
from sopforge.evaluation.serving.attempts import Attempts
from sopforge.evaluation.serving.over_http import HttpServer, listen, write_url
from sopforge.evaluation.serving.served import Served, read_served
from sopforge.harness.environment.machine import State
from sopforge.harness.environment.session import open_session
from tests.worlds.releases import find_open_order, publish_orders
from tests.worlds.shared_builds import Shared

JSON = {"content-type": "application/json", "accept": "application/json, text/event-stream"}


@dataclass
class Up:
    """A server, and the states that came to their end."""

    url: str
    served: Served
    attempts: Attempts
    ended: list[State[Any]] = field(default_factory=list)

    @cached_property
    def open_order(self) -> tuple[str, dict[str, str]]:
        """A task whose goods are not reserved yet, and the arguments that name its order."""
        return find_open_order(self.served)


@pytest.fixture(scope="module")
def up(shared: Shared, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """Return a server of orders, of which nothing is there that a grader knows."""
    folder = tmp_path_factory.mktemp("served") / "orders"
    shutil.copytree(publish_orders(shared), folder)
    shutil.rmtree(folder / "grader")
    served = read_served(folder)
    ended: list[State[Any]] = []
    with served.open_environment() as environment:
        attempts = Attempts(
            served.shown,
            lambda _, task: open_session(environment, task),
            end=ended.append,
        )
        with HttpServer(
            attempts, served.read_only, lambda name: name != "unknown"
        ).run_beside() as url:
            yield Up(url, served, attempts, ended)


async def call(client: Client, tool: str, arguments: dict[str, Any]) -> str:
    """Return the text of a reply."""
    reply = await client.call_tool(tool, arguments)
    return getattr(reply.content[0], "text", "")


def post(up: Up, path: str, body: str | bytes, **head: str) -> tuple[int, str]:
    """Return the status and the text of an answer to a plain request."""
    connection = http.client.HTTPConnection(urlsplit(up.url).netloc)
    names = {name.replace("_", "-"): value for name, value in head.items()}
    connection.request("POST", path, body, {**JSON, **names})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


@pytest.mark.parametrize(
    ("mode", "places", "version"),
    [
        ("legacy", ("", ""), "2025-11-25"),
        ("auto", ("", ""), "2025-11-25"),
        ("auto", ("/one", "/other"), "2026-07-28"),
        ("legacy", ("/third", "/fourth"), "2025-11-25"),
    ],
)
def test_two_sessions_at_once_never_meet(
    up: Up, mode: str, places: tuple[str, str], version: str
) -> None:
    task, order = up.open_order

    async def work() -> None:
        one, other = (Client(up.url + place, mode=mode) for place in places)
        async with one, other:
            assert (one.protocol_version, other.protocol_version) == (version, version)
            for client in (one, other):
                assert task in await call(client, "begin_task", {"task_id": task})
            before = await call(other, "getOrder", order)
            assert '"yes"' in await call(one, "reserveGoods", order)
            assert '"yes"' in await call(one, "getOrder", order)
            assert await call(other, "getOrder", order) == before
            assert "already_reserved" in await call(one, "reserveGoods", order)
            assert '"is_over": true' in await call(one, "answer", {"text": "x"})
            assert "task_over" in await call(one, "getOrder", order)
            assert await call(other, "getOrder", order) == before

    asyncio.run(work())


def test_a_session_of_the_protocol_ends_with_its_client(up: Up) -> None:
    task, order = up.open_order

    async def work() -> None:
        async with Client(up.url) as client:
            await call(client, "begin_task", {"task_id": task})
            await call(client, "getOrder", order)
        async with Client(up.url) as client:
            assert "no_task" in await call(client, "getOrder", order)

    count = len(up.ended)
    asyncio.run(work())
    (state,) = up.ended[count:]
    assert (state.task, state.answer, len(state.events)) == (task, None, 1)


def test_the_session_of_an_address_goes_on_with_whoever_comes(up: Up) -> None:
    task, order = up.open_order

    async def ask(mode: str, tool: str, arguments: dict[str, str]) -> str:
        async with Client(f"{up.url}/kept", mode=mode) as client:
            return await call(client, tool, arguments)

    async def work() -> None:
        await ask("legacy", "begin_task", {"task_id": task})
        assert '"yes"' in await ask("auto", "reserveGoods", order)
        assert (await ask("legacy", "reserveGoods", order)).startswith("already_reserved")

    count = len(up.ended)
    asyncio.run(work())
    assert up.ended[count:] == []
    up.attempts.leave("name kept")
    assert [len(state.events) for state in up.ended[count:]] == [2]


def test_without_a_session_and_without_a_name_nothing_is_called(up: Up) -> None:
    async def work() -> None:
        async with Client(up.url, mode="2026-07-28") as client:
            assert (await call(client, "getOrder", {})).startswith("no_session: ")
            assert (await client.list_prompts()).prompts

    asyncio.run(work())


@pytest.mark.parametrize(
    ("path", "head", "status"),
    [
        ("/mcp/unknown", {}, 404),
        ("/", {}, 404),
        ("/mcpx", {}, 404),
        ("/mcp", {"host": "attacker.example"}, 421),
        ("/mcp", {"origin": "http://attacker.example"}, 403),
        ("/mcp", {"origin": "http://["}, 403),
        ("/mcp", {"mcp_session_id": "0" * 32}, 404),
    ],
)
def test_strangers_are_refused(up: Up, path: str, head: dict[str, str], status: int) -> None:
    begun = {"protocolVersion": "2025-11-25", "capabilities": {}}
    begun |= {"clientInfo": {"name": "plain", "version": "1"}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": begun})

    assert post(up, "/mcp", body)[0] == 200
    assert post(up, path, body, **head)[0] == status


@pytest.mark.parametrize(
    ("number", "says"),
    [
        ("NaN", "NaN is not JSON"),
        ("1e999", "1e999 is not JSON"),
        ("1" * 5000, "a number has too many digits"),
        ('"\\ud800"', '"isError":true'),
        ("[" * 5000, "values lie within each other too deeply"),
        ('"' + "x" * 1_100_000 + '"', "more than 1,048,576 bytes"),
    ],
    ids=["nan", "infinity", "digits", "half", "depth", "length"],
)
def test_arguments_that_are_no_values_end_no_session(up: Up, number: str, says: str) -> None:
    task, order = up.open_order
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }

    def ask(tool: str, arguments: str, before: str = "") -> str:
        params = f'{{"name": "{tool}", "_meta": {json.dumps(meta)}, "arguments": {arguments}}}'
        body = f'{before}{{"jsonrpc": "2.0", "id": 41, "method": "tools/call", "params": {params}}}'
        head = {"mcp_protocol_version": "2026-07-28", "mcp_method": "tools/call", "mcp_name": tool}
        return post(up, f"/mcp/number-{len(number)}-{number[:1]}", body.encode(), **head)[1]

    assert task in ask("begin_task", json.dumps({"task_id": task}))
    refused = ask("getOrder", f'{{"order_id": {number}}}')
    assert says in refused
    assert '"id":41' in refused
    assert '"isError":false' in ask("getOrder", json.dumps(order), "\ufeff")
    assert '"isError":false' in ask("answer", '{"text": "half a character: \\ud835"}')
    assert up.ended[-1].answer == "half a character: \ufffd"


def test_a_port_that_is_taken_is_named() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(MaterialError) as caught:
            listen("127.0.0.1", port)
    (fault,) = caught.value.faults
    assert fault.code == "address-unusable"
    assert fault.message == (
        f"nothing can be served at 127.0.0.1, port {port}: Address already in use"
    )


def test_a_host_that_is_none_of_this_machine_is_named() -> None:
    with pytest.raises(MaterialError, match=r"nothing can be served at 192\.0\.2\.1, port 0"):
        listen("192.0.2.1", 0)


def test_an_address_is_written_as_clients_read_it() -> None:
    with listen("localhost", 0) as listener:
        port = listener.getsockname()[1]
        assert write_url(listener) in {f"http://127.0.0.1:{port}/mcp", f"http://[::1]:{port}/mcp"}
