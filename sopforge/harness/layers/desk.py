"""The desk of a program at a task: what lies before it, and how it reaches the tools."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self, TypeAlias

from sopforge.harness.environment.session import Session
from sopforge.harness.scoring.agents import Call, read_reply
from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.tool_calls import Refused


def _open_nothing(step: str) -> None:
    """Do nothing: who has all of the SOP before him looks for no part of it."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What lies before a program: the SOP, the task in words and as cells, and the tools.

    Before it carries out a step, it consults the SOP on it, by the step's id.
    """

    sop: str
    text: str
    inputs: Mapping[str, str]
    call: Call = field(repr=False)
    tools: Collection[str] = ()
    consult: Callable[[str], None] = field(default=_open_nothing, repr=False)

    def with_call(self, call: Call) -> Self:
        """Return a desk from which the tools are called otherwise."""
        return replace(self, call=call)


Solver: TypeAlias = Callable[[Desk, DomainModel], str]
"""Works at a desk by the rules of a model, and returns the final text."""


def open_desk(session: Session[Any]) -> Desk:
    """Return the desk of a session that has just begun."""
    seen = session.observation

    def call(tool: str, arguments: Mapping[str, Any]) -> Mapping[str, object] | Refused:
        return read_reply(session.call(tool, arguments))

    names = [tool.name for tool in seen.tools]
    return Desk(seen.sop, seen.task.text, seen.task.inputs, call, names)
