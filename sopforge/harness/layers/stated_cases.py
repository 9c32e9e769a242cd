"""The cases of a task as an agent is given them: the one it begins with, and those that follow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sopforge.harness.environment.events import Called
from sopforge.harness.environment.shown import ShownTask
from sopforge.harness.layers.layer import Done
from sopforge.language.logic.tool_calls import Refused
from sopforge.sandbox.answers import JSON
from sopforge.session.layers import CASE, FILE, STATEMENT


class StatedCase(NamedTuple):
    """A case that was given, and the text that closed it, None where nothing did.

    A correction has the key of an earlier case, and one entry of it.
    """

    text: str
    entries: Mapping[str, str]
    is_correction: bool
    statement: str | None = None


def get_result(call: Called) -> Mapping[str, JSON]:
    """Return what a call returned, nothing where that is no object."""
    return call.reply.result if isinstance(call.reply.result, dict) else {}


def read_following_case(tool: str, reply: Mapping[str, Any] | Refused) -> Mapping[str, Any] | None:
    """Return the case that the reply to a call brings, None where it brings none."""
    if tool != FILE or isinstance(reply, Refused):
        return None
    found = reply.get(CASE)
    return found if isinstance(found, Mapping) else None


def list_stated_cases(task: ShownTask, done: Done) -> list[StatedCase]:
    """Return the cases that came up in what was done at a task, in their order."""
    found: list[StatedCase] = []
    coming: StatedCase | None = StatedCase(task.text, task.inputs, is_correction=False)
    for event in done.events:
        if not isinstance(event, Called) or event.tool != FILE or event.reply.refusal:
            continue
        if coming is not None:
            found.append(coming._replace(statement=str(event.arguments[STATEMENT])))
        case = read_following_case(FILE, get_result(event))
        coming = (
            None
            if case is None
            else StatedCase(case["text"], case["entries"], case["is_correction"])
        )
    return found if coming is None else [*found, coming._replace(statement=done.answer)]
