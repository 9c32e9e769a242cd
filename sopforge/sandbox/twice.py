"""Runs the same calls twice, in processes that share nothing but the code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sopforge.errors import Fault, ToolProcessError
from sopforge.sandbox.answers import Answer, Call
from sopforge.sandbox.process import ToolProcess
from sopforge.sandbox.zygotes import shared

SALTS = (0, 1)
"""Of string hashes: code that leans on the order of a set answers differently."""
_LONGEST = 200


def answers_twice(
    files: Mapping[str, bytes],
    calls: Sequence[Call],
    *,
    time_limit: float,
    in_order: bool = False,
) -> list[Answer]:
    """Return one answer per call, the same in two processes of different hashes.

    The second is asked in reverse, so that answers which depend on earlier calls differ too;
    ``in_order`` asks it as the first, where calls are meant to change what later ones see.

    Raises:
        ToolProcessError: the module misbehaves, or its answers differ.
        SandboxError: this machine cannot confine it as asked for.
    """
    first = _answers(files, calls, time_limit, SALTS[0])
    turn = 1 if in_order else -1
    second = _answers(files, calls[::turn], time_limit, SALTS[1])[::turn]
    for call, one, other in zip(calls, first, second, strict=True):
        if one != other:
            raise ToolProcessError(_unsteady(call, one, other))
    return first


def _answers(
    files: Mapping[str, bytes], calls: Sequence[Call], time_limit: float, salt: int
) -> list[Answer]:
    with ToolProcess(files=files, time_limit=time_limit, zygote=shared(salt)) as tools:
        return tools.call_many(calls)


def _unsteady(call: Call, one: Answer, other: Answer) -> Fault:
    tool, arguments = call
    given = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
    message = (
        f"{tool}({given}) answered {_short(one)} in one process and {_short(other)} in another"
    )
    hint = (
        "no clock, local time or chance, no hash() or id(), no order of a set, no memory of calls"
    )
    return Fault("tools-not-deterministic", message, f"tools.py, {tool}()", hint)


def _short(answer: Answer) -> str:
    text = repr(answer)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
