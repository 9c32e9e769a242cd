"""An S3 service on loopback that does one request at a time, and fails on request.

``python -m tests.servers.s3_service SEED`` serves until its input ends, prints its address, and is
out of order now and then: it drops connections before or after it has done what was asked, or says
that it is busy.
"""

from __future__ import annotations

import contextlib
import io
import random
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, NoReturn, TypeAlias

from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.moto_server.werkzeug_app import create_backend_app
from moto.s3.models import s3_backends
from werkzeug.serving import WSGIRequestHandler, make_server

BUCKET = "sops"
KEYS = {
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_DEFAULT_REGION": "us-east-1",
}


@dataclass(frozen=True)
class Asked:
    """A request: its method, and the object or bucket that it is about."""

    method: str
    path: str

    @property
    def writes(self) -> bool:
        """Whether it changes anything."""
        return self.method in {"PUT", "POST", "DELETE"}


@dataclass(frozen=True)
class Refuse:
    """The service answers with an error, and does nothing."""

    status: str
    code: str
    more: str = ""


@dataclass(frozen=True)
class Drop:
    """The connection is closed without an answer, before or after it was done what was asked."""

    is_done: bool


@dataclass(frozen=True)
class Break:
    """The connection is closed in the middle of the answer's body."""


@dataclass(frozen=True)
class Hang:
    """Nothing comes for so many seconds, and then the connection is closed."""

    seconds: float


Act: TypeAlias = Refuse | Drop | Break | Hang | None
Disturb: TypeAlias = Callable[[Asked], Act]
Environ: TypeAlias = dict[str, Any]
Start: TypeAlias = Callable[..., Any]


@dataclass
class S3Service:
    """The service while it runs; ``disturb`` says what becomes of each request."""

    disturb: Disturb = lambda asked: None  # noqa: ARG005 - it is undisturbed at first
    asked: list[Asked] = field(default_factory=list)
    delay: float = 0.0
    url: str = ""

    def __post_init__(self) -> None:
        self._turn = threading.Lock()
        # The part that is S3 alone: to find it anew for each request would cost most of its time.
        self._moto: Any = create_backend_app("s3")

    def __call__(self, environ: Environ, start: Start) -> Iterable[bytes]:
        asked = Asked(environ["REQUEST_METHOD"], environ["PATH_INFO"])
        self.asked.append(asked)
        if self.delay:
            time.sleep(self.delay)
        act = self.disturb(asked)
        if isinstance(act, Hang):
            time.sleep(act.seconds)
        if isinstance(act, Hang) or act == Drop(is_done=False):
            _hung_up(environ)
        if isinstance(act, Refuse):
            start(act.status, [("Content-Type", "application/xml")])
            error = f"<Error><Code>{act.code}</Code><Message>no</Message>{act.more}</Error>"
            return [error.encode()]
        with self._turn:
            answer = list(self._moto(environ, _ignored if isinstance(act, Drop) else start))
        if isinstance(act, Drop):
            _hung_up(environ)
        return _half(environ, answer) if isinstance(act, Break) else answer

    def objects(self, prefix: str) -> dict[str, bytes]:
        """Return all objects below a prefix, by their whole keys."""
        keys = _backend().buckets[BUCKET].keys
        with self._turn:
            return {key: keys[key].value for key in sorted(keys) if key.startswith(f"{prefix}/")}

    def put(self, objects: Mapping[str, bytes]) -> None:
        """Put objects without asking for it over HTTP."""
        with self._turn:
            for key, data in objects.items():
                _backend().put_object(BUCKET, key, data)

    def age(self, key: str, seconds: float) -> None:
        """Have an object be as if it had been put so many seconds earlier."""
        with self._turn:
            _backend().buckets[BUCKET].keys[key].last_modified -= timedelta(seconds=seconds)

    def drop(self, prefix: str) -> None:
        """Drop all objects below a prefix."""
        for key in self.objects(prefix):
            self.drop_object(key)

    def drop_object(self, key: str) -> None:
        """Drop one object."""
        with self._turn:
            _backend().delete_object(BUCKET, key)


