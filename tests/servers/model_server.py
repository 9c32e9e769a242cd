"""A loopback server that speaks the APIs of models, for the real SDKs to talk to.

It answers by a script, one act for each question: an answer, cut or whole, an error, or trouble on
the line. It speaks the Messages API (server-sent events), the same through Bedrock's runtime and
Converse (AWS event streams), and chat completions. It shows what the SDKs and we do; what the
providers do it cannot show.
"""

from __future__ import annotations

import base64
import itertools
import json
import socket
import struct
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any, TypeAlias, assert_never

MODEL = "claude-test-1"


@dataclass(frozen=True)
class Say:
    """A whole answer; ``stop`` is end, length, refusal or context, in the words of no API."""

    text: str
    stop: str = "end"
    usage: tuple[int, int, int, int] = (100, 10, 0, 0)


@dataclass(frozen=True)
class Message:
    """A whole message of the Messages API in one piece, for who asked for no stream."""

    content: Sequence[Mapping[str, Any]]
    stop: str = "end_turn"
    usage: tuple[int, int] = (1000, 50)
    kind: str = "application/json"

    def as_body(self) -> bytes:
        """Return what is sent."""
        read, written = self.usage
        message = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": MODEL,
            "content": list(self.content),
            "stop_reason": self.stop,
            "stop_sequence": None,
            "usage": {"input_tokens": read, "output_tokens": written},
        }
        return json.dumps(message).encode()


@dataclass(frozen=True)
class Fail:
    """An error by status, with a message and perhaps the wait that is asked for."""

    status: int
    message: str = "no"
    retry_after: str | None = None
    aws: str = "ValidationException"


@dataclass(frozen=True)
class Break:
    """An answer that ends in its midst: by reset, end, error, garbage, or an odd shape."""

    how: str


@dataclass(frozen=True)
class Drip:
    """A whole answer, so many seconds between its events."""

    seconds: float


@dataclass(frozen=True)
class Silence:
    """Nothing for so many seconds, then nothing more."""

    seconds: float


@dataclass(frozen=True)
class Html:
    """The page of a proxy, with status 200."""

    kind: str = "text/html"

    def as_body(self) -> bytes:
        """Return what is sent."""
        return b"<html><body>a proxy's page</body></html>"


@dataclass(frozen=True)
class Flood:
    """An answer that begins well and has no end."""


@dataclass(frozen=True)
class Reset:
    """The line goes dead before an answer."""


Act: TypeAlias = Say | Message | Fail | Break | Drip | Silence | Html | Flood | Reset


