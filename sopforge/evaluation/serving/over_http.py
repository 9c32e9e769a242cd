"""A package on streamable HTTP: at one address, for as many clients as there are.

Who opens a session of the protocol has one of ours for it, at ``/mcp``. The protocol of 2026 has
none, and some clients connect anew for each call: their session is that of the address,
``/mcp/NAME``, whoever asks there.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable, Collection, Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

import uvicorn
from mcp import types
from mcp.server.context import HandlerResult
from mcp.server.lowlevel import Server
from mcp.server.streamable_http import MCP_SESSION_ID_HEADER
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from sopforge.errors import Fault, MaterialError
from sopforge.evaluation.serving.attempts import Attempts, write_name_key
from sopforge.evaluation.serving.mcp_server import JSON_TYPE, Context, PackageServer
from sopforge.evaluation.serving.messages import MessageError, read_message
from sopforge.session.environment import LONGEST_LINE

PLACE = "/mcp"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
_PATIENCE = 3600
"""Seconds for which an idle connection is kept: a model may think for long between two calls."""
_DISCOVER = "server/discover"
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
App: TypeAlias = Callable[[Message, Any, Any], Any]


@dataclass(frozen=True, slots=True)
class HttpServer:
    """A package at an address, of which the names that ``is_known`` has found are served."""

    attempts: Attempts
    read_only: Collection[str]
    is_known: Callable[[str], bool] = lambda _: True

    def build_app(self, manager: StreamableHTTPSessionManager) -> App:
        """Return what answers the requests of all clients."""

        async def answer(scope: Message, receive: Receive, send: Any) -> None:  # noqa: ANN401 - as ASGI has it
            name = _find_name(scope["path"])
            if name is None or not self.is_known(name):
                await _answer(send, 404)
                return
            if scope["method"] == "POST":
                try:
                    receive = _put_before(await _read_body(receive), receive)
                except MessageError as refused:
                    await _answer(send, 400, refused.answer.model_dump_json().encode())
                    return
            await manager.handle_request(scope, receive, send)
            if scope["method"] == "DELETE" and not name:
                header = MCP_SESSION_ID_HEADER.encode()
                session = dict(scope["headers"]).get(header, b"").decode("latin-1")
                self.attempts.leave(_write_session_key(session))

        return answer

    async def run(self, listener: socket.socket) -> None:
        """Answer whoever connects, until it is cancelled."""
        package = PackageServer(self.attempts, self.read_only, find_key)
        manager = StreamableHTTPSessionManager(
            _ask_for_sessions(package.build()),
            json_response=True,
            security_settings=_refuse_pages(listener.getsockname()[0]),
        )
        config = uvicorn.Config(
            self.build_app(manager),
            lifespan="off",
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=_PATIENCE,
            timeout_graceful_shutdown=1,
        )
        async with manager.run():
            server = _Server(config)
            try:
                await server.serve([listener])
            except asyncio.CancelledError:
                await server.shutdown()
                raise

    @contextmanager
    def run_beside(self) -> Iterator[str]:
        """Answer in a thread of its own, on loopback; the value is the address of the server."""
        listener = listen(LOOPBACK[0], 0)
        runner, over = asyncio.Runner(), asyncio.Event()
        loop = runner.get_loop()

        async def run_until_over() -> None:
            serving, ending = asyncio.create_task(self.run(listener)), loop.create_task(over.wait())
            await asyncio.wait((serving, ending), return_when=asyncio.FIRST_COMPLETED)

        def serve() -> None:
            with listener, runner:
                runner.run(run_until_over())

        thread = threading.Thread(target=serve, name="mcp", daemon=True)
        thread.start()
        try:
            yield write_url(listener)
        finally:
            loop.call_soon_threadsafe(over.set)
            thread.join()


class _Server(uvicorn.Server):
    """Leaves signals to whoever runs it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def find_key(context: Context) -> str | None:
    """Return by what the session of a request is known: its address, or the protocol's session."""
    request: Any = context.request
    if name := _find_name(request.scope["path"]):
        return write_name_key(name)
    if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
        return None
    return _write_session_key(request.headers.get(MCP_SESSION_ID_HEADER, ""))


def listen(host: str, port: int) -> socket.socket:
    """Return a socket on which clients may connect; port 0 is one that is free.

    Raises:
        MaterialError: there is no such host here, or the port is taken or reserved.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, _, _, address = found[0]
        # The protocol by its number: without it, asyncio has each answer wait for the
        # acknowledgement of the one before, 40 ms long.
        listener = socket.socket(family, kind, socket.IPPROTO_TCP)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            # From here on it is taken, and who connects is answered once the server runs.
            listener.listen()
        except OSError:
            listener.close()
            raise
    except OSError as cause:
        message = f"nothing can be served at {host}, port {port}: {cause.strerror}"
        hint = "name another --host or --port; --port 0 takes a free one"
        raise MaterialError(Fault("address-unusable", message, "", hint)) from cause
    return listener


def write_url(listener: socket.socket) -> str:
    """Return the address at which a client connects to a socket."""
    host, port = listener.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}{PLACE}"


def _write_session_key(session: str) -> str:
    return f"session {session}"


def _find_name(path: str) -> str | None:
    """Return the name in a path, "" where it has none, None for another path."""
    if path.rstrip("/") == PLACE:
        return ""
    return path.removeprefix(f"{PLACE}/") if path.startswith(f"{PLACE}/") else None


async def _read_body(receive: Receive) -> bytes:
    """Return a message as the SDK reads it.

    Raises:
        MessageError: it is none.
    """
    body, is_going_on = b"", True
    while is_going_on:
        part = await receive()
        # What is too long is not kept, as nothing of it is read.
        body = (body + part.get("body", b""))[: LONGEST_LINE + 1]
        is_going_on = part.get("more_body", False)
    return read_message(body).model_dump_json(by_alias=True, exclude_unset=True).encode()


def _put_before(body: bytes, receive: Receive) -> Receive:
    """Return what gives a body first, and then what comes."""
    parts: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_on() -> Message:
        return parts.pop() if parts else await receive()

    return receive_on


async def _answer(send: Any, status: int, body: bytes = b"") -> None:  # noqa: ANN401 - as ASGI has it
    length, kind = str(len(body)).encode(), JSON_TYPE.encode()
    headers = [(b"content-length", length), *([(b"content-type", kind)] if body else [])]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _refuse_pages(host: str) -> TransportSecuritySettings | None:
    """Return what keeps the pages that a browser shows from asking a server on loopback."""
    if host not in LOOPBACK:
        return None
    names = [f"[{name}]" if ":" in name else name for name in LOOPBACK]
    return TransportSecuritySettings(
        allowed_hosts=[*names, *(f"{name}:*" for name in names)],
        allowed_origins=[f"http://{name}:*" for name in names],
    )


def _ask_for_sessions(server: Server[Any]) -> Server[Any]:
    """Have clients of any protocol open a session where the address names none."""
    entry = server.get_request_handler(_DISCOVER)
    if entry is None:
        raise AssertionError("each server describes itself")

    async def describe(context: Context, asked: types.RequestParams) -> HandlerResult:
        found = await entry.handler(context, asked)
        if isinstance(found, types.DiscoverResult) and find_key(context) is None:
            versions = list(HANDSHAKE_PROTOCOL_VERSIONS)
            return found.model_copy(update={"supported_versions": versions})
        return found

    server.add_request_handler(_DISCOVER, types.RequestParams, describe)
    return server
