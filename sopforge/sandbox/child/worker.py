"""An untrusted fork of the zygote: takes its files, confines itself, then answers calls.

Over its channel it first reads one line, ``{"level": "strong", "home": "", "files": {"tools.py":
120}, "is_watched": true}``, and the files' bytes. Every request is a line ``{"n": 1, "tool":
"approve", "arguments": {...}}``. Every reply repeats ``n`` and holds one of ``value``, ``refusal``
([code, message]) and ``fault`` ([code, message, where, hint]). Reply 0 is sent unasked once the
module is loaded; a fault there is the last reply.
"""

from __future__ import annotations

import errno
import json
import linecache
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO

from sopforge.sandbox.child.answers import Module, Reply, UnusableError
from sopforge.sandbox.child.attempts import Attempts
from sopforge.sandbox.child.confinement import confine
from sopforge.sandbox.child.files import HOME, MemoryFolder
from sopforge.sandbox.child.kernel import UnenforceableError
from sopforge.sandbox.child.library import keep_to
from sopforge.sandbox.levels import Level

TOOLS = "tools.py"
_REFUSALS = (errno.EPERM, errno.EACCES)
"""What the filter of system calls answers, and what Landlock does."""
_ENCODE = json.JSONEncoder(allow_nan=False).encode
_DECODE = json.JSONDecoder().decode


def work(channel: int, offered: Iterable[str]) -> None:
    """Serve one module until there are no more requests."""
    # The channel is left to the kernel to close: then the parent reads no end before there is an
    # exit status.
    requests = os.fdopen(channel, "rb", closefd=False)
    replies = os.fdopen(channel, "wb", closefd=False)
    attempts = Attempts()
    given = _DECODE(requests.readline().decode())
    level = Level(given["level"])
    files = {name: requests.read(size) for name, size in given["files"].items()}
    try:
        folder = _prepare(level, given["home"], files)
        confine(level, folder)
        if given["is_watched"] and level.is_boundary:
            keep_to(offered)
            _watch(level, files, attempts)
        module = _loaded(files[TOOLS], str(folder or HOME), attempts)
    except UnenforceableError as cause:
        fault = ["sandbox-too-weak", f"level '{level}' cannot be enforced: {cause}", "", ""]
        _send(replies, 0, {"fault": fault})
        return
    except UnusableError as unusable:
        _send(replies, 0, {"fault": unusable.fault})
        return
    _send(replies, 0, {"value": None})
    for line in requests:
        request = _DECODE(line.decode())
        _send(replies, request["n"], _reply(module, attempts, request))


def _prepare(level: Level, home: str, files: dict[str, bytes]) -> Path | None:
    """Write the files into the folder, at levels with one, and go there."""
    if not level.is_on_disk:
        return None
    folder = Path(home)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    os.chdir(folder)
    return folder


def _watch(level: Level, files: dict[str, bytes], attempts: Attempts) -> None:
    """Have Python's own functions do what they can, and explain the rest."""
    if level.is_on_disk:
        attempts.watch(may_read=True)
    else:
        source = files[TOOLS].decode(errors="replace").splitlines(keepends=True)
        linecache.cache[f"{HOME}/{TOOLS}"] = (len(files[TOOLS]), None, source, f"{HOME}/{TOOLS}")
        MemoryFolder(files, attempts).install()
        attempts.watch(may_read=False)


def _loaded(source: bytes, folder: str, attempts: Attempts) -> Module:
    try:
        module = Module(source, f"{folder}/{TOOLS}")
    except UnusableError as unusable:
        found = _misbehaviour(attempts, unusable.__cause__)
        if found is None:
            raise
        raise UnusableError(*found[:2], unusable.fault[2], found[2]) from unusable
    if found := _misbehaviour(attempts, None):
        raise UnusableError(*found[:2], TOOLS, found[2])
    return module


def _reply(module: Module, attempts: Attempts, request: Any) -> Reply:
    tool = request["tool"]
    reply, raised = module.answer(tool, request["arguments"])
    found = _misbehaviour(attempts, raised)
    if found is None:
        return reply
    return {"fault": [*found[:2], f"{TOOLS}, {tool}()", found[2]]}


def _misbehaviour(attempts: Attempts, raised: BaseException | None) -> tuple[str, str, str] | None:
    """Return code, message and hint of what no tool may do, None if it did no such thing."""
    act = attempts.take()
    if not act and isinstance(raised, PermissionError) and raised.errno in _REFUSALS:
        act = "make a system call that the sandbox refuses"
    if act:
        hint = "a tool computes from its arguments and from the files beside it, and no more"
        return "tool-forbidden", f"it tried to {act}", hint
    if isinstance(raised, MemoryError):
        message = "it needs more memory than a tool may have"
        return "tool-out-of-memory", message, "look for data that grows without end"
    return None


def _send(replies: BinaryIO, number: int, reply: Reply) -> None:
    replies.write(_ENCODE({"n": number, **reply}).encode() + b"\n")
    replies.flush()