@dataclass(frozen=True)
class Seen:
    """A question as it arrived."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]


@dataclass
class ModelServer:
    """The script, what was asked so far, and who answers where the script has nothing.

    Each answer waits for ``pause`` seconds.
    """

    url: str
    script: list[Act] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)
    open_now: int = 0
    most_open: int = 0
    pause: float = 0
    answer: Callable[[Seen], Act] = lambda _: Fail(418, "nothing more in the script")

    def play(self, *acts: Act) -> None:
        """Have the next questions answered so."""
        self.script.extend(acts)

    def next_act(self, seen: Seen) -> Act:
        with self.lock:
            self.seen.append(seen)
            self.open_now += 1
            self.most_open = max(self.most_open, self.open_now)
            return self.script.pop(0) if self.script else self.answer(seen)

    def done(self) -> None:
        with self.lock:
            self.open_now -= 1


@contextmanager
def model_server() -> Iterator[ModelServer]:
    """Run a server on loopback."""
    http = _Server(("127.0.0.1", 0), _Handler)
    http.model = ModelServer(f"http://127.0.0.1:{http.server_address[1]}")
    Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield http.model
    finally:
        http.shutdown()
        http.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    model: ModelServer

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a client that gives up is part of the script."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - http.server's name
        """Write nothing to the terminal."""

    def do_POST(self) -> None:
        size = int(self.headers.get("content-length") or 0)
        body = json.loads(self.rfile.read(size))
        headers = {name.lower(): value for name, value in self.headers.items()}
        act = self.server.model.next_act(Seen(self.path, headers, body))
        try:
            time.sleep(self.server.model.pause)
            self._play(act, body)
        finally:
            self.close_connection = True
            self.server.model.done()

    def _play(self, act: Act, body: Mapping[str, Any]) -> None:  # noqa: C901 - a case for each act
        match act:
            case Fail():
                self._fail(act)
            case Say():
                self._stream(self._pieces(act, body))
            case Drip():
                self._stream(self._pieces(Say("slow but whole"), body), act.seconds)
            case Break():
                self._break(act, body)
            case Silence():
                time.sleep(act.seconds)
                self._reset()
            case Html() | Message():
                self._send(200, act.kind, act.as_body())
            case Flood():
                self._flood(body)
            case Reset():
                self._reset()
            case _:
                assert_never(act)

    def _pieces(self, say: Say, body: Mapping[str, Any]) -> list[bytes]:
        if self.path.endswith("/converse-stream"):
            events = converse_events(say, is_tool="toolConfig" in body)
            return [frame(kind, json.dumps(event).encode()) for kind, event in events]
        if self.path.endswith("/chat/completions"):
            chunks = chat_chunks(say, is_tool="tools" in body)
            data = [json.dumps(chunk) for chunk in chunks]
            return [f"data: {text}\n\n".encode() for text in [*data, "[DONE]"]]
        messages = list(message_events(say, is_tool="tools" in body))
        if self.path.endswith("/invoke-with-response-stream"):
            inner = [base64.b64encode(json.dumps(event).encode()).decode() for event in messages]
            return [frame("chunk", json.dumps({"bytes": text}).encode()) for text in inner]
        return [
            f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in messages
        ]

    @property
    def _is_aws(self) -> bool:
        return self.path.startswith("/model/")

    def _break(self, act: Break, body: Mapping[str, Any]) -> None:
        pieces = self._pieces(Say("an answer that is not to be"), body)[:3]
        match act.how:
            case "reset":
                self._stream(pieces)
                self._reset()
            case "end":
                self._stream(pieces)
            case "error":
                self._stream([*pieces, self._error_piece()])
            case "garbage":
                self._stream([*pieces, b"event: content_block_delta\ndata: {not json\n\n"])
            case "shape":
                self._stream([*pieces, self._odd_piece()])
            case _:
                raise ValueError(act.how)

    def _flood(self, body: Mapping[str, Any]) -> None:
        pieces = self._pieces(Say("an answer without an end"), body)
        more = b"x" * 100_000
        if self.path.endswith("/converse-stream"):
            delta = json.dumps({"contentBlockIndex": 0, "delta": {"text": more.decode()}})
            more = frame("contentBlockDelta", delta.encode())
        elif self._is_aws:
            ping = base64.b64encode(json.dumps({"type": "ping", "x": more.decode()}).encode())
            more = frame("chunk", json.dumps({"bytes": ping.decode()}).encode())
        with suppress(OSError):
            self._stream(itertools.chain(pieces[:3], itertools.repeat(more)))

    def _odd_piece(self) -> bytes:
        """Return an event that is in form, and yet is no part of any answer."""
        if self.path.endswith("/converse-stream"):
            return frame("contentBlockDelta", b'{"contentBlockIndex": 0, "delta": null}')
        if self.path.endswith("/chat/completions"):
            return b'data: {"id": "chat_1", "choices": [{"index": 0, "delta": null}]}\n\n'
        delta = {"type": "text_delta", "text": "x"}
        odd = json.dumps({"type": "content_block_delta", "index": 7, "delta": delta})
        if self._is_aws:
            inner = base64.b64encode(odd.encode()).decode()
            return frame("chunk", json.dumps({"bytes": inner}).encode())
        return f"event: content_block_delta\ndata: {odd}\n\n".encode()

    def _error_piece(self) -> bytes:
        error = {"type": "overloaded_error", "message": "too much to do"}
        if self.path.endswith("/converse-stream"):
            return frame("throttlingException", json.dumps(error).encode(), "exception")
        if self._is_aws:
            return frame("serviceUnavailableException", json.dumps(error).encode(), "exception")
        data = json.dumps({"type": "error", "error": error})
        return f"event: error\ndata: {data}\n\n".encode()

    def _stream(self, pieces: Iterable[bytes], pause: float = 0) -> None:
        kind = "application/vnd.amazon.eventstream" if self._is_aws else "text/event-stream"
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("request-id", "req_1")
        self.send_header("x-amzn-requestid", "req_1")
        self.send_header("connection", "close")
        self.end_headers()
        for piece in pieces:
            time.sleep(pause)
            self.wfile.write(piece)
            self.wfile.flush()

    def _fail(self, act: Fail) -> None:
        waits = {"retry-after": act.retry_after} if act.retry_after is not None else {}
        if self._is_aws:
            body = json.dumps({"message": act.message}).encode()
            self._send(act.status, "application/json", body, {"x-amzn-errortype": act.aws, **waits})
            return
        error = {"type": "an_error", "message": act.message}
        body = json.dumps({"type": "error", "error": error}).encode()
        self._send(act.status, "application/json", body, waits)

    def _send(
        self, status: int, kind: str, body: bytes, headers: Mapping[str, str] | None = None
    ) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.send_header("connection", "close")
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _reset(self) -> None:
        self.wfile.flush()
        linger = struct.pack("ii", 1, 0)  # a close with no time to linger is a reset
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.connection.close()


def message_events(say: Say, *, is_tool: bool) -> Iterator[dict[str, Any]]:
    """Yield an answer as the Messages API streams it."""
    given, written, read, kept = say.usage
    usage = {
        "input_tokens": given,
        "output_tokens": 1,
        "cache_read_input_tokens": read,
        "cache_creation_input_tokens": kept,
    }
    message: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    yield {"type": "message_start", "message": message}
    if say.text:
        block = (
            {"type": "tool_use", "id": "toolu_1", "name": "answer", "input": {}}
            if is_tool
            else {"type": "text", "text": ""}
        )
        yield {"type": "content_block_start", "index": 0, "content_block": block}
        for piece in _cut(say.text):
            delta = (
                {"type": "input_json_delta", "partial_json": piece}
                if is_tool
                else {"type": "text_delta", "text": piece}
            )
            yield {"type": "content_block_delta", "index": 0, "delta": delta}
        yield {"type": "content_block_stop", "index": 0}
    stops = {
        "end": "tool_use" if is_tool else "end_turn",
        "length": "max_tokens",
        "refusal": "refusal",
        "context": "model_context_window_exceeded",
    }
    details = {"type": "refusal", "category": None, "explanation": "not this"}
    ending = {
        "stop_reason": stops.get(say.stop, say.stop),
        "stop_sequence": None,
        "stop_details": details if say.stop == "refusal" else None,
    }
    yield {"type": "message_delta", "delta": ending, "usage": {"output_tokens": written}}
    yield {"type": "message_stop"}


def converse_events(say: Say, *, is_tool: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield an answer as Converse streams it, with the kind of each event."""
    yield "messageStart", {"role": "assistant"}
    if is_tool:
        start = {"toolUse": {"toolUseId": "t1", "name": "answer"}}
        yield "contentBlockStart", {"contentBlockIndex": 0, "start": start}
    for piece in _cut(say.text):
        delta: dict[str, Any] = {"toolUse": {"input": piece}} if is_tool else {"text": piece}
        yield "contentBlockDelta", {"contentBlockIndex": 0, "delta": delta}
    yield "contentBlockStop", {"contentBlockIndex": 0}
    stops = {
        "end": "tool_use" if is_tool else "end_turn",
        "length": "max_tokens",
        "refusal": "content_filtered",
        "context": "model_context_window_exceeded",
    }
    yield "messageStop", {"stopReason": stops.get(say.stop, say.stop)}
    given, written, read, kept = say.usage
    usage = {
        "inputTokens": given,
        "outputTokens": written,
        "totalTokens": given + written,
        "cacheReadInputTokens": read,
        "cacheWriteInputTokens": kept,
    }
    yield "metadata", {"usage": usage, "metrics": {"latencyMs": 1}}


