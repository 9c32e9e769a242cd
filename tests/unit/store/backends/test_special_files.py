"""Pipes, sockets and devices in a store are refused without being opened."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sopforge.errors import StoreError
from sopforge.store.backends.folder import FolderObjects


@pytest.fixture(autouse=True)
def _no_waiting() -> Iterator[None]:
    """Fail a test that waits for the other end of a pipe."""

    def give_up(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(10)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def make_socket(path: Path) -> None:
    # By a relative name: the path of a socket must be short.
    before = Path.cwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(before)


MAKERS = [pytest.param(os.mkfifo, id="pipe"), pytest.param(make_socket, id="socket")]


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(StoreError) as caught:
        act()
    [fault] = caught.value.faults
    assert fault.code == "not-a-file"
    assert fault.hint.startswith("remove it from the store")
    return f"{fault.where}: {fault.message}"


@pytest.mark.parametrize("make", MAKERS)
def test_it_is_not_read(tmp_path: Path, make: Callable[[Path], None]) -> None:
    objects, path = FolderObjects(tmp_path), tmp_path / "notes"
    make(path)
    message = refused(lambda: objects.read("notes"))
    assert message.startswith(f"{path}: it is a ")


@pytest.mark.parametrize("make", MAKERS)
def test_no_line_is_put_into_it(tmp_path: Path, make: Callable[[Path], None]) -> None:
    objects, path = FolderObjects(tmp_path), tmp_path / "calls"
    make(path)
    refused(lambda: objects.append("calls", b"line\n"))


@pytest.mark.parametrize("make", MAKERS)
def test_it_is_no_lock(tmp_path: Path, make: Callable[[Path], None]) -> None:
    objects, path = FolderObjects(tmp_path), tmp_path / ".depot.lock"
    make(path)

    def hold() -> None:
        with objects.hold_lock("depot"):
            pass

    refused(hold)
    refused(lambda: objects.read_holder("depot"))


def test_a_link_to_a_device_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "notes").symlink_to("/dev/zero")
    with pytest.raises(StoreError, match="store-outside"):
        FolderObjects(tmp_path).read("notes")


def test_a_file_takes_the_place_of_a_pipe(tmp_path: Path) -> None:
    objects = FolderObjects(tmp_path)
    os.mkfifo(tmp_path / "notes")
    objects.replace("notes", b"text")
    assert objects.read("notes") == b"text"


def test_a_file_that_is_appended_to_keeps_its_lines(tmp_path: Path) -> None:
    objects = FolderObjects(tmp_path)
    for line in (b"one\n", b"two"):
        objects.append("lines", line)
    objects.append("lines", b"three\n")
    assert objects.read("lines") == b"one\ntwo\nthree\n"
