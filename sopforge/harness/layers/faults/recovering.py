"""How a program works amid faults: it recovers by the rules that the SOP states."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sopforge.harness.layers.desk import Desk, Solver
from sopforge.harness.layers.dial import Ability
from sopforge.harness.layers.faults.recovery import Health, Recovery
from sopforge.harness.layers.faults.stating import TITLE, read_recovery
from sopforge.harness.layers.text.sections import find_section
from sopforge.harness.scoring.agents import Call
from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.tool_calls import Refused

ENDLESS = 60
"""How often a call is made by somebody who repeats it for ever, until nobody waits any longer."""


@dataclass(frozen=True, slots=True)
class Recovering:
    """Makes calls as a session does, and recovers by the rules, as far as it can.

    ``results`` names what each tool returns. What is returned has the tool's own values alone.
    """

    call: Call
    recovery: Recovery
    results: Mapping[str, Collection[str]]
    lacks: Collection[str] = ()

    def __call__(self, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, object] | Refused:
        if tool not in self.recovery.stand_ins:
            # A tool of another layer, which does not fail.
            return self.call(tool, arguments)
        name, left = tool, self._count_repeats()
        while True:
            reply = self.call(name, arguments)
            health = self._assess(tool, reply)
            if health is Health.SOUND:
                return reply if isinstance(reply, Refused) else self._strip(tool, reply)
            if not left or (health is Health.REPEATABLE and Ability.REPEATING in self.lacks):
                return Refused("given_up", f"{tool} gave no answer that can be used")
            is_turning = health is not Health.REPEATABLE or left == 1
            if is_turning and Ability.TURNING_AWAY not in self.lacks and name == tool:
                name, left = self.recovery.stand_ins[tool], self._count_repeats()
            else:
                left -= 1

    def _count_repeats(self) -> int:
        return ENDLESS if Ability.TURNING_AWAY in self.lacks else self.recovery.repeats + 1

    def _assess(self, tool: str, reply: Mapping[str, Any] | Refused) -> Health:
        if isinstance(reply, Refused):
            return self.recovery.assess_refusal(reply.code)
        health = self.recovery.assess_result(tool, reply, self.results[tool])
        return (
            Health.SOUND if health is Health.UNTRUE and Ability.DOUBTING in self.lacks else health
        )

    def _strip(self, tool: str, reply: Mapping[str, object]) -> Mapping[str, object]:
        """Return a result without its days, which are no values of the case."""
        return {name: value for name, value in reply.items() if name in self.results[tool]}


def work_amid_faults(desk: Desk, model: DomainModel, solve: Solver, lacks: Collection[str]) -> str:
    """Work at a desk at which tools may fail, by the rules that its SOP states."""
    if find_section(desk.sop, TITLE) is None:
        return solve(desk, model)
    tools = model.offered.tools
    results = {name: tuple(tool.results.values()) for name, tool in tools.items()}
    call = Recovering(desk.call, read_recovery(desk.sop), results, lacks)
    return solve(desk.with_call(call), model)
