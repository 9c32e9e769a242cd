"""The trusted process that has Python and its library loaded, and forks one worker per module.

It never sees a module's code or data: those go from the parent to the fork. The parent sends one
request at a time over standard input, a socket: ``{"fork": "strong"}`` with the descriptor of the
fork's channel, answered by ``{"pid": 7, "home": "/tmp/x"}``, and ``{"end": 7}``, answered by the
``status`` that the fork ended with; either may be answered by an ``error``. When the parent
closes the socket or ends, all of it ends.
"""

from __future__ import annotations

import gc
import json
import os
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from sopforge.sandbox.child.landlock import get_landlock_version
from sopforge.sandbox.child.privileges import adopt_orphans, die_with_parent, give_up_privileges
from sopforge.sandbox.child.surroundings import vary_surroundings
from sopforge.sandbox.child.worker import serve_requests
from sopforge.sandbox.levels import Level

_LONGEST = 4096
_CHANNEL = 3
_MOST_DESCRIPTORS = 256
"""The zygote has half a dozen."""
_OURS = 70
"""The exit status of a fork that fails before it enters foreign code."""


class Zygote:
    """The forks that are there, and the folders of those that have one."""

    def __init__(self, control: socket.socket, offered: frozenset[str]) -> None:
        self._control = control
        self._offered = offered
        self._homes: dict[int, str] = {}

    def serve(self) -> None:
        """Do what the parent asks until it is gone."""
        try:
            while True:
                text, descriptors, _, _ = socket.recv_fds(self._control, _LONGEST, 1)
                if not text:
                    return
                try:
                    reply = self._answer_request(json.loads(text), descriptors)
                except OSError as cause:
                    reply = {"error": str(cause)}
                finally:
                    # The fork has its own: open here, it would hide the fork's end from the parent.
                    for descriptor in descriptors:
                        os.close(descriptor)
                self._control.sendall(json.dumps(reply).encode())
        finally:
            for number in list(self._homes):
                self._end_fork(number)

    def _answer_request(
        self, request: Mapping[str, Any], descriptors: Sequence[int]
    ) -> dict[str, Any]:
        match request, descriptors:
            case {"fork": level}, [channel]:
                return self._fork(Level(level), channel)
            case {"end": number}, [] if number in self._homes:
                return self._end_fork(number)
            case _:
                return {"error": "no such process, or no channel for it"}

    def _fork(self, level: Level, channel: int) -> dict[str, Any]:
        home = tempfile.mkdtemp() if level.is_on_disk else ""
        zygote = os.getpid()
        try:
            number = os.fork()
        except OSError:
            self._remove(home)
            raise
        if not number:
            self._become_worker(channel, zygote)
        self._homes[number] = home
        return {"pid": number, "home": home}

    def _become_worker(self, channel: int, zygote: int) -> None:
        """Turn this fork into a worker; never returns."""
        status = _OURS
        try:
            # A group of its own, so that all that comes of it can be killed at once.
            os.setsid()
            if sys.platform == "linux":
                die_with_parent()
            # The zygote may have ended before the kernel was asked to report its end.
            if os.getppid() != zygote:
                return
            _keep_descriptor(channel)
            serve_requests(_CHANNEL, self._offered)
            status = 0
        except SystemExit as ending:
            status = ending.code if isinstance(ending.code, int) else int(ending.code is not None)
        finally:
            # Whatever happened: a fork that got past this would go on as a second zygote.
            os._exit(status % 256)

    def _end_fork(self, number: int) -> dict[str, Any]:
        """Kill a fork, with all that came of it, and return how it had ended."""
        home = self._homes.pop(number)
        # As long as it is not waited for, its number cannot have passed to another group.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(number, signal.SIGKILL)
        with suppress(ProcessLookupError, PermissionError):
            # By itself too, for the group is there only once the fork has made it.
            os.kill(number, signal.SIGKILL)
        _, status = os.waitpid(number, 0)
        self._end_orphans()
        self._remove(home)
        return {"status": os.waitstatus_to_exitcode(status)}

    @staticmethod
    def _remove(home: str) -> None:
        if home:
            shutil.rmtree(home, ignore_errors=True)

    def _end_orphans(self) -> None:
        """Kill what escaped from a fork's group: it was passed on to this process."""
        # Until there are none: one that is killed may leave children of its own.
        while orphans := [child for child in _list_children() if child not in self._homes]:
            for child in orphans:
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
                with suppress(ChildProcessError):
                    os.waitpid(child, 0)


def _list_children() -> list[int]:
    """Return the numbers of this process's children, where the kernel lists them."""
    try:
        return [int(text) for text in Path("/proc/thread-self/children").read_text().split()]
    except OSError:
        return []


def _keep_descriptor(channel: int) -> None:
    """Leave the channel as the only descriptor that leads anywhere."""
    os.dup2(channel, _CHANNEL)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    # Else a worker would have the zygote's own socket, and could answer the parent in its place.
    os.closerange(_CHANNEL + 1, _MOST_DESCRIPTORS)


def main(offered: frozenset[str]) -> None:
    """Be the zygote of the process at the other end of standard input."""
    salt = int(os.environ["PYTHONHASHSEED"])
    # All that is in it is the salt, which would show a module where it is run.
    os.environ.clear()
    sys.dont_write_bytecode = True
    # Signals that the calling thread blocks are inherited, and would stay blocked in every worker.
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    if sys.platform == "linux":
        give_up_privileges()
        adopt_orphans()
    vary_surroundings(salt)
    control = socket.socket(fileno=os.dup(0))
    # Else a collection in each fork would write to, and so copy, all that is shared.
    gc.freeze()
    control.sendall(json.dumps({"pid": os.getpid(), "landlock": get_landlock_version()}).encode())
    Zygote(control, offered).serve()
