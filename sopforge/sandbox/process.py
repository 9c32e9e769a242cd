"""The parent's side of a tool process: what a tool answered, or how its module misbehaved."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import IO, NoReturn, Self, TypeAlias, cast

from sopforge.errors import Fault, ToolProcessError

JSON: TypeAlias = "bool | int | Decimal | str | list[JSON] | dict[str, JSON] | None"
"""What a tool answers; a number with a fraction or an exponent is an exact Decimal."""

JSONValue: TypeAlias = (
    "bool | int | float | Decimal | str | Sequence[JSONValue] | Mapping[str, JSONValue] | None"
)
"""What a tool may be called with; the tool sees a Decimal as the nearest float."""

Call: TypeAlias = tuple[str, Mapping[str, JSONValue]]

LEVEL = "limits"
"""The honest name of the confinement: resource limits and a process of its own, no more."""

AGENT_FILES = ("tools.py", "records*.csv")
LARGEST_REPLY = 1_000_000
WORKER = Path(__file__).with_name("worker.py")
_CHUNK = 65_536


@dataclass(frozen=True, slots=True)
class Observation:
    """A tool answered with a value."""

    value: JSON


@dataclass(frozen=True, slots=True)
class Refusal:
    """A tool raised; ``code`` is the exception's own string ``code``, else its class name."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class _Reason:
    code: str
    message: str
    hint: str = ""


_SLOW = _Reason(
    "tool-too-slow", "no answer within {limit}", "look for an endless loop or for waiting"
)
_DEAD = _Reason(
    "tool-process-died", "the process {end}", "a tool answers or raises; it never ends the process"
)
_HUGE = _Reason("output-too-large", f"the answer is larger than {LARGEST_REPLY:,} bytes")
_GARBLED = _Reason(
    "reply-malformed",
    "the process sent something that is no reply to this call",
    "a tool must not fork, nor write to descriptors it did not open",
)


class _Stop(Exception):  # noqa: N818 - a reason to end the process, told to users as a fault
    def __init__(self, reason: _Reason) -> None:
        super().__init__(reason.code)
        self.reason = reason


class ToolProcess:
    """The tools of one folder, running in a process that ends with the ``with`` block.

    The process starts in a fresh directory that holds the agent's files only: each of
    ``AGENT_FILES`` from ``files`` or else from ``folder``, and whatever else ``files`` names. It
    has no environment, no descriptors of ours, and limits on memory, processor time (60 s over
    its life), open files and processes; files it writes stay empty. Starting, each ``call`` and
    each ``call_many`` may take ``time_limit`` seconds. The process group and the directory are
    gone afterwards, however the block is left.

    This is no boundary against hostile code. The level is "limits": the process runs as the same
    user, so it can read by absolute path what that user can read, reach the network, forge its
    own replies, and leave its process group to live on; root is not held by the limit on
    processes. It protects from mistakes, and keeps the answers out of the module's neighbourhood.

        with ToolProcess(folder) as tools:
            tools.call("approve", {"claim_id": "C-1"})  # Observation(value={"approved": True})
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        files: Mapping[str, bytes] | None = None,
        time_limit: float = 20.0,
    ) -> None:
        self._folder = folder
        self._files = dict(files or {})
        self._time_limit = time_limit
        self._over: Fault | None = Fault("tool-process-closed", "the tool process is not running")
        self._answered = 0
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        """Return the process once its module has loaded; raise ToolProcessError if it does not."""
        content = _agent_files(self._folder, self._files)
        with ExitStack() as stack:
            home = stack.enter_context(TemporaryDirectory(prefix="sopforge-tools-"))
            self._home = Path(home).resolve()
            for name, data in content.items():
                (self._home / name).write_bytes(data)
            self._start(stack)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over = Fault("tool-process-closed", "the tool process is not running")
        self._stack.close()

    def call(self, tool: str, arguments: Mapping[str, JSONValue]) -> Observation | Refusal:
        """Return what the tool answers to these keyword arguments.

        Raises ToolProcessError if the module misbehaves. After an answer that is not JSON or an
        unknown tool the process goes on; after anything else it is over and stays so.
        """
        return self.call_many([(tool, arguments)])[0]

    def call_many(self, calls: Sequence[Call]) -> list[Observation | Refusal]:
        """Return one answer per call, in order; raise the faults of all calls together."""
        first = self._answered
        requests = [_request(first + i, *call) for i, call in enumerate(calls)]
        answers = self._exchange(b"".join(requests), [f"tools.py, {tool}()" for tool, _ in calls])
        faults = [answer for answer in answers if isinstance(answer, Fault)]
        if faults:
            raise ToolProcessError(*dict.fromkeys(faults))
        return [answer for answer in answers if not isinstance(answer, Fault)]

    def _start(self, stack: ExitStack) -> None:
        self._process = _spawn(self._home)
        stack.callback(_end, self._process)
        self._channel = stack.enter_context(_Channel(self._process))
        self._over, self._answered = None, 0
        (ready,) = self._exchange(b"", ["tools.py"])
        if isinstance(ready, Fault):
            self._over = ready
            raise ToolProcessError(ready)

    def _exchange(
        self, requests: bytes, places: Sequence[str]
    ) -> list[Observation | Refusal | Fault]:
        """Send the requests and return one answer per place, which says whom to blame."""
        if self._over is not None:
            raise ToolProcessError(self._over)
        self._channel.send(requests, self._time_limit)
        return [self._next_answer(place) for place in places]

    def _next_answer(self, place: str) -> Observation | Refusal | Fault:
        try:
            answer = _answer(self._channel.line(), self._answered)
        except _Stop as stop:
            self._stop(stop, place)
        self._answered += 1
        return answer

    def _stop(self, stop: _Stop, place: str) -> NoReturn:
        """End the process at once and for good, and raise why."""
        _end(self._process)
        message = stop.reason.message.format(
            limit=f"{self._time_limit:g} s", end=_ending(self._process.returncode)
        )
        self._over = Fault(stop.reason.code, message, place, stop.reason.hint)
        raise ToolProcessError(self._over) from stop


class _Channel:
    """Both pipes of a worker; sends while it waits, so that full pipes never block both sides."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        # Both are there, for _spawn asks for pipes.
        self._requests = cast("IO[bytes]", process.stdin)
        self._replies = cast("IO[bytes]", process.stdout)
        os.set_blocking(self._requests.fileno(), False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._replies, selectors.EVENT_READ, self._read)
        self._outgoing = memoryview(b"")
        self._incoming = bytearray()
        self._deadline = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._selector.close()
        self._requests.close()
        self._replies.close()

    def send(self, requests: bytes, seconds: float) -> None:
        """Have the requests sent while lines are awaited, all of them within ``seconds``."""
        self._deadline = time.monotonic() + seconds
        self._outgoing = memoryview(requests)
        if requests:
            self._selector.register(self._requests, selectors.EVENT_WRITE, self._write)

    def line(self) -> bytes:
        """Return the next line of the worker; raise _Stop if it will not come."""
        end = self._incoming.find(b"\n")
        while end < 0 and len(self._incoming) <= LARGEST_REPLY:
            self._wait()
            end = self._incoming.find(b"\n")
        if not 0 <= end <= LARGEST_REPLY:
            raise _Stop(_HUGE)
        line = bytes(self._incoming[:end])
        del self._incoming[: end + 1]
        return line

    def _wait(self) -> None:
        left = self._deadline - time.monotonic()
        events = self._selector.select(left) if left > 0 else []
        if not events:
            raise _Stop(_SLOW)
        for key, _ in events:
            key.data()

    def _read(self) -> None:
        received = os.read(self._replies.fileno(), _CHUNK)
        if not received:
            raise _Stop(_DEAD)
        self._incoming += received

    def _write(self) -> None:
        try:
            sent = os.write(self._requests.fileno(), self._outgoing[:_CHUNK])
        except BrokenPipeError:
            sent = len(self._outgoing)  # the end of the replies tells what happened
        self._outgoing = self._outgoing[sent:]
        if not self._outgoing:
            self._selector.unregister(self._requests)


