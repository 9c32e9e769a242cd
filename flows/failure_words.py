"""How a flow fails: with what was found and what to do, in words, as the message of its state."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import ParamSpec

from prefect import get_run_logger
from prefect.client.schemas.objects import State
from prefect.states import Failed

from sopforge.errors import Fault, SopForgeError, describe_system_error

Given = ParamSpec("Given")


def report_failure(
    function: Callable[Given, State[None]],
) -> Callable[Given, State[None]]:
    """Have a flow return a failed state where a person can act on what went wrong.

    Of an exception that is raised Prefect shows the name of its class first. What is no fault of
    the material or the machine is raised as it is: its traceback belongs into the log.
    """

    @wraps(function)
    def run_and_report(*given: Given.args, **named: Given.kwargs) -> State[None]:
        try:
            return function(*given, **named)
        except (SopForgeError, OSError) as refused:
            said = describe_failure(refused)
            get_run_logger().error("%s", said)
            return Failed(message=said)

    # Prefect reads the parameters' types where this module's names are known, not the flow's.
    setattr(run_and_report, "__signature__", signature(function, eval_str=True))  # noqa: B010 - mypy's
    return run_and_report


def describe_failure(refused: SopForgeError | OSError) -> str:
    """Return what went wrong in words, each fault with its place, its code and what to do."""
    if isinstance(refused, SopForgeError):
        return "\n".join(map(describe_fault, refused.faults))
    reason, _ = describe_system_error(refused)
    reason = reason or "the machine refused"
    return f"{reason}: {refused.filename}" if refused.filename else reason


def describe_fault(fault: Fault) -> str:
    """Return a fault that begins with its message."""
    place = f"{fault.where}, " if fault.where else ""
    advice = f"\n  hint: {fault.hint}" if fault.hint else ""
    return f"{fault.message} ({place}{fault.code}){advice}"
