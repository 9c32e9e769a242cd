"""Tools in a process of their own: what they answer, or how their module misbehaves."""

from __future__ import annotations

import json
import os
import secrets
import signal
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path
from string import ascii_lowercase, digits
from typing import NoReturn, Self

from sopforge.errors import Fault, SandboxError, ToolProcessError
from sopforge.progress.tracking import track
from sopforge.sandbox.answers import (
    Answer,
    Call,
    GarbledError,
    JSONValue,
    read_reply,
    write_request,
)
from sopforge.sandbox.channel import (
    LARGEST_LINE,
    Channel,
    ClosedError,
    TooLargeError,
    TooSlowError,
)
from sopforge.sandbox.child.answers import CONFINED, LOADED
from sopforge.sandbox.child.limits import CPU_SECONDS
from sopforge.sandbox.levels import Level, read_chosen_level
from sopforge.sandbox.untrusted_files import MOST_BYTES, are_too_large, find_link_faults
from sopforge.sandbox.zygotes import NO_LIBRARIES, Fork, Zygote, get_shared_zygote

AGENT_FILES = ("tools.py", "records*.csv")
# One answer of 1 MB, all of it empty lists, takes 17 MB once it is read, and many may come.
_MOST_ANSWERS, _MOST_PER_ANSWER = 256 * 1024**2, 20_000
"""Roughly in bytes of memory: of all answers of a process, and more for each of them."""
_WEIGHT = 64
"""Of a value in Python, be it an empty list."""
_LETTERS = f"{ascii_lowercase}{digits}_"
_BITS = 62
"""Of the number of a request: nobody guesses it."""


@dataclass(frozen=True, slots=True)
class _Reason:
    code: str
    message: str
    hint: str = ""


_SLOW = _Reason(
    "tool-too-slow", "no answer within {limit}", "look for an endless loop or for waiting"
)
_BUSY = _Reason(
    "tool-too-slow",
    f"more than {CPU_SECONDS} s of processor time",
    "look for an endless loop",
)
_FORBIDDEN = _Reason(
    "tool-forbidden",
    "it tried to make a system call of another architecture",
    "a tool computes from its arguments and from the files beside it, and no more",
)
_DEAD = _Reason(
    "tool-process-died", "the process {end}", "a tool answers or raises; it never ends the process"
)
DIED = _DEAD.code
_HUGE = _Reason("output-too-large", f"the answer is larger than {LARGEST_LINE:,} bytes")
_MUCH = _Reason(
    "output-too-large",
    "the answers of the process are too large in total",
    "answer what was asked for, and no more",
)
_GARBLED = _Reason(
    "reply-malformed",
    "the process sent something that is no reply to this call",
    "a tool must not fork, nor write to descriptors it did not open",
)
_EARLY = _Reason(
    "reply-malformed",
    "the process sent something before it was called",
    "a tool must not write to descriptors it did not open",
)
_CLOSED = Fault("tool-process-closed", "the tool process is not running")


