"""Places of stores, in which a write can go wrong: a folder of this machine, and S3 on loopback.

A write is what changes the store: in a folder a call of the system, on S3 a request.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Protocol, TypeAlias
from urllib.parse import urlsplit

import botocore.endpoint
from botocore.httpsession import URLLib3Session

from tests.servers.s3_service import BUCKET, KEYS, Act, Asked, Drop, Refuse, S3Service, s3_service

Kept: TypeAlias = dict[str, bytes]
Hit: TypeAlias = Callable[[], None]
Heard: TypeAlias = Callable[[str, str], None]
KILL = "kill"
WRITING = {"PUT", "DELETE"}
_PART = re.compile(r"/\.new-[^/]+/")


class Place(Protocol):
    """Where stores are kept, and how their writes go wrong."""

    def named(self, name: str) -> str:
        """Return the name of a store, as the command takes it."""

    def fill(self, name: str, kept: Mapping[str, bytes]) -> None:
        """Have a new store hold what another one held."""

    def kept(self, name: str) -> Kept:
        """Return all that a store holds."""

    def recover(self, name: str) -> None:
        """Have the place work again, and the locks of the dead be over."""

    def drop(self, name: str) -> None:
        """Forget a store."""

    def prepare(self, mishap: str, write: int) -> None:
        """Have the writes of another process go wrong from one on."""

    def listen(self, heard: Heard) -> None:
        """Have each write of this process heard of before it: what is done, and to what."""

    def strike(self, mishap: str, write: int, hit: Hit) -> None:
        """Have the writes of this process go wrong from one on; ``hit`` hears of the first."""


@dataclass(frozen=True)
class Folders:
    """Stores in a local folder."""

    root: Path

    def named(self, name: str) -> str:
        return str(self.root / name)

    def fill(self, name: str, kept: Mapping[str, bytes]) -> None:
        for part, data in kept.items():
            path = self.root / name / part
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

    def kept(self, name: str) -> Kept:
        files = [path for path in (self.root / name).rglob("*") if path.is_file()]
        return {path.relative_to(self.root / name).as_posix(): path.read_bytes() for path in files}

    def recover(self, name: str) -> None:
        del name

    def drop(self, name: str) -> None:
        shutil.rmtree(self.root / name, ignore_errors=True)

    def prepare(self, mishap: str, write: int) -> None:
        del mishap, write

    def listen(self, heard: Heard) -> None:
        def hear(event: str, arguments: tuple[Any, ...]) -> None:
            if self._is_write(event, arguments):
                heard(event, str(arguments[0]))

        sys.addaudithook(hear)

    def strike(self, mishap: str, write: int, hit: Hit) -> None:
        """Kill this process before a call, or have all calls from one on fail with an error."""
        left, number = [write], getattr(errno, mishap, 0)

        def hear(event: str, path: str) -> None:
            del event
            left[0] -= 1
            if left[0] >= 0:
                return
            hit()
            if mishap == KILL:
                os.kill(os.getpid(), signal.SIGKILL)
            raise OSError(number, os.strerror(number), path)

        self.listen(hear)

    def _is_write(self, event: str, arguments: tuple[Any, ...]) -> bool:
        """Return whether a call changes a store; parts of what is moved there whole do not."""
        is_call = event in {"os.link", "os.rename", "os.remove", "os.mkdir", "os.rmdir"}
        is_open = event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        if not (is_call or is_open) or not isinstance(arguments[0], str | Path):
            return False
        path = str(arguments[0])
        return path.startswith(str(self.root)) and not _PART.search(path)


# What becomes of every request during an outage.
OUTAGES: Mapping[str, Act] = {
    "busy": Refuse("503 Slow Down", "SlowDown"),
    "failing": Refuse("500 Internal Server Error", "InternalError"),
    "expired": Refuse("403 Forbidden", "ExpiredToken"),
    "forbidden": Refuse("403 Forbidden", "AccessDenied"),
    "bucket gone": Refuse("404 Not Found", "NoSuchBucket"),
    "region": Refuse("400 Bad Request", "AuthorizationHeaderMalformed"),
    "unreachable": Drop(is_done=False),
    "answers lost": Drop(is_done=True),
}


@dataclass(frozen=True)
class Buckets:
    """Stores on S3."""

    service: S3Service

    def named(self, name: str) -> str:
        return f"s3://{BUCKET}/{name}"

    def fill(self, name: str, kept: Mapping[str, bytes]) -> None:
        self.service.put({f"{name}/{part}": data for part, data in kept.items()})

    def kept(self, name: str) -> Kept:
        found = self.service.objects(name).items()
        return {key.removeprefix(f"{name}/"): data for key, data in found}

    def recover(self, name: str) -> None:
        self.service.disturb = lambda asked: None  # noqa: ARG005 - of whatever is asked
        # That a lock is taken over is shown elsewhere: here, it would cost a lease for each kill.
        locks = [key for key in self.service.objects(name) if key.endswith(".lock")]
        for lock in locks:
            self.service.drop_object(lock)

    def drop(self, name: str) -> None:
        self.service.drop(name)

    def prepare(self, mishap: str, write: int) -> None:
        if mishap == KILL:
            return
        left = [write]

        def disturb(asked: Asked) -> Act:
            left[0] -= asked.writes
            return OUTAGES[mishap] if left[0] < 0 else None

        self.service.disturb = disturb

    def listen(self, heard: Heard) -> None:
        send = URLLib3Session.send

        def hear(session: URLLib3Session, request: Any) -> Any:  # noqa: ANN401 - botocore's own
            if request.method in WRITING:
                heard(request.method, urlsplit(request.url).path)
            return send(session, request)

        setattr(URLLib3Session, "send", hear)  # noqa: B010 - mypy lets no method be assigned

    def strike(self, mishap: str, write: int, hit: Hit) -> None:
        """Kill this process before its first write, or after one and before its answer is read."""
        _hurry()
        send, left = URLLib3Session.send, [write]

        def heard(session: URLLib3Session, request: Any) -> Any:  # noqa: ANN401 - botocore's own
            is_write = request.method in WRITING
            if mishap == KILL and is_write and left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            left[0] -= is_write
            if left[0] < 0:
                hit()
            answer = send(session, request)
            if mishap == KILL and is_write and left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return answer

        setattr(URLLib3Session, "send", heard)  # noqa: B010 - mypy lets no method be assigned


def _hurry() -> None:
    """Have requests repeated at once, where they would be after seconds."""
    clock = SimpleNamespace(sleep=lambda seconds: None, time=time.time)  # noqa: ARG005
    setattr(botocore.endpoint, "time", clock)  # noqa: B010 - it is no attribute to mypy


@contextmanager
def opened_place(kind: str, folder: Path) -> Iterator[Place]:
    """Return a place of a kind, which is empty."""
    if kind == "folder":
        yield Folders(folder / "stores")
        return
    with s3_service() as service:
        os.environ.update(KEYS, AWS_ENDPOINT_URL_S3=service.url)
        yield Buckets(service)
