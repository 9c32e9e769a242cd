"""Where the stores of the soak are: in a folder, or on S3 that is out of order now and then."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Protocol

import botocore.endpoint

from sopforge.store.backends import bucket
from sopforge.store.opening import open_store
from tests.servers.s3_service import BUCKET, KEYS

ROOT = Path(__file__).parents[2]
# Short, so that a round need not wait for those who were killed.
LEASE_SECONDS = 1.5


class Soaked(Protocol):
    """A kind of place."""

    def named(self, name: str) -> str:
        """Return the name of a store, as the command takes it."""

    def calm(self) -> None:
        """Have nothing fail until ``upset``."""

    def upset(self) -> None:
        """Have things fail again."""

    def forget(self, name: str) -> None:
        """Drop a store."""


@dataclass(frozen=True)
class InFolder:
    """Stores in a folder."""

    root: Path

    def named(self, name: str) -> str:
        return str(self.root / name)

    def calm(self) -> None:
        """Nothing fails but those who are killed."""

    def upset(self) -> None:
        """Nothing fails but those who are killed."""

    def forget(self, name: str) -> None:
        shutil.rmtree(self.root / name, ignore_errors=True)


@dataclass(frozen=True)
class OnS3:
    """Stores on a service that drops connections, and says that it is busy."""

    service: subprocess.Popen[str]

    def named(self, name: str) -> str:
        return f"s3://{BUCKET}/{name}"

    def calm(self) -> None:
        self._send("well")

    def upset(self) -> None:
        self._send("ill")

    def forget(self, name: str) -> None:
        self._send(f"forget {name}")

    def cut(self, *, is_done: bool) -> None:
        """Have no request be answered until ``upset``, whether or not it ``is_done``."""
        self._send("deaf" if is_done else "off")

    def _send(self, line: str) -> None:
        assert self.service.stdin is not None
        assert self.service.stdout is not None
        self.service.stdin.write(f"{line}\n")
        self.service.stdin.flush()
        self.service.stdout.readline()


@contextmanager
def opened(kind: str, folder: Path, seed: int) -> Iterator[Soaked]:
    """Return a place of a kind."""
    if kind == "folder":
        yield InFolder(folder)
        return
    command = [sys.executable, "-m", "tests.servers.s3_service", str(seed)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as service:
        assert service.stdin is not None
        assert service.stdout is not None
        os.environ.update(KEYS, AWS_ENDPOINT_URL_S3=service.stdout.readline().strip())
        be_quick()
        yield OnS3(service)
        service.stdin.close()


def be_quick() -> None:
    """Have leases on S3 be short, and requests repeated sooner than they would be."""
    quick = functools.partial(bucket.BucketObjects, lease_seconds=LEASE_SECONDS)
    clock = SimpleNamespace(sleep=lambda seconds: time.sleep(seconds / 10), time=time.time)
    setattr(bucket, "BucketObjects", quick)  # noqa: B010 - mypy lets no class be assigned
    setattr(botocore.endpoint, "time", clock)  # noqa: B010 - it is no attribute to mypy


def kept(place: str) -> dict[str, bytes]:
    """Return all that a store holds, but for its own locks and leftovers."""
    objects = open_store(place).objects
    return {name: objects.read(name) or b"" for name in objects.list_names("")}
