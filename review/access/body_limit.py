"""Requests that are too large are not read."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

Refuse: TypeAlias = Callable[[Request], Awaitable[Response]]
TOO_LARGE = 413


class BodyLimit:
    """Refuses a body of more than ``most`` bytes, whatever its header says of it."""

    def __init__(self, app: ASGIApp, *, most: int, refuse: Refuse) -> None:
        self.app = app
        self._most = most
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, whose body is counted while it is read."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isdecimal() or int(length) > self._most:
            answer = await self._refuse(Request(scope, receive))
            await answer(scope, receive, send)
            return
        read = 0

        async def receive_and_count() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self._most:
                raise HTTPException(TOO_LARGE)
            return message

        await self.app(scope, receive_and_count, send)
