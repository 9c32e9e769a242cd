"""Keeps an endpoint from sending more than an answer can be: one without end fills the memory."""

from __future__ import annotations

from collections.abc import Iterator

import httpx2

MOST_BYTES = 64_000_000
"""No model writes an answer near to this, with all that is written around its words."""
# What is compressed may be a thousand times as long in memory.
MOST_COMPRESSED_BYTES = 2_000_000


class LimitedStream(httpx2.SyncByteStream):
    """A body that breaks off with an error once it is too long."""

    def __init__(self, stream: httpx2.SyncByteStream, request: httpx2.Request, most: int) -> None:
        self._stream = stream
        self._request = request
        self._most = most

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for chunk in self._stream:
            size += len(chunk)
            if size > self._most:
                message = f"the endpoint sent more than {self._most / 1e6:g} MB for one answer"
                raise httpx2.ReadError(message, request=self._request)
            yield chunk

    def close(self) -> None:
        self._stream.close()


def limit_body(response: httpx2.Response) -> None:
    """Limit the body of a response that is not read yet; a hook for the client of an SDK."""
    stream = response.stream
    if not isinstance(stream, httpx2.SyncByteStream):
        raise TypeError("the SDKs are used without asyncio")
    is_plain = response.headers.get("content-encoding", "identity") == "identity"
    most = MOST_BYTES if is_plain else MOST_COMPRESSED_BYTES
    response.stream = LimitedStream(stream, response.request, most)
