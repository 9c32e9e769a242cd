"""What a hostile module aims at, and which of it shows from outside that it was reached."""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import pty
import resource
import secrets
import select
import signal
import socket
import subprocess
import sys
import tty
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Self, TypeAlias

Aims: TypeAlias = "dict[str, str | int]"

ENVIRONMENT = "SOPFORGE_CANARY"
SIGNAL = signal.SIGURG
"""The signal of the attacks: whoever does not ask for it does not notice it."""

_VICTIM = """
import array, json, os, signal, sys
secret = array.array("B", os.environ["SOPFORGE_CANARY"].encode())
holder = os.open(sys.argv[2], os.O_RDWR | os.O_CREAT)
os.write(holder, secret)
os.unlink(sys.argv[2])
signal.signal(signal.SIGURG, lambda *_: os.write(1, b"signal"))
if sys.platform == "linux":
    import ctypes
    ctypes.CDLL(None).prctl(0x59616D61, ctypes.c_ulong(-1), 0, 0, 0)  # any process may look at it
print(json.dumps([secret.buffer_info()[0], holder]), flush=True)
sys.stdin.read()
"""


def new_secret() -> str:
    """Return a text that nobody guesses and that a search of memory recognises."""
    return f"CANARY-{secrets.token_hex(16)}"


class Victim:
    """A process of ours that attacks aim at; its memory, environment and arguments are secret."""

    def __init__(self, folder: Path) -> None:
        self.secrets = (new_secret(), new_secret())
        inner, argument = self.secrets
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _VICTIM, argument, str(folder / "held")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={ENVIRONMENT: inner},
            process_group=0,
        )
        assert self._process.stdout is not None
        self.pid = self._process.pid
        self.address, self.descriptor = json.loads(self._process.stdout.readline())
        os.set_blocking(self._process.stdout.fileno(), False)
        self._manners = self._read_manners()

    def close(self) -> None:
        """End the process and wait for it."""
        self._process.kill()
        self._process.communicate()

    def signs(self) -> Iterator[str]:
        """Yield what happened to the process."""
        assert self._process.stdout is not None
        # A pipe of its own, so that a signal shows even after its handler has run.
        if self._process.stdout.read() or self._process.poll() is not None:
            yield "signalled"
        if self._process.poll() is None and self._read_manners() != self._manners:
            yield "altered"

    def _read_manners(self) -> tuple[object, ...]:
        return (
            os.getpriority(os.PRIO_PROCESS, self.pid),
            os.sched_getaffinity(self.pid),
            os.sched_getscheduler(self.pid),
            resource.prlimit(self.pid, resource.RLIMIT_NOFILE),
            _ionice(self.pid),
        )


