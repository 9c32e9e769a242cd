"""How a program enters results on file: it looks, and does what the rules ask for."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sopforge.harness.layers.desk import Desk, Solver
from sopforge.harness.layers.dial import Ability
from sopforge.harness.layers.stated_cases import read_following_case
from sopforge.harness.layers.text.sections import find_section
from sopforge.harness.layers.writes.filed import read_status
from sopforge.harness.layers.writes.rules import (
    FILE_NUMBER,
    FREE,
    TAKES,
    Act,
    FilingRules,
    Status,
    iterate_acts,
)
from sopforge.harness.layers.writes.stating import TITLE, read_filing
from sopforge.harness.scoring.agents import Call
from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.tool_calls import Refused
from sopforge.session.layers import FILE, STATEMENT


@dataclass(frozen=True, slots=True)
class Clerk:
    """Enters results by the rules, as far as it can."""

    call: Call
    rules: FilingRules
    lacks: Collection[str] = ()

    def enter(self, number: str, statement: str) -> None:
        """Enter the results of a statement on a file."""
        for act, values in iterate_acts(self.rules, self._look(number), statement):
            for _ in range(2 if act is Act.ENTER and Ability.WRITING_ONCE in self.lacks else 1):
                given = dict(zip(TAKES[act], values, strict=True))
                self.call(self.rules.tools[act], {FILE_NUMBER: number, **given})

    def _look(self, number: str) -> Status:
        if Ability.LOOKING_FIRST in self.lacks:
            return FREE
        found = self.call(self.rules.tools[Act.LOOK], {FILE_NUMBER: number})
        return FREE if isinstance(found, Refused) else read_status(found)


@dataclass(slots=True)
class FilingCall:
    """Makes calls as a session does; the results of a case are entered before it is filed.

    ``number`` is that of the case that is open.
    """

    call: Call
    clerk: Clerk
    key: str
    number: str

    def __call__(self, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, object] | Refused:
        if tool == FILE:
            self.clerk.enter(self.number, arguments[STATEMENT])
        reply = self.call(tool, arguments)
        case = read_following_case(tool, reply)
        self.number = self.number if case is None else case["entries"].get(self.key, "")
        return reply


def work_amid_writes(desk: Desk, model: DomainModel, solve: Solver, lacks: Collection[str]) -> str:
    """Work at a desk at which results are entered on file, by the rules that its SOP states."""
    if find_section(desk.sop, TITLE) is None:
        return solve(desk, model)
    clerk = Clerk(desk.call, read_filing(desk.sop), lacks)
    number = desk.inputs.get(model.key, "")
    if FILE in desk.tools:
        call = FilingCall(desk.call, clerk, model.key, number)
        return solve(replace(desk, call=call), model)
    statement = solve(desk, model)
    clerk.enter(number, statement)
    return statement
