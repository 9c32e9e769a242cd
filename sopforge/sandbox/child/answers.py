"""What a tool's module is asked and answers, as plain JSON."""

from __future__ import annotations

import math
import sys
import traceback
from collections.abc import Callable, Mapping
from importlib.util import module_from_spec, spec_from_file_location
from types import CodeType, ModuleType
from typing import Any, TypeAlias, TypeGuard

Reply: TypeAlias = "dict[str, object]"
Container: TypeAlias = "dict[object, object] | list[object] | tuple[object, ...]"

CONFINED, LOADED = -1, 0
"""The numbers of the two replies that are sent unasked; that of the first call follows."""
FAULTS = frozenset((
    "manager-not-built", "no-manager-class", "result-not-json", "tool-forbidden",
    "tool-out-of-memory", "tools-do-not-load", "unknown-tool",
))  # fmt: skip
"""The codes of all that can be said of a module; the rest is for the parent to find."""
DEEPEST = 50
LONGEST_INT = 14_000  # bits; Python refuses to read or write an int of more than 4,300 digits


class UnusableError(Exception):
    """There is no usable tools module; the fault is reported to the parent."""

    def __init__(self, code: str, message: str, where: str, hint: str = "") -> None:
        super().__init__(code, message, where, hint)
        self.fault = [code, message, where, hint]


def attempt(action: Callable[[], Any]) -> tuple[Any, BaseException | None]:
    """Return the result of foreign code and None, or None and what it raised."""
    try:
        return action(), None
    except SystemExit:  # a tool that ends its process is reported by the parent as dead
        raise
    # Foreign code may raise anything, and whatever it raises is the answer.
    except BaseException as raised:  # noqa: BLE001 - the one place where foreign code is entered
        return None, raised


class Module:
    """One tools module, loaded from its source."""

    def __init__(self, source: bytes, path: str, *, is_lenient: bool = False) -> None:
        """Load the module and build its manager.

        Where it ``is_lenient``, results are made plain JSON as far as that is clear: not-a-number
        becomes null, and a number of numpy's one of Python's.

        Raises:
            UnusableError: it does not load, or has no manager that is built without arguments.
        """
        self.path = path
        self._is_lenient = is_lenient
        # With a specification, as any imported module has: without one the sandbox would show.
        spec = spec_from_file_location("tools", path)
        self._module = module_from_spec(spec) if spec else ModuleType("tools")
        self._manager = self._build(source)

    def answer_call(
        self, name: str, arguments: Mapping[str, object]
    ) -> tuple[Reply, BaseException | None]:
        """Return the reply to one call, and what was raised if it is a refusal.

        A manager's own dispatcher is asked where it has one, as SOP-Bench does.
        """
        manager = self._manager
        # Even to look for a method may run foreign code, and that may raise anything.
        dispatcher, _ = attempt(lambda: getattr(manager, "process_tool_call", None))
        tool, _ = attempt(lambda: getattr(manager, name, None))
        if callable(dispatcher):
            value, raised = attempt(lambda: dispatcher(name, arguments))
        elif name.startswith("_") or not callable(tool):
            return _make_unknown_tool_reply(manager, name), None
        else:
            value, raised = attempt(lambda: tool(**arguments))
        if raised is not None:
            return {"refusal": [_get_refusal_code(raised), self.format_message(raised)]}, raised
        if self._is_lenient:
            plain, failed = attempt(lambda: _make_plain(value, DEEPEST))
            value = value if failed else plain
        found = _find_flaw(value, "result")
        return ({"value": value} if found is None else _make_not_json_reply(name, found)), None

    def format_message(self, raised: BaseException) -> str:
        """Return the exception's text without the folder's path, which may be new every time."""
        text, _ = attempt(lambda: str(raised))
        folder = self.path.rpartition("/")[0]
        return str(text or "").replace(f"{folder}/", "")

    def _build(self, source: bytes) -> object:
        sys.modules["tools"] = self._module  # where dataclasses look for the names of a class
        code: CodeType | None
        # Without `dont_inherit` the `from __future__` of this file would hold for the module as
        # well, and it would answer differently elsewhere.
        code, raised = attempt(lambda: compile(source, self.path, "exec", dont_inherit=True))
        if code is not None:
            _, raised = attempt(lambda: exec(code, vars(self._module)))  # noqa: S102 - what this is for
        if raised is not None:
            hint = "it has to load alone, with the standard library only"
            raise UnusableError(
                "tools-do-not-load", self._format_title(raised), self._find_place(raised), hint
            ) from raised
        name = _require_manager_name(self._module)
        manager, raised = attempt(getattr(self._module, name))
        if raised is not None:
            message = f"{name}() raised {self._format_title(raised)}"
            hint = "the class is built without arguments and reads records.csv beside its __file__"
            raise UnusableError(
                "manager-not-built", message, self._find_place(raised), hint
            ) from raised
        return manager

    def _format_title(self, raised: BaseException) -> str:
        return f"{type(raised).__name__}: {self.format_message(raised)}".removesuffix(": ")

    def _find_place(self, raised: BaseException) -> str:
        """Return the innermost line of the module that took part: ``tools.py:12``."""
        name = self.path.rpartition("/")[2]
        if isinstance(raised, SyntaxError) and raised.filename == self.path:
            return f"{name}:{raised.lineno}"
        line = find_innermost_line(raised, self.path)
        return f"{name}:{line}" if line else name