@contextlib.contextmanager
def s3_service() -> Iterator[S3Service]:
    """Return a service with an empty bucket."""
    service = S3Service()
    server = make_server("127.0.0.1", 0, service, threaded=True, request_handler=_Kept)
    service.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    _backend().create_bucket(BUCKET, "us-east-1")
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
        _backend().reset()


class _Kept(WSGIRequestHandler):
    """Leaves connections open, as S3 does: one for each request took half of a request's time."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def run_wsgi(self) -> None:
        """Answer a request, and leave nothing of its body to be taken for the next one."""
        environ = self.make_environ()
        if "CONTENT_LENGTH" in environ:
            environ["wsgi.input"] = io.BytesIO(self.rfile.read(int(environ["CONTENT_LENGTH"])))
        head: list[Any] = []

        def begin(*given: object) -> Callable[[bytes], object]:
            head.extend(given)
            return self.wfile.write

        try:
            for part in self.server.app(environ, begin):
                self._send_head(head)
                self.wfile.write(part)
            self._send_head(head)
        except ConnectionError:
            self.close_connection = True

    def _send_head(self, head: list[Any]) -> None:
        """Send the status and the headers, once."""
        if not head:
            return
        (code, _, says), headers = head[0].partition(" "), list(head[1])
        head.clear()
        self.send_response(int(code), says)
        for name, value in headers:
            self.send_header(name, value)
        if code != "204" and "content-length" not in {name.lower() for name, _ in headers}:
            # Where the body ends is then said by the end of the connection.
            self.send_header("Connection", "close")
        self.end_headers()

    def log(self, type: str, message: str, *args: object) -> None:  # noqa: A002 - its name there
        """Say nothing."""


_TROUBLES: tuple[Act, ...] = (
    Drop(is_done=False),
    Drop(is_done=True),
    Break(),
    Refuse("503 Slow Down", "SlowDown"),
)


class _Outages:
    """Out of order for a tenth of the time, a moment at a time."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - it decides nothing secret
        self._starts = time.monotonic() + 2
        self._ends = self._starts

    def __call__(self, asked: Asked) -> Act:
        del asked
        now, chance = time.monotonic(), self._random
        if now > self._ends:
            self._starts = now + chance.uniform(1, 5)
            self._ends = self._starts + chance.uniform(0.05, 0.6)
        if now < self._starts:
            return None
        return chance.choice(_TROUBLES)


def _backend() -> Any:  # noqa: ANN401 - moto's own
    return s3_backends[DEFAULT_ACCOUNT_ID]["aws"]


def _ignored(*_: object, **__: object) -> None:
    """Take the head of an answer that nobody gets."""


def _hung_up(environ: Environ) -> NoReturn:
    """End a connection without an answer, or without the rest of it."""
    with contextlib.suppress(OSError):
        environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
    raise ConnectionAbortedError


def _half(environ: Environ, answer: list[bytes]) -> Iterator[bytes]:
    whole = b"".join(answer)
    yield whole[: len(whole) // 2]
    _hung_up(environ)


def main(seed: int) -> None:
    """Serve until the input ends."""
    with s3_service() as service:
        service.disturb = _Outages(seed)
        sys.stdout.write(f"{service.url}\n")
        sys.stdout.flush()
        for line in sys.stdin:
            # Whoever looks after the service says when it is to be well, and what to forget.
            word, _, prefix = line.strip().partition(" ")
            service.disturb = _said(word, seed)
            if word == "forget":
                service.drop(prefix)
            sys.stdout.write("\n")
            sys.stdout.flush()


def _said(word: str, seed: int) -> Disturb:
    """Return what becomes of requests from here on."""
    if word in {"off", "deaf"}:
        return lambda asked: Drop(is_done=word == "deaf")  # noqa: ARG005 - whatever is asked
    return _Outages(seed) if word == "ill" else _well


def _well(asked: Asked) -> Act:
    del asked
    return None


if __name__ == "__main__":
    main(int(sys.argv[1]))
