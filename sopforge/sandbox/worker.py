"""The child's side of a tool process: loads one ``tools.py`` and answers one call per line.

Run as ``python -I -S worker.py <folder>``; it needs the standard library and nothing else.
Every request is ``{"n": 1, "tool": "approve", "arguments": {...}}``. Every reply repeats ``n``
and holds one of ``value``, ``refusal`` ([code, message]) and ``fault`` ([code, message, where,
hint]). Reply 0 is sent unasked once the module is loaded; a fault there is the last reply.
"""

from __future__ import annotations

import json
import math
import os
import resource
import sys
import traceback
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO, TypeAlias

Reply: TypeAlias = "dict[str, object]"
Container: TypeAlias = "dict[object, object] | list[object] | tuple[object, ...]"

CPU_SECONDS = 60
LIMITS = {
    resource.RLIMIT_CPU: CPU_SECONDS,
    resource.RLIMIT_AS: 1024**3,
    resource.RLIMIT_NOFILE: 64,
    resource.RLIMIT_FSIZE: 0,
    resource.RLIMIT_CORE: 0,
    resource.RLIMIT_NPROC: 0,
}
DEEPEST = 50
LONGEST_INT = 14_000  # bits; Python refuses to read or write an int of more than 4,300 digits


class _Unusable(Exception):  # noqa: N818 - it is an answer to the parent, not an error of ours
    """The folder holds no usable tools module; the fault is told to the parent."""

    def __init__(self, *fault: str) -> None:
        super().__init__(*fault)
        self.fault = fault


def _attempt(action: Callable[[], Any]) -> tuple[Any, Exception | None]:
    """Return the result of foreign code and None, or None and what it raised."""
    try:
        return action(), None
    # Foreign code may raise anything, and whatever it raises is the answer. SystemExit passes:
    # a tool that ends its process is reported by the parent as dead.
    except Exception as raised:  # noqa: BLE001 - the one place where foreign code is entered
        return None, raised


def _lower_limits() -> None:
    """Put the limits on this process for good; a stricter limit that is there already stays."""
    for kind, wanted in LIMITS.items():
        _, hard = resource.getrlimit(kind)
        limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(kind, (limit, limit))


def _private_streams() -> tuple[BinaryIO, BinaryIO]:
    """Return the requests and the replies; descriptors 0 to 2 lead nowhere from here on."""
    requests = os.fdopen(os.dup(0), "rb")
    # Left to the kernel to close: then the parent reads no end before there is an exit status.
    replies = os.fdopen(os.dup(1), "wb", closefd=False)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    os.close(nowhere)
    return requests, replies


def _load_manager(path: Path) -> object:
    """Return the module's manager, built without arguments; raise _Unusable if there is none."""
    module = _load_module(path)
    name = _manager_name(module)
    manager, raised = _attempt(getattr(module, name))
    if raised is not None:
        message = f"{name}() raised {_title(raised)}"
        hint = "the class is built without arguments and reads records.csv beside its __file__"
        raise _Unusable("manager-not-built", message, _place(raised, path), hint)
    return manager


def _load_module(path: Path) -> ModuleType:
    spec = spec_from_file_location("tools", path)
    if spec is None or spec.loader is None:
        raise _Unusable("tools-do-not-load", "Python finds no loader for it", path.name, "")
    module = sys.modules["tools"] = module_from_spec(spec)
    loader = spec.loader
    _, raised = _attempt(lambda: loader.exec_module(module))
    if raised is not None:
        hint = "it has to load alone, with the standard library only"
        raise _Unusable("tools-do-not-load", _title(raised), _place(raised, path), hint)
    return module


def _manager_name(module: ModuleType) -> str:
    """Return the first public name that ends in Manager, in alphabetical order."""
    public = [name for name in dir(module) if not name.startswith("_")]
    managers = [name for name in public if name.endswith("Manager")]
    if not managers:
        found = f"no public name ends in Manager; public names are {_listed(public)}"
        raise _Unusable("no-manager-class", found, "tools.py", "name the class <Domain>Manager")
    return managers[0]


def _title(raised: Exception) -> str:
    return f"{type(raised).__name__}: {_message_of(raised)}".removesuffix(": ")