def chat_chunks(say: Say, *, is_tool: bool) -> Iterator[dict[str, Any]]:
    """Yield an answer as chat completions stream it; there the cached part counts as given."""
    chunk = {"id": "chat_1", "object": "chat.completion.chunk", "created": 0, "model": MODEL}
    for piece in _cut(say.text):
        call = {"index": 0, "id": "c1", "function": {"name": "answer", "arguments": piece}}
        delta = {"tool_calls": [call]} if is_tool else {"content": piece}
        yield {**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    stops = {"end": "stop", "length": "length", "refusal": "content_filter"}
    stop = stops.get(say.stop, say.stop)
    yield {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": stop}]}
    given, written, read, kept = say.usage
    usage = {
        "prompt_tokens": given + read + kept,
        "completion_tokens": written,
        "total_tokens": given + read + kept + written,
        "prompt_tokens_details": {"cached_tokens": read},
    }
    yield {**chunk, "choices": [], "usage": usage}


def frame(kind: str, payload: bytes, message: str = "event") -> bytes:
    """Return a message of an AWS event stream: lengths, headers, payload, and two checksums."""
    head = {":message-type": message, f":{message}-type": kind, ":content-type": "application/json"}
    headers = b"".join(
        struct.pack("!B", len(name)) + name.encode() + struct.pack("!BH", 7, len(value)) + value
        for name, value in ((name, text.encode()) for name, text in head.items())
    )
    prelude = struct.pack("!II", len(headers) + len(payload) + 16, len(headers))
    whole = prelude + struct.pack("!I", zlib.crc32(prelude)) + headers + payload
    return whole + struct.pack("!I", zlib.crc32(whole))


def _cut(text: str, most: int = 50) -> list[str]:
    """Cut a text into pieces of seven characters; a long one into so many, which are larger."""
    size = max(7, -(-len(text) // most))
    return [text[start : start + size] for start in range(0, len(text), size)]
