"""Runs the same calls twice, in processes that share nothing but the code."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sopforge.errors import Fault, ToolProcessError
from sopforge.sandbox.answers import Answer, Call
from sopforge.sandbox.levels import Level, chosen_level
from sopforge.sandbox.process import ToolProcess
from sopforge.sandbox.zygotes import Zygote, shared

SALTS = (0, 1)
"""Of string hashes: code that leans on the order of a set answers differently."""
_LONGEST = 200
_DRAWN = re.compile(r"\btmp[a-z0-9_]{8}\b")
"""A part of a path that is another each time, which no finding may show."""
_PLAIN = "in a plain run from a folder"
_OUTSIDE_HINT = (
    "answer from the arguments and the records beside __file__ alone: not by the path, the working"
    " directory, the environment or how Python was started"
)


def answers_twice(
    files: Mapping[str, bytes],
    calls: Sequence[Call],
    *,
    time_limit: float,
    in_order: bool = False,
) -> list[Answer]:
    """Return one answer per call, the same in two processes of different hashes.

    The second is asked in reverse, so that answers which depend on earlier calls differ too;
    ``in_order`` asks it as the first, where calls are meant to change what later ones see. The
    second also looks like a plain run, where that can be confined.

    Raises:
        ToolProcessError: the module misbehaves, or its answers differ.
        SandboxError: this machine cannot confine it as asked for.
    """
    asking = _Asking(files, calls, time_limit, in_order=in_order)
    first = asking.answers(SALTS[0])
    try:
        second = asking.answers(SALTS[1], is_turned=True, is_plain=True)
    except ToolProcessError as cause:
        asking.require_same(first, asking.answers(SALTS[1], is_turned=True))
        raise ToolProcessError(_otherwise_outside(cause.faults[0])) from cause
    if first != second:
        asking.require_same(first, asking.answers(SALTS[1], is_turned=True))
        raise ToolProcessError(difference_outside(*asking.difference(first, second)))
    return first


def plain_level(zygote: Zygote, level: Level) -> Level | None:
    """Return the strongest level that has a folder, for a plain run where a level is asked for.

    None where only Landlock would confine a process to its folder, and there is none.
    """
    if level is Level.LIMITS:
        return level
    return Level.KERNEL if zygote.landlock else None


def opened(
    files: Mapping[str, bytes], salt: int, *, time_limit: float, is_plain: bool = False
) -> ToolProcess:
    """Return a process of a salt; a plain run where that is wanted and can be confined."""
    zygote = shared(salt)
    level = plain_level(zygote, chosen_level()) if is_plain else None
    return ToolProcess(
        files=files, time_limit=time_limit, zygote=zygote, level=level, is_plain=level is not None
    )


class _Asking:
    """The same calls, to be asked of several processes."""

    def __init__(
        self,
        files: Mapping[str, bytes],
        calls: Sequence[Call],
        time_limit: float,
        *,
        in_order: bool,
    ) -> None:
        self._files, self._calls, self._time_limit = files, calls, time_limit
        self._turn = 1 if in_order else -1

    def answers(
        self, salt: int, *, is_turned: bool = False, is_plain: bool = False
    ) -> list[Answer]:
        """Return one answer per call, in the order of the calls however they were asked."""
        turn = self._turn if is_turned else 1
        with opened(self._files, salt, time_limit=self._time_limit, is_plain=is_plain) as tools:
            return tools.call_many(self._calls[::turn])[::turn]

    def require_same(self, first: Sequence[Answer], second: Sequence[Answer]) -> None:
        """Raise ToolProcessError with the first call that is answered in two ways."""
        if first != second:
            raise ToolProcessError(_unsteady(*self.difference(first, second)))

    def difference(
        self, first: Sequence[Answer], second: Sequence[Answer]
    ) -> tuple[Call, Answer, Answer]:
        """Return the first call that is answered in two ways, with both answers."""
        pairs = zip(self._calls, first, second, strict=True)
        return next(found for found in pairs if found[1] != found[2])


def _unsteady(call: Call, one: Answer, other: Answer) -> Fault:
    message = f"{_asked(call)} answered {_short(one)} in one process and {_short(other)} in another"
    hint = (
        "no clock, local time or chance, no hash() or id(), no order of a set, no memory of calls"
    )
    return Fault("tools-not-deterministic", message, f"tools.py, {call[0]}()", hint)


def difference_outside(call: Call, one: Answer, other: Answer) -> Fault:
    """Return the fault of a call that a plain run answers otherwise than the sandbox."""
    message = f"{_asked(call)} answered {_short(one)} in the sandbox and {_short(other)} {_PLAIN}"
    return Fault("tools-differ-outside", message, f"tools.py, {call[0]}()", _OUTSIDE_HINT)


def _otherwise_outside(fault: Fault) -> Fault:
    message = f"every call is answered in the sandbox, but {_PLAIN}: {fault.message}"
    return Fault("tools-differ-outside", message, fault.where, _OUTSIDE_HINT)


def _asked(call: Call) -> str:
    tool, arguments = call
    return f"{tool}({', '.join(f'{name}={value!r}' for name, value in arguments.items())})"


def _short(answer: Answer) -> str:
    text = _DRAWN.sub("tmp...", repr(answer))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
