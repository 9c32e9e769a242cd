"""Starts the trusted processes that tool processes are forked from, and speaks with them."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, Self
from weakref import WeakSet

from sopforge.errors import Fault, SandboxError
from sopforge.sandbox.child.library import list_packages
from sopforge.sandbox.levels import Level

NO_LIBRARIES: frozenset[str] = frozenset()
START_SECONDS = 30.0
_LONGEST = 4096
_ROOT = Path(__file__).parents[2]
_BOOT = (
    # Appended: a package beside ours that is named as a library module must not come first.
    "import json, sys; sys.path.append(sys.argv[1]);"
    "from sopforge.sandbox.child.library import preload;"
    "offered = preload(json.loads(sys.argv[2]));"
    "from sopforge.sandbox.child.zygote import main; main(offered)"
)
_HEAR = (
    "import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_DFL);"
    "os.execv(sys.argv[1], sys.argv[1:])"
)
_QUIETLY = getattr(socket, "MSG_NOSIGNAL", 0)
WRAPPER = "bwrap"


class Fork(NamedTuple):
    """A worker: its number, and this side of its channel."""

    number: int
    home: str
    channel: socket.socket


class Zygote:
    """A process with the library loaded; ends when it is closed, or when this process ends.

    ``salt`` is the seed of its string hashes, and decides its time zone: two zygotes of different
    salts show code that leans on the order of a set, or on where it is run. ``libraries`` are
    loaded too, of those that ``LIBRARIES`` lists. ``wrapped`` says whether bubblewrap is around it,
    ``landlock`` which version of Landlock its kernel has.
    """

    def __init__(
        self, salt: int, *, libraries: frozenset[str] = NO_LIBRARIES, wrapper: str | None = None
    ) -> None:
        """Start the process.

        Raises:
            SandboxError: it does not start, or a library is not installed.
        """
        folders = _locate_packages(libraries)
        self._lock = threading.Lock()
        self.wrapped = wrapper is not None
        self._control, theirs = _open_socket_pair()
        self._control.settimeout(START_SECONDS)
        try:
            with theirs:
                self._process = _begin(theirs, salt, folders, wrapper)
        except OSError as cause:
            self._control.close()
            raise _make_not_started_error(str(cause)) from cause
        try:
            ready = self._read()
        except (OSError, ValueError) as cause:
            self.close()
            raise _make_not_started_error("it did not say that it is ready") from cause
        self.landlock = int(ready["landlock"])
        _living.add(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def number(self) -> int:
        """The number of the process, or of bubblewrap around it."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether it can still be asked."""
        return self._control.fileno() >= 0 and self._process.poll() is None

    def fork(self, level: Level) -> Fork:
        """Return a new worker, which waits for its files.

        Raises:
            SandboxError: the process is gone, or can make no more.
        """
        ours, theirs = _open_socket_pair()
        with theirs:
            try:
                said = self._ask({"fork": level}, theirs.fileno())
            except BaseException:
                ours.close()
                raise
        return Fork(said["pid"], said["home"], ours)

    def end(self, fork: Fork) -> int:
        """Kill a worker and whatever came of it; return its exit status, negative for a signal."""
        fork.channel.close()
        try:
            return int(self._ask({"end": fork.number})["status"])
        except SandboxError:
            # A zygote that was killed leaves the folder, with the tools' files in it.
            if fork.home and not self.wrapped:  # bubblewrap has a disk of its own
                shutil.rmtree(fork.home, ignore_errors=True)
            return -9  # it went with the zygote

    def forget(self) -> None:
        """Let go of it in a fork of this process, whose answers it would get else."""
        self._lock = threading.Lock()
        self._control.close()

    def close(self) -> None:
        """End the process and all of its workers."""
        self._control.close()
        try:
            self._process.wait(START_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _ask(self, request: dict[str, Any], *descriptors: int) -> dict[str, Any]:
        try:
            with self._lock:
                said = self._exchange(json.dumps(request).encode(), descriptors)
        except (OSError, ValueError) as cause:
            raise _make_not_started_error(f"its process is gone ({cause})") from cause
        if "error" in said:
            raise _make_not_started_error(said["error"])
        return said

    def _exchange(self, request: bytes, descriptors: Sequence[int]) -> dict[str, Any]:
        """Send and read; after an interruption never again, as the answer would be another's."""
        try:
            socket.send_fds(self._control, [request], descriptors, _QUIETLY)
            return self._read()
        except BaseException:
            self._control.close()
            raise

    def _read(self) -> dict[str, Any]:
        said = json.loads(self._control.recv(_LONGEST))
        if not isinstance(said, dict):
            message = "no object"
            raise ValueError(message)  # noqa: TRY004 - as what is no JSON at all
        return said


_zygotes: dict[tuple[int, int, frozenset[str]], Zygote] = {}
_living: WeakSet[Zygote] = WeakSet()
_guard = threading.Lock()


def get_shared_zygote(salt: int = 0, libraries: frozenset[str] = NO_LIBRARIES) -> Zygote:
    """Return this process's zygote of a salt with some libraries, started when first asked for.

    Raises:
        SandboxError: none can be started here.
    """
    # By process: a fork of this one would share the socket, and get its answers.
    key = (os.getpid(), salt, libraries)
    with _guard:
        found = _zygotes.get(key)
        if found is None or not found.is_alive:
            if not _zygotes:
                atexit.register(_close_all)
            found = _zygotes[key] = start_zygote(salt, libraries)
    return found


def start_zygote(salt: int, libraries: frozenset[str] = NO_LIBRARIES) -> Zygote:
    """Return a new zygote, in bubblewrap where that works.

    Raises:
        SandboxError: none can be started here.
    """
    if not hasattr(os, "fork"):
        raise _make_not_started_error(f"{sys.platform} cannot fork")
    if wrapper := shutil.which(WRAPPER):
        with suppress(SandboxError):
            return Zygote(salt, libraries=libraries, wrapper=wrapper)
    return Zygote(salt, libraries=libraries)


def _forget_all() -> None:
    """In a fork of this process: hold on to nothing that would keep them alive, and no lock."""
    global _guard  # noqa: PLW0603 - another thread may have held it, and is not here to let go
    _guard = threading.Lock()
    for zygote in list(_living):
        zygote.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)


