"""An untrusted fork of the zygote: takes its files, confines itself, then answers calls.

Over its channel it first reads one line, ``{"level": "strong", "home": "/tmp/x", "files":
{"tools.py": 120}, "is_watched": true, "is_plain": false, "is_lenient": false}``, and the files'
bytes. Every request is a line ``{"n": 7, "tool": "approve", "arguments": {...}}``, with a number
that nobody guesses. Every reply repeats ``n`` and holds one of ``value``, ``refusal`` ([code,
message]) and ``fault`` ([code, message, where, hint]). Two replies are sent unasked, and a fault in
them is the last reply: -1 once the process is confined and before foreign code is entered, 0 once
the module is loaded.
"""

from __future__ import annotations

import json
import linecache
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from sopforge.sandbox.child.answers import (
    CONFINED,
    LOADED,
    Module,
    Reply,
    UnusableError,
)
from sopforge.sandbox.child.attempts import Attempts, Misbehaviour
from sopforge.sandbox.child.confinement import confine
from sopforge.sandbox.child.kernel import UnenforceableError
from sopforge.sandbox.child.library import close_imports
from sopforge.sandbox.child.memory_folder import MemoryFolder
from sopforge.sandbox.child.surroundings import hide_program, imitate_plain_run, keep_modules
from sopforge.sandbox.levels import Level

TOOLS = "tools.py"
_ENCODE = json.JSONEncoder(allow_nan=False).encode
_DECODE = json.JSONDecoder().decode


def serve_requests(channel: int, offered: Iterable[str]) -> None:
    """Serve one module until there are no more requests."""
    # The channel is left to the kernel to close: then the parent reads no end before there is an
    # exit status.
    requests = os.fdopen(channel, "rb", closefd=False)
    replies = os.fdopen(channel, "wb", closefd=False)
    given = _DECODE(requests.readline().decode())
    level = Level(given["level"])
    files = {name: requests.read(size) for name, size in given["files"].items()}
    try:
        # The files are written now or never: once confined, the process can write none.
        _prepare(level, given, files)
        confine(level, Path(given["home"]) if level.is_on_disk else None)
    except (UnenforceableError, OSError) as cause:
        message = f"level '{level}' cannot be enforced: {cause}"
        _send(replies, CONFINED, {"fault": UnusableError("sandbox-too-weak", message, "").fault})
        return
    _send(replies, CONFINED, {"value": None})
    path = f"{given['home']}/{TOOLS}"
    attempts = Attempts(path, level)
    try:
        hide_program()
        if given["is_plain"]:
            imitate_plain_run(given["home"])
            keep_modules(offered)
        elif given["is_watched"] and level.is_boundary:
            keep_modules(offered)
            close_imports()
            _watch(level, given["home"], files, attempts)
        module = _load_module(files[TOOLS], path, attempts, is_lenient=given["is_lenient"])
    except UnusableError as unusable:
        _send(replies, LOADED, {"fault": unusable.fault})
        return
    _send(replies, LOADED, {"value": None})
    for line in requests:
        request = _DECODE(line.decode())
        try:
            _send(replies, request["n"], _answer_request(module, attempts, request))
        except MemoryError:
            # Foreign code's own want of memory is caught where it runs: this is its answer's text.
            _send(replies, request["n"], _make_too_large_reply(request["tool"]))


def _prepare(level: Level, given: Mapping[str, Any], files: dict[str, bytes]) -> None:
    """Write the files into the folder, at levels with one, and go there, unless elsewhere."""
    if not level.is_on_disk:
        return
    folder = Path(given["home"])
    for name, content in files.items():
        (folder / name).write_bytes(content)
    os.chdir("/" if given["is_plain"] else folder)


def _watch(level: Level, home: str, files: dict[str, bytes], attempts: Attempts) -> None:
    """Have Python's own functions do what they can, and explain the rest."""
    if not level.is_on_disk:
        folder = MemoryFolder(home, files, attempts)
        path = f"{home}/{TOOLS}"
        # For tracebacks: to show a line, Python itself would open the file.
        linecache.cache[path] = (len(files[TOOLS]), None, folder.read_lines(path), path)
        folder.install()
    attempts.watch()


def _load_module(source: bytes, path: str, attempts: Attempts, *, is_lenient: bool) -> Module:
    """Return the module, unless it fails to load or does what no tool may while it loads."""
    try:
        module = Module(source, path, is_lenient=is_lenient)
    except UnusableError as unusable:
        raised = unusable.__cause__
        if isinstance(raised, SyntaxError):
            attempts.forget()  # to show the line, Python itself looks for the file
        if found := attempts.find_misbehaviour(raised):
            raise UnusableError(*_make_fault(found, "")) from unusable
        raise
    if found := attempts.find_misbehaviour(None):
        raise UnusableError(*_make_fault(found, ""))
    return module


def _answer_request(module: Module, attempts: Attempts, request: Mapping[str, Any]) -> Reply:
    tool = request["tool"]
    reply, raised = module.answer_call(tool, request["arguments"])
    found = attempts.find_misbehaviour(raised)
    return {"fault": _make_fault(found, f", {tool}()")} if found else reply


def _make_too_large_reply(tool: str) -> Reply:
    message = "its answer needs more memory than a tool may have"
    found = Misbehaviour("tool-out-of-memory", message, "answer what was asked for, and no more")
    return {"fault": _make_fault(found, f", {tool}()")}


def _make_fault(found: Misbehaviour, inside: str) -> list[str]:
    place = f"{TOOLS}:{found.line}" if found.line else TOOLS
    return [found.code, found.message, f"{place}{inside}", found.hint]


def _send(replies: BinaryIO, number: int, reply: Reply) -> None:
    replies.write(_ENCODE({"n": number, **reply}).encode() + b"\n")
    replies.flush()