def _message_of(raised: Exception) -> str:
    """Return the exception's text without the folder's path, which is new in every process."""
    text, _ = _attempt(lambda: str(raised))
    return (text or "").replace(f"{sys.argv[1]}/", "")


def _place(raised: Exception, path: Path) -> str:
    """Return the innermost line of the module that took part: ``tools.py:12``."""
    if isinstance(raised, SyntaxError) and raised.filename == str(path):
        return f"{path.name}:{raised.lineno}"
    steps = traceback.walk_tb(raised.__traceback__)
    lines = [line for frame, line in steps if frame.f_code.co_filename == str(path)]
    return f"{path.name}:{lines[-1]}" if lines else path.name


def _answer(manager: object, name: str, arguments: dict[str, object]) -> Reply:
    """Return the reply to one call: a value, a refusal or a fault.

    A manager's own dispatcher is asked where it has one, as SOP-Bench does.
    """
    dispatcher, _ = _attempt(lambda: getattr(manager, "process_tool_call", None))
    tool, _ = _attempt(lambda: getattr(manager, name, None))
    if callable(dispatcher):
        value, raised = _attempt(lambda: dispatcher(name, arguments))
    elif name.startswith("_") or not callable(tool):
        return _unknown_tool(manager, name)
    else:
        value, raised = _attempt(lambda: tool(**arguments))
    if raised is not None:
        return {"refusal": [_code_of(raised), _message_of(raised)]}
    found = _flaw(value, "result")
    return {"value": value} if found is None else _not_json(name, found)


def _unknown_tool(manager: object, name: str) -> Reply:
    public = [known for known in dir(type(manager)) if not known.startswith("_")]
    message = f"no tool {name!r}; methods are {_listed(public)}"
    return {"fault": ["unknown-tool", message, "tools.py", ""]}


def _listed(names: list[str]) -> str:
    return ", ".join(names) or "none"


def _not_json(name: str, found: str) -> Reply:
    hint = "return null, bool, int, finite float, str, and lists and str-keyed dicts of these"
    return {"fault": ["result-not-json", found, f"tools.py, {name}()", hint]}


def _code_of(raised: Exception) -> str:
    code, _ = _attempt(lambda: getattr(raised, "code", None))
    return code if isinstance(code, str) else type(raised).__name__


def _flaw(value: object, where: str, depth: int = 0) -> str | None:
    """Return what keeps a value from being plain JSON, or None; a tuple counts as a list.

    Types count exactly: what a subclass turns into would depend on the encoder.
    """
    if type(value) is dict or type(value) is list or type(value) is tuple:
        if depth == DEEPEST:
            return f"the result is nested deeper than {DEEPEST} levels"
        return _first_flaw_inside(value, where, depth + 1)
    return _scalar_flaw(value, where)


def _first_flaw_inside(value: Container, where: str, depth: int) -> str | None:
    odd = [key for key in value if type(key) is not str] if isinstance(value, dict) else []
    if odd:
        return f"{where} has a key of type {type(odd[0]).__name__}"
    steps = value.items() if isinstance(value, dict) else enumerate(value)
    found = (_flaw(item, f"{where}[{step!r}]", depth) for step, item in steps)
    return next(filter(None, found), None)


def _scalar_flaw(value: object, where: str) -> str | None:
    if type(value) is float:
        return None if math.isfinite(value) else f"{where} is {value}"
    if type(value) is int:
        return f"{where} is an integer too long" if value.bit_length() > LONGEST_INT else None
    plain = value is None or type(value) is str or type(value) is bool
    return None if plain else f"{where} is of type {type(value).__name__}"


def _send(replies: BinaryIO, number: int, reply: Reply) -> None:
    replies.write(json.dumps({"n": number, **reply}, allow_nan=False).encode() + b"\n")
    replies.flush()


def serve(folder: Path) -> None:
    """Load the module of the folder, then answer one request per line until there are no more."""
    requests, replies = _private_streams()
    try:
        manager = _load_manager(folder / "tools.py")
    except _Unusable as unusable:
        _send(replies, 0, {"fault": unusable.fault})
        return
    _send(replies, 0, {"value": None})
    for line in requests:
        request = json.loads(line)
        _send(replies, request["n"], _answer(manager, request["tool"], request["arguments"]))


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    os.environ.clear()  # Python itself may have added LC_CTYPE
    _lower_limits()
    serve(Path(sys.argv[1]))