def _open_socket_pair() -> tuple[socket.socket, socket.socket]:
    try:
        return socket.socketpair()
    except OSError as cause:
        raise _make_not_started_error(str(cause)) from cause


def _close_all() -> None:
    for (owner, *_), zygote in _zygotes.items():
        # A fork inherits this table, and must not end what is its parent's.
        if owner == os.getpid():
            zygote.close()


def _begin(
    control: socket.socket, salt: int, folders: Mapping[str, str], wrapper: str | None
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - our own interpreter, and no shell
        [
            *_build_hearing_command(),
            *_build_wrapper_command(wrapper, folders),
            sys.executable,
            # No path of ours, and no installed packages: a worker finds Python's library alone.
            "-P",
            "-s",
            "-S",
            "-c",
            _BOOT,
            str(_ROOT),
            json.dumps(folders),
        ],
        stdin=control.fileno(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        # No threads of numpy's: no fork would have them.
        env={"PYTHONHASHSEED": str(salt), "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        close_fds=True,
        # So that Ctrl-C at the terminal reaches the caller alone, which then ends the workers in
        # order.
        start_new_session=True,
    )


def _build_hearing_command() -> list[str]:
    """Return the command that goes before all where this process is deaf to ended children.

    That is inherited: bubblewrap would wait for ever, and a number would be free, and another
    process's, before its worker is ended.
    """
    if signal.getsignal(signal.SIGCHLD) is not signal.SIG_IGN:
        return []
    return [sys.executable, "-I", "-S", "-c", _HEAR]


def _locate_packages(libraries: frozenset[str]) -> dict[str, str]:
    """Return the folders in which the packages of libraries are installed, by package."""
    found = {}
    for name in list_packages(libraries):
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            raise _make_not_started_error(f"the library '{name}' is not installed")
        file = Path(spec.origin)
        found[name] = str(file.parents[1] if spec.submodule_search_locations else file.parent)
    return found


def _build_wrapper_command(wrapper: str | None, folders: Mapping[str, str]) -> list[str]:
    """Return the command that goes before: namespaces of its own, and of the disk what it needs."""
    if wrapper is None:
        return []
    needed = ("/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", sys.prefix, sys.base_prefix)
    shown = [
        part
        for path in (*needed, str(_ROOT / "sopforge"), *sorted(set(folders.values())))
        for part in ("--ro-bind-try", path, path)
    ]
    # --new-session: without it a tool could push commands into the terminal of the caller
    # (TIOCSTI). --ro-bind-try: hardly a system has all of these folders.
    return [
        *(wrapper, "--unshare-all", "--new-session", "--cap-drop", "ALL", "--chdir", "/"),
        *("--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", *shown, "--"),  # noqa: S108
    ]


def _make_not_started_error(reason: str) -> SandboxError:
    hint = "run 'sopforge doctor' to see what this machine can do"
    return SandboxError(Fault("sandbox-not-started", f"the sandbox: {reason}", "", hint))
