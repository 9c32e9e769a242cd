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
from sopforge.harness.users.acts import Act, ActKind, collect_entries, collect_first_entries
from sopforge.harness.users.listening import Listener
from sopforge.harness.users.pliant import LEFT_OUT
from sopforge.harness.users.speaking import Speech
from sopforge.harness.users.words import load_words
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.tool_calls import Refused
from sopforge.session.layers import CASE, FILE, REPLY, TEXT


@dataclass
class Conversation:
    """Makes calls as a session does; of each case that comes up the requester is asked first."""

    call: Call
    model: DomainModel
    tool: str
    lacks: Collection[str] = ()
    acts: tuple[Act, ...] = ()
    entries: Mapping[str, str] = field(default_factory=dict)

    def hear(self, text: str, stated: Mapping[str, str]) -> Mapping[str, str]:
        """Return the entries of a case that has come up: as stated, and as its requester says."""
        listener = Listener(Speech(self.model, load_words()))
        self.acts = listener.listen(text, self._say, stated)
        if Ability.HEARING_OUT in self.lacks:
            self.entries = {**collect_first_entries(self.acts), **stated}
        else:
            self.entries = {**stated, **collect_entries(self.acts)}
        return self.entries

    def _say(self, text: str) -> str:
        reply = self.call(self.tool, {TEXT: text})
        return "" if isinstance(reply, Refused) else str(reply[REPLY])

    def __call__(self, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, object] | Refused:
        """Return what a call is answered, as far as it is made and believed."""
        if tool in self._list_left_out():
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
            self.acts = ()
        else:
            entries = self.hear(case["text"], entries)
        return {**reply, CASE: {**case, "entries": entries}}

    def carry_out(self) -> None:
        """Carry out what was demanded of the case, if it is yielded to."""
        if Ability.STANDING_FIRM not in self.lacks:
            return
        for act in self.acts:
            takes = self.model.tools[act.about].takes if act.kind is ActKind.WRITE else ()
            # Nobody carries out what he has not all arguments for.
            if takes and set(takes) <= self.entries.keys():
                given = {name: self._parse(name) for name in takes}
                CalledTools(self.model, self.call)(self.model.tools[act.about], given)

    def _parse(self, name: str) -> Any:  # noqa: ANN401 - a value of any type
        return self.model.fields[name].parse(self.entries[name])

    def _list_left_out(self) -> set[str]:
        """Return the tools that are not called, as they are offered."""
        if Ability.STANDING_FIRM not in self.lacks:
            return set()
        tools = self.model.tools
        return {tools[act.about].offered_name for act in self.acts if act.kind is ActKind.SKIP}

    def _list_believed(self, tool: str, reply: Mapping[str, object]) -> Mapping[str, object]:
        """Return what the requester claims of a result, if it is believed."""
        if Ability.GOING_BY_RECORDS not in self.lacks:
            return {}
        claimed = {act.about: act.value for act in self.acts if act.kind is ActKind.CLAIM}
        results = [
            pair
            for item in self.model.tools.values()
            if item.offered_name == tool
            for pair in item.results.items()
        ]
        return {
            result: _as_json(self.model.fields[name], claimed[name])
            for name, result in results
            if name in claimed and result in reply
        }


def _as_json(item: Field, cell: str) -> object:
    return item.as_json(item.parse(cell))


def work_amid_user(desk: Desk, model: DomainModel, solve: Solver, lacks: Collection[str]) -> str:
    """Work at a desk whose cases have requesters, by the rules that its SOP states."""
    if find_section(desk.sop, TITLE) is None:
        return solve(desk, model)
    talk = Conversation(desk.call, model, read_requester(desk.sop), lacks)
    inputs = talk.hear(desk.text, desk.inputs)
    answer = solve(replace(desk, call=talk, inputs=inputs), model)
    talk.carry_out()
    return answer
