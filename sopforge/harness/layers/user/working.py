"""How a program works with a requester: it asks for what is lacking, and goes by the rules."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sopforge.harness.layers.desk import Desk, Solver
from sopforge.harness.layers.dial import Ability
from sopforge.harness.layers.stated_cases import read_following_case
from sopforge.harness.layers.text.sections import find_section
from sopforge.harness.layers.user.stating import TITLE, read_requester
from sopforge.harness.scoring.agents import Call, CalledTools
from sopforge.harness.users.listening import Listener
from sopforge.harness.users.manners import Manner
from sopforge.harness.users.pliant import FIRM, LEFT_OUT, Yielding
from sopforge.harness.users.speaking import Speech
from sopforge.harness.users.words import load_words
from sopforge.harness.users.yielding import take_acts
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.tool_calls import Refused
from sopforge.session.layers import CASE, FILE, REPLY, TEXT

YIELDS: Mapping[Ability, Manner] = {
    Ability.HEARING_OUT: Manner.CHANGES,
    Ability.GOING_BY_RECORDS: Manner.CLAIMS,
    Ability.STANDING_FIRM: Manner.DEMANDS,
}
"""To which manner somebody yields who lacks an ability."""


@dataclass
class Conversation:
    """Makes calls as a session does; of each case that comes up the requester is asked first."""

    call: Call
    model: DomainModel
    tool: str
    manners: Collection[Manner] = ()
    yielding: Yielding = FIRM
    entries: Mapping[str, str] = field(default_factory=dict)

    def hear(self, text: str, stated: Mapping[str, str]) -> Mapping[str, str]:
        """Return the entries of a case that has come up: as stated, and as its requester says."""
        listener = Listener(Speech(self.model, load_words()))
        heard, self.yielding = take_acts(listener.listen(text, self._say, stated), self.manners)
        is_first = Manner.CHANGES in self.manners
        self.entries = {**heard, **stated} if is_first else {**stated, **heard}
        return self.entries

    def _say(self, text: str) -> str:
        reply = self.call(self.tool, {TEXT: text})
        return "" if isinstance(reply, Refused) else str(reply[REPLY])

    def __call__(self, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, object] | Refused:
        """Return what a call is answered, as far as it is made and believed."""
        tools = self.model.tools
        if tool in {tools[name].offered_name for name in self.yielding.skipped}:
            return Refused(LEFT_OUT, "it was left out")
        if tool == FILE:
            self.carry_out()
        reply = self.call(tool, arguments)
        if isinstance(reply, Refused):
            return reply
        case = read_following_case(tool, reply)
        if case is None:
            return {**reply, **self._list_believed(tool, reply)}
        entries = case["entries"]
        if case["is_correction"]:
            self.yielding = FIRM
        else:
            entries = self.hear(case["text"], entries)
        return {**reply, CASE: {**case, "entries": entries}}

    def carry_out(self) -> None:
        """Carry out what was demanded of the case, if it is yielded to."""
        for tool in (self.model.tools[name] for name in self.yielding.written):
            # Nobody carries out what he has not all arguments for.
            if tool.takes and set(tool.takes) <= self.entries.keys():
                given = {name: self._parse(name) for name in tool.takes}
                CalledTools(self.model, self.call)(tool, given)

    def _parse(self, name: str) -> Any:  # noqa: ANN401 - a value of any type
        return self.model.fields[name].parse(self.entries[name])

    def _list_believed(self, tool: str, reply: Mapping[str, object]) -> Mapping[str, object]:
        """Return what the requester claims of a result, if it is believed."""
        believed = self.yielding.believed
        results = [
            pair
            for item in self.model.tools.values()
            if item.offered_name == tool
            for pair in item.results.items()
        ]
        return {
            result: _as_json(self.model.fields[name], believed[name])
            for name, result in results
            if name in believed and result in reply
        }


def _as_json(item: Field, cell: str) -> object:
    return item.as_json(item.parse(cell))


def work_amid_user(desk: Desk, model: DomainModel, solve: Solver, lacks: Collection[str]) -> str:
    """Work at a desk whose cases have requesters, by the rules that its SOP states."""
    if find_section(desk.sop, TITLE) is None:
        return solve(desk, model)
    manners = [manner for ability, manner in YIELDS.items() if ability in lacks]
    talk = Conversation(desk.call, model, read_requester(desk.sop), manners)
    inputs = talk.hear(desk.text, desk.inputs)
    answer = solve(replace(desk, call=talk, inputs=inputs), model)
    talk.carry_out()
    return answer