def _agent_files(folder: Path | None, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the content of every file that the module may see; refuse a name with a folder."""
    where = str(folder or "")
    faults = [
        Fault("not-a-file-name", f"{name!r} is no plain file name", where, "drop the folder")
        for name in files
        if name in {"", ".", ".."} or "/" in name or "\0" in name
    ]
    given = [] if folder is None else [path for part in AGENT_FILES for path in folder.glob(part)]
    found = sorted(path for path in given if path.is_file())
    content = {path.name: path.read_bytes() for path in found if path.name not in files}
    if "tools.py" not in {*content, *files}:
        faults.append(Fault("tools-missing", "there is no tools.py", where))
    if faults:
        raise ToolProcessError(*faults)
    return content | dict(files)


def _spawn(home: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - our own interpreter and script, and no shell
        [sys.executable, "-I", "-S", str(WORKER), str(home)],
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=home,
        env={},
        close_fds=True,
        start_new_session=True,
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the process and its group, unless that was done; an exit status it had stays."""
    if process.returncode is None:
        # While the process is not waited for, its number cannot have passed to another group.
        # macOS forbids to signal a group of zombies, which is as good as finding none.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _ending(status: int) -> str:
    if status == -signal.SIGKILL:
        return "was killed or closed its output"
    if status < 0:
        return f"was ended by {signal.Signals(-status).name}"
    return f"ended with exit status {status}"


def _request(number: int, tool: str, arguments: Mapping[str, JSONValue]) -> bytes:
    request = {"n": number, "tool": tool, "arguments": arguments}
    return json.dumps(request, allow_nan=False, default=_plain).encode() + b"\n"


def _plain(value: object) -> object:
    match value:
        case Decimal():
            return float(value)
        case Mapping():
            return dict(value)
        case Sequence():
            return list(value)
        case _:
            message = f"a tool cannot be called with a {type(value).__name__}"
            raise TypeError(message)


def _answer(line: bytes, number: int) -> Observation | Refusal | Fault:
    """Return what the line says; raise _Stop if it is no reply to this request."""
    try:
        reply = json.loads(line, parse_float=Decimal, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as raised:
        raise _Stop(_GARBLED) from raised
    match reply:
        case {"n": int(n), "value": value} if n == number:
            return Observation(value)
        case {"n": int(n), "refusal": [str(code), str(message)]} if n == number:
            return Refusal(code, message)
        case {"n": int(n), "fault": [str(), str(), str(), str()] as parts} if n == number:
            return Fault(*parts)
    raise _Stop(_GARBLED)


def _refuse_constant(name: str) -> NoReturn:
    message = f"{name} is not JSON"
    raise ValueError(message)