class ToolProcess:
    """The tools of one folder, running in a process that ends with the ``with`` block.

    The process has the agent's files only: each of ``AGENT_FILES`` from ``files`` or else from
    ``folder``, and whatever else ``files`` names. It is confined to ``level``, by default the one
    that ``SOPFORGE_SANDBOX`` names, else "strong"; a machine that cannot enforce the level refuses.
    It has no environment, no descriptors but its channel, and limits on memory, processor time
    (60 s over its life) and files. Starting, each ``call`` and each ``call_many`` may take
    ``time_limit`` seconds. Nothing of it is left afterwards, however the block is left.

    ``is_plain`` runs the module as a program does that imports it from its folder: from another
    working directory, with variables and Python's own functions. It needs a level with a folder.
    ``place`` is where the files are, or seem to be. ``libraries`` are there beside Python's own, of
    those that ``sandbox/child/library.py`` lists, confined as everything else. ``is_lenient`` has
    not-a-number in a result answered as null, and numpy's numbers as Python's.

    A module can always lie about its own answers: compare them here, with a truth that is never
    given to it.

        with ToolProcess(folder) as tools:
            tools.call("approve", {"claim_id": "C-1"})  # Observation(value={"approved": True})
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        files: Mapping[str, bytes] | None = None,
        time_limit: float = 20.0,
        level: Level | None = None,
        zygote: Zygote | None = None,
        is_watched: bool = True,
        is_plain: bool = False,
        libraries: frozenset[str] = NO_LIBRARIES,
        is_lenient: bool = False,
    ) -> None:
        self._folder = folder
        self._files = dict(files or {})
        self._time_limit = time_limit
        self._level = level
        self._given = zygote
        self._is_watched = is_watched
        self._is_plain = is_plain
        self._libraries = libraries
        self._is_lenient = is_lenient
        self._over: Fault | None = _CLOSED
        self._stack = ExitStack()
        self._turn = threading.Lock()
        self._owner = 0

    def __enter__(self) -> Self:
        """Return the process once its module has loaded.

        Raises:
            ToolProcessError: it does not load.
            SandboxError: this machine cannot confine it as asked for.
        """
        content = _read_agent_files(self._folder, self._files)
        self.level = self._level or read_chosen_level()
        self.zygote = self._given or get_shared_zygote(libraries=self._libraries)
        self._owner = os.getpid()
        with ExitStack() as stack:
            self._fork: Fork | None = self.zygote.fork(self.level)
            stack.callback(self._end_process)
            self._channel = Channel(self._fork.channel)
            self._over, self._room = None, _MOST_ANSWERS
            self.place = self._fork.home or _draw_place()
            self._load(content)
            # Kept open only now: where loading fails, the inner stack has ended the process by
            # then.
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        # In a fork of the owner, the lock may be held by a thread that is not there.
        with self._turn if self._owner == os.getpid() else nullcontext():
            self._over = _CLOSED
            self._stack.close()

    @property
    def home(self) -> str:
        """The folder of its files, "" where it has them in memory."""
        return self._fork.home if self._fork else ""

    @property
    def number(self) -> int:
        """The number of the process, as its zygote counts: in bubblewrap it is not ours."""
        return self._fork.number if self._fork else 0

    def call(self, tool: str, arguments: Mapping[str, JSONValue]) -> Answer:
        """Return what the tool answers to these keyword arguments.

        Raises ToolProcessError if the module misbehaves. After an answer that is not JSON or an
        unknown tool the process goes on; after anything else it is over and stays so.
        """
        return self.call_many([(tool, arguments)])[0]

    def try_many(self, calls: Sequence[Call]) -> list[Answer | Fault]:
        """Return for each call, in order, what is answered or its own fault.

        A fault that ends the process is the last one, also where there were more calls.
        """
        found: list[Answer | Fault] = []
        try:
            self._exchange(calls, found)
        except ToolProcessError as cause:
            return [*found[: len(calls) - 1], cause.faults[0]]
        return found

    @property
    def is_over(self) -> bool:
        """Whether no call is answered any more."""
        return self._over is not None

    def call_many(self, calls: Sequence[Call]) -> list[Answer]:
        """Return one answer per call, in order; raise the faults of all calls together."""
        answers: list[Answer | Fault] = []
        self._exchange(calls, answers)
        faults = [answer for answer in answers if isinstance(answer, Fault)]
        if faults:
            raise ToolProcessError(*dict.fromkeys(faults))
        return [answer for answer in answers if not isinstance(answer, Fault)]

    def _load(self, content: Mapping[str, bytes]) -> None:
        head = {
            "level": self.level,
            "home": self.place,
            "files": {name: len(data) for name, data in content.items()},
            "is_watched": self._is_watched,
            "is_plain": self._is_plain,
            "is_lenient": self._is_lenient,
        }
        sent = b"".join([json.dumps(head).encode(), b"\n", *content.values()])
        self._channel.send(sent, self._time_limit)
        self._await_confinement()
        (loaded,) = self._read_answers([(LOADED, "tools.py")], [])
        if isinstance(loaded, Fault):
            self._over = loaded
            raise ToolProcessError(loaded)

    def _await_confinement(self) -> None:
        """Read what is said before foreign code is entered: no module has a part in it."""
        try:
            confined = self._read_next_answer(CONFINED, "")
        except ToolProcessError as cause:
            reason = f"before the tools were loaded: {cause.faults[0].message}"
            raise _make_not_confined_error(reason) from cause
        if isinstance(confined, Fault):
            self._over = confined
            raise _make_too_weak_error(confined)

    def _exchange(self, calls: Sequence[Call], found: list[Answer | Fault]) -> None:
        """Send the requests and add one answer per call to those found.

        The numbers of requests are drawn, so that no reply can be written before its request. One
        thread at a time, and never a fork of this process: both would read each other's answers.
        An interrupt while answers are outstanding ends the process.
        """
        if self._owner != os.getpid():
            raise ToolProcessError(_CLOSED)
        with self._turn:
            if self._over is not None:
                raise ToolProcessError(self._over)
            numbers = [secrets.randbits(_BITS) for _ in calls]
            # All are written before one is sent: a faulty argument leaves no call half asked.
            requests = [write_request(n, *call) for n, call in zip(numbers, calls, strict=True)]
            places = [f"tools.py, {tool}()" for tool, _ in calls]
            try:
                if places and not self._channel.is_silent:
                    self._stop(_EARLY, places[0])
                self._channel.send(b"".join(requests), self._time_limit)
                self._read_answers(list(zip(numbers, places, strict=True)), found)
            except (ToolProcessError, SandboxError):
                raise
            except BaseException:
                self._over = _CLOSED
                self._end_process()
                raise

    def _read_answers(
        self, asked: Sequence[tuple[int, str]], found: list[Answer | Fault]
    ) -> list[Answer | Fault]:
        # A single answer is a step of somebody else's work.
        tracked = track(asked, "tool calls answered") if len(asked) > 1 else asked
        for number, place in tracked:
            # One by one, so that those before an end of the process are not lost.
            found.append(self._read_next_answer(number, place))
        # More than was asked for, such as the answer of a forked copy.
        if asked and not self._channel.is_silent:
            self._stop(_GARBLED, asked[-1][1])
        return found

    def _read_next_answer(self, number: int, place: str) -> Answer | Fault:
        try:
            line = self._channel.read_line()
            # Each answer brings some room, so that ordinary ones never run out of it.
            self._room += _MOST_PER_ANSWER - _estimate_memory(line)
            if self._room < 0:
                self._stop(_MUCH, place)
            return read_reply(line, number, place)
        except TooSlowError:
            self._stop(_SLOW, place)
        except TooLargeError:
            self._stop(_HUGE, place)
        except GarbledError:
            self._stop(_GARBLED, place)
        except ClosedError:
            self._stop(_DEAD, place)

    def _stop(self, reason: _Reason, place: str) -> NoReturn:
        """End the process at once and for good, and raise why."""
        status = self._end_process()
        # Its workers went with the zygote: no module is to blame for that.
        if reason is _DEAD and not self.zygote.is_alive:
            self._over = _CLOSED
            raise _make_not_confined_error("the process that all tools are forked from has ended")
        if reason is _DEAD:
            reason = {-signal.SIGXCPU: _BUSY, -signal.SIGSYS: _FORBIDDEN}.get(status, _DEAD)
        message = reason.message.format(
            limit=f"{self._time_limit:g} s", end=_describe_ending(status)
        )
        self._over = Fault(reason.code, message, place, reason.hint)
        raise ToolProcessError(self._over)

    def _end_process(self) -> int:
        """Kill the process, unless that was done."""
        fork, self._fork = self._fork, None
        return self.zygote.end(fork) if fork else 0


def _draw_place() -> str:
    """Return where files in memory seem to be: a folder such as others are made in."""
    return f"/tmp/tmp{''.join(secrets.choice(_LETTERS) for _ in range(8))}"  # noqa: S108


def _read_agent_files(folder: Path | None, files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the content of every file that the module may see; refuse a name with a folder."""
    where = str(folder or "")
    faults = [
        Fault("not-a-file-name", f"{name!r} is not a plain file name", where, "drop the folder")
        for name in files
        if name in {"", ".", ".."} or "/" in name or "\0" in name
    ]
    found = {path.name: path for path in _find_agent_files(folder) if path.name not in files}
    faults += find_link_faults(folder, found) if folder else []
    if "tools.py" not in {*found, *files}:
        faults.append(Fault("tools-missing", "there is no tools.py", where))
    # Before anything is read, for a file may be of endless size.
    sizes = [*map(len, files.values()), *(path.stat().st_size for path in found.values())]
    if are_too_large(sizes):
        message = f"the tools and their files are larger than {MOST_BYTES:,} bytes in total"
        faults.append(Fault("tool-files-too-large", message, where, "give the tools less data"))
    if faults:
        raise ToolProcessError(*faults)
    return {name: path.read_bytes() for name, path in found.items()} | files


def _find_agent_files(folder: Path | None) -> list[Path]:
    """Return the agent's files that a folder has."""
    given = [] if folder is None else [path for part in AGENT_FILES for path in folder.glob(part)]
    return sorted(path for path in given if path.is_file())


def _estimate_memory(line: bytes) -> int:
    """Return about how much memory the values in a line take, from its text."""
    return len(line) + _WEIGHT * sum(line.count(sign) for sign in b"[{,")


def _make_too_weak_error(found: Fault) -> SandboxError:
    hint = (
        "run 'sopforge doctor' to see what this machine enforces; '--sandbox limits' runs tools"
        " without a boundary, for code that you trust"
    )
    return SandboxError(Fault(found.code, found.message, "", hint))


def _make_not_confined_error(reason: str) -> SandboxError:
    message = f"the sandbox: {reason}"
    hint = "run 'sopforge doctor' to see what this machine can do"
    return SandboxError(Fault("sandbox-not-started", message, "", hint))


def _describe_ending(status: int) -> str:
    if status == -signal.SIGKILL:
        return "was killed or closed its output"
    if status < 0:
        known = {number.value: number.name for number in signal.Signals}
        return f"was ended by {known.get(-status, f'signal {-status}')}"
    return f"ended with exit status {status}"