def find_innermost_line(raised: BaseException, path: str) -> int:
    """Return the innermost line of a module that took part, 0 if none did."""
    steps = traceback.walk_tb(raised.__traceback__)
    lines = [line for frame, line in steps if frame.f_code.co_filename == path]
    return lines[-1] if lines else 0


def _require_manager_name(module: ModuleType) -> str:
    """Return the first public name that ends in Manager, in alphabetical order."""
    public = [name for name in dir(module) if not name.startswith("_")]
    managers = [name for name in public if name.endswith("Manager")]
    if not managers:
        found = f"no public name ends in Manager; public names are {_join_names(public)}"
        raise UnusableError("no-manager-class", found, "tools.py", "name the class <Domain>Manager")
    return managers[0]


def _make_unknown_tool_reply(manager: object, name: str) -> Reply:
    public = [known for known in dir(type(manager)) if not known.startswith("_")]
    message = f"no tool {name!r}; methods are {_join_names(public)}"
    return {"fault": ["unknown-tool", message, "tools.py", ""]}


def _join_names(names: list[str]) -> str:
    return ", ".join(names) or "none"


def _make_not_json_reply(name: str, found: str) -> Reply:
    hint = "return null, bool, int, finite float, str, and lists and str-keyed dicts of these"
    return {"fault": ["result-not-json", found, f"tools.py, {name}()", hint]}


def _get_refusal_code(raised: BaseException) -> str:
    code, _ = attempt(lambda: getattr(raised, "code", None))
    # Exactly a str: a subclass could do anything where it is written out.
    return code if type(code) is str else type(raised).__name__


def _find_flaw(value: object, where: str, depth: int = 0) -> str | None:
    """Return what keeps a value from being plain JSON, or None; a tuple counts as a list.

    Types count exactly: what a subclass turns into would depend on the encoder.
    """
    if type(value) is dict or type(value) is list or type(value) is tuple:
        if depth == DEEPEST:
            return f"the result is nested deeper than {DEEPEST} levels"
        return _find_inner_flaw(value, where, depth + 1)
    return _find_scalar_flaw(value, where)


def _find_inner_flaw(value: Container, where: str, depth: int) -> str | None:
    odd = [key for key in value if type(key) is not str] if isinstance(value, dict) else []
    if odd:
        return f"{where} has a key of type {type(odd[0]).__name__}"
    steps = value.items() if isinstance(value, dict) else enumerate(value)
    found = (_find_flaw(item, f"{where}[{step!r}]", depth) for step, item in steps)
    return next(filter(None, found), None)


def _make_plain(value: Any, depth: int) -> Any:  # noqa: ANN401 - whatever foreign code returns
    """Return a value as plain JSON where it is that but for its numbers."""
    if type(value) is dict and depth:
        return {key: _make_plain(item, depth - 1) for key, item in value.items()}
    if type(value) in {list, tuple} and depth:
        return [_make_plain(item, depth - 1) for item in value]
    if _is_of_numpy(value) and not getattr(value, "shape", None):
        value = value.item()
    return None if type(value) is float and not math.isfinite(value) else value


def _is_of_numpy(value: object) -> bool:
    return type(value).__module__ == "numpy"


def _find_scalar_flaw(value: object, where: str) -> str | None:
    if type(value) is float or _is_float_of_numpy(value):
        return None if math.isfinite(value) else f"{where} is {value}"
    if type(value) is int:
        return f"{where} is an integer too long" if value.bit_length() > LONGEST_INT else None
    plain = value is None or type(value) is str or type(value) is bool
    return None if plain else f"{where} is of type {type(value).__name__}"


def _is_float_of_numpy(value: object) -> TypeGuard[float]:
    """Return whether a value is numpy's own float, which is one of Python's, and written alike."""
    # Even to look at a class may run foreign code, and that may raise anything.
    found, _ = attempt(lambda: _is_of_numpy(value) and issubclass(type(value), float))
    return found is True
