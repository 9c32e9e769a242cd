"""Runs the same calls twice, in processes that share nothing but the code."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sopforge.errors import Fault, ToolProcessError
from sopforge.sandbox.answers import Answer, Call
from sopforge.sandbox.levels import Level, read_chosen_level
from sopforge.sandbox.process import ToolProcess
from sopforge.sandbox.zygotes import NO_LIBRARIES, Zygote, get_shared_zygote

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


def ask_twice(
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
    first = asking.collect_answers(SALTS[0])
    try:
        second = asking.collect_answers(SALTS[1], is_turned=True, is_plain=True)
    # Asked once more inside: chance shows there too, and what hangs on the plain run does not.
    except ToolProcessError as cause:
        asking.require_same(first, asking.collect_answers(SALTS[1], is_turned=True))
        raise ToolProcessError(_make_plain_run_fault(cause.faults[0])) from cause
    if first != second:
        asking.require_same(first, asking.collect_answers(SALTS[1], is_turned=True))
        raise ToolProcessError(make_outside_fault(*asking.find_difference(first, second)))
    return first


def choose_plain_level(zygote: Zygote, level: Level) -> Level | None:
    """Return the strongest level that has a folder, for a plain run where a level is asked for.

    None where only Landlock would confine a process to its folder, and there is none.
    """
    if level is Level.LIMITS:
        return level
    return Level.KERNEL if zygote.landlock else None


def open_process(
    files: Mapping[str, bytes],
    salt: int,
    *,
    time_limit: float,
    is_plain: bool = False,
    libraries: frozenset[str] = NO_LIBRARIES,
) -> ToolProcess:
    """Return a process of a salt; a plain run where that is wanted and can be confined."""
    zygote = get_shared_zygote(salt, libraries)
    level = choose_plain_level(zygote, read_chosen_level()) if is_plain else None
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

    def collect_answers(
        self, salt: int, *, is_turned: bool = False, is_plain: bool = False
    ) -> list[Answer]:
        """Return one answer per call, in the order of the calls however they were asked."""
        turn = self._turn if is_turned else 1
        with open_process(
            self._files, salt, time_limit=self._time_limit, is_plain=is_plain
        ) as tools:
            return tools.call_many(self._calls[::turn])[::turn]

    def require_same(self, first: Sequence[Answer], second: Sequence[Answer]) -> None:
        """Raise ToolProcessError with the first call that has two different answers."""
        if first != second:
            raise ToolProcessError(_make_unsteady_fault(*self.find_difference(first, second)))

    def find_difference(
        self, first: Sequence[Answer], second: Sequence[Answer]
    ) -> tuple[Call, Answer, Answer]:
        """Return the first call that has two different answers, with both."""
        pairs = zip(self._calls, first, second, strict=True)
        return next(found for found in pairs if found[1] != found[2])


def _make_unsteady_fault(call: Call, one: Answer, other: Answer) -> Fault:
    first, second = _shorten_answer(one), _shorten_answer(other)
    message = f"{_format_call(call)} answered {first} in one process and {second} in another"
    hint = (
        "use no clock, local time or chance, no hash() or id(), no order of a set, no memory of "
        "calls"
    )
    return Fault("tools-not-deterministic", message, f"tools.py, {call[0]}()", hint)


def make_outside_fault(call: Call, one: Answer, other: Answer) -> Fault:
    """Return the fault of a call that a plain run answers differently from the sandbox."""
    first, second = _shorten_answer(one), _shorten_answer(other)
    message = f"{_format_call(call)} answered {first} in the sandbox and {second} {_PLAIN}"
    return Fault("tools-differ-outside", message, f"tools.py, {call[0]}()", _OUTSIDE_HINT)


def _make_plain_run_fault(fault: Fault) -> Fault:
    message = f"every call is answered in the sandbox, but {_PLAIN}: {fault.message}"
    return Fault("tools-differ-outside", message, fault.where, _OUTSIDE_HINT)


def _format_call(call: Call) -> str:
    tool, arguments = call
    return f"{tool}({', '.join(f'{name}={value!r}' for name, value in arguments.items())})"


def _shorten_answer(answer: Answer) -> str:
    text = _DRAWN.sub("tmp...", repr(answer))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