class Canaries:
    """Files, listeners, names and a process that nobody but us should touch."""

    def __init__(self, folder: Path, other_secret: str) -> None:
        self._stack = ExitStack()
        self._place_files(folder)
        self._listen()
        self.victim = Victim(folder)
        self._stack.callback(self.victim.close)
        self._key = secrets.randbelow(2**30) + 1
        self._name = f"sopforge-{secrets.token_hex(8)}"
        own = os.environ[ENVIRONMENT]
        self.secrets = (self._secret, *self.victim.secrets, own, other_secret)
        self.aims = self._list_aims()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._remove_shared()
        self._stack.close()

    def signs(self, texts: Sequence[str]) -> Iterator[str]:
        """Yield the name of everything that was reached, given all texts that came back."""
        heard, listens = self._heard(), self._someone_listens()
        created = list(self._empty.iterdir())
        reached = "\n".join([*texts, heard, *(_content(path) for path in created)])
        found = {
            "secret": any(secret in reached for secret in self.secrets),
            "size": str(self._secret_file.stat().st_size) in reached,
            "changed": _fingerprint(self._kept) != self._fingerprint,
            "created": bool(created),
            "heard": bool(heard),
            "listens": listens,
            "shared": any(self._shared_names()),
        }
        yield from (sign for sign, is_there in found.items() if is_there)
        yield from self.victim.signs()

    def _place_files(self, folder: Path) -> None:
        self._secret = new_secret()
        guarded = folder / f"guarded-{secrets.token_hex(4)}"
        guarded.mkdir()
        self._secret_file = guarded / self._secret.replace("CANARY", "file")
        self._secret_file.write_text(self._secret)
        # Its length is a secret too: nine digits, most of them a hole in the file.
        os.truncate(self._secret_file, 123_000_000 + secrets.randbelow(10**6))
        (guarded / self._secret).mkdir()
        # Whoever starts a process without closing what it inherits gives the secret away.
        opened = os.open(self._secret_file, os.O_RDONLY)
        os.set_inheritable(opened, True)  # noqa: FBT003 - the one argument it has
        self._stack.callback(os.close, opened)
        self._guarded = guarded
        self._kept = folder / "kept"
        self._kept.write_text("as it was")
        self._fingerprint = _fingerprint(self._kept)
        self._empty = folder / "empty"
        self._empty.mkdir()

    def _listen(self) -> None:
        inet, unix = socket.AF_INET, socket.AF_UNIX
        # Not in pytest's folder, which is deep: the path of a Unix socket holds a hundred bytes.
        short = self._stack.enter_context(TemporaryDirectory(prefix="sf-"))
        self._unix = Path(short) / "socket"
        abstract = f"sopforge-{secrets.token_hex(8)}"
        self._streams = [
            self._bound(socket.socket(inet, socket.SOCK_STREAM), ("127.0.0.1", 0)),
            self._bound(socket.socket(unix, socket.SOCK_STREAM), str(self._unix)),
            self._bound(socket.socket(unix, socket.SOCK_STREAM), f"\0{abstract}"),
        ]
        self._datagrams = self._bound(
            socket.socket(inet, socket.SOCK_DGRAM), ("127.0.0.1", 0), backlog=0
        )
        self._abstract = abstract
        free = self._bound(socket.socket(inet, socket.SOCK_STREAM), ("127.0.0.1", 0), backlog=0)
        self._free_port = int(free.getsockname()[1])
        free.close()
        self._terminal, slave = pty.openpty()
        tty.setraw(slave)
        os.set_blocking(self._terminal, False)
        self._terminal_path = os.ttyname(slave)
        self._stack.callback(os.close, self._terminal)
        self._stack.callback(os.close, slave)

    def _bound(
        self, listener: socket.socket, address: str | tuple[str, int], backlog: int = 4
    ) -> socket.socket:
        self._stack.enter_context(listener)
        listener.bind(address)
        listener.settimeout(0)
        if backlog:
            listener.listen(backlog)
        return listener

    def _list_aims(self) -> Aims:
        return {
            "secret_path": str(self._secret_file),
            "guarded_folder": str(self._guarded),
            "kept_path": str(self._kept),
            "empty_folder": str(self._empty),
            "tcp_port": int(self._streams[0].getsockname()[1]),
            "udp_port": int(self._datagrams.getsockname()[1]),
            "free_port": self._free_port,
            "unix_path": str(self._unix),
            "abstract_name": self._abstract,
            "terminal_path": self._terminal_path,
            "victim_pid": self.victim.pid,
            "victim_address": self.victim.address,
            "victim_descriptor": self.victim.descriptor,
            "parent_pid": os.getpid(),
            "shared_key": self._key,
            "shared_name": self._name,
        }

    def _heard(self) -> str:
        """Return what came to a listener or the terminal; a mere connection is something."""
        parts = []
        for stream in self._streams:
            with suppress(BlockingIOError):
                peer, _ = stream.accept()
                with peer:
                    select.select([peer], [], [], 0.2)
                    peer.settimeout(0)
                    parts.append("(connected)")
                    with suppress(OSError):
                        parts.append(peer.recv(10_000).decode(errors="replace"))
        with suppress(BlockingIOError):
            parts.append(self._datagrams.recv(10_000).decode(errors="replace"))
        with suppress(BlockingIOError):
            parts.append(os.read(self._terminal, 10_000).decode(errors="replace"))
        return "\n".join(parts)

    def _someone_listens(self) -> bool:
        with socket.socket() as caller:
            caller.settimeout(0.5)
            return caller.connect_ex(("127.0.0.1", self._free_port)) == 0

    def _shared_names(self) -> Iterator[str]:
        for kind in ("shm", "sem", "msg"):
            lines = _lines(Path("/proc/sysvipc") / kind)[1:]
            yield from (kind for line in lines if int(line.split()[0]) == self._key)
        yield from (path.name for path in Path("/dev/shm").glob(f"*{self._name}*"))  # noqa: S108 - where they are
        yield from (line for line in _lines(Path("/proc/keys")) if self._name in line)
        queue = ctypes.CDLL(None).mq_open(f"/{self._name}".encode(), os.O_RDONLY)
        if queue >= 0:
            os.close(queue)
            yield "queue"

    def _remove_shared(self) -> None:
        library = ctypes.CDLL(None)
        library.shmctl(library.shmget(self._key, 0, 0), 0, None)
        library.semctl(library.semget(self._key, 0, 0), 0, 0)
        library.msgctl(library.msgget(self._key, 0), 0, None)
        library.mq_unlink(f"/{self._name}".encode())
        keyctl, invalidate = {"x86_64": 250}.get(os.uname().machine, 219), 21
        for line in _lines(Path("/proc/keys")):
            if self._name in line:
                library.syscall(keyctl, invalidate, int(line.split()[0], 16))
        for path in Path("/dev/shm").glob(f"*{self._name}*"):  # noqa: S108 - where they are
            path.unlink()


def _fingerprint(path: Path) -> tuple[object, ...]:
    if not path.exists():
        return ()
    facts = path.lstat()
    times = (facts.st_mtime_ns, facts.st_ctime_ns)
    content = hashlib.sha256(path.read_bytes()).hexdigest()
    return (facts.st_mode, facts.st_uid, facts.st_ino, facts.st_nlink, *times, content)


def _content(path: Path) -> str:
    return path.read_bytes()[:10_000].decode(errors="replace") if path.is_file() else ""


def _lines(path: Path) -> list[str]:
    with suppress(OSError):
        return path.read_text().splitlines()
    return []


def _ionice(pid: int) -> int:
    """Return the process's class and level of input and output; -1 where that is not known."""
    numbers = {"x86_64": 252, "aarch64": 31}
    number = numbers.get(os.uname().machine)
    return -1 if number is None else int(ctypes.CDLL(None).syscall(number, 1, pid))
