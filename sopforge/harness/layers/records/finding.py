"""How a program finds a case in the register: by all entries that its task states."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sopforge.harness.layers.desk import Desk, Solver
from sopforge.harness.layers.dial import Ability
from sopforge.harness.layers.records.register import Cells
from sopforge.harness.layers.records.stating import TITLE, SearchRules, read_left_out, read_search
from sopforge.harness.layers.stated_cases import read_following_case
from sopforge.harness.layers.text.sections import find_section
from sopforge.harness.scoring.agents import Call
from sopforge.harness.scoring.trajectories import is_equal
from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.tool_calls import Refused
from sopforge.session.layers import CASE, ENTRY, ROWS, VALUE

_NEARLY = 2
"""In how many entries a row may differ for somebody who does not compare all of them."""


@dataclass(frozen=True, slots=True)
class Finder:
    """Finds cases by the rules, as far as it can."""

    call: Call
    model: DomainModel
    rules: SearchRules
    lacks: Collection[str] = ()

    def complete(self, text: str, entries: Cells) -> Cells:
        """Return the entries of a case with what its text says is to be taken from the register."""
        left_out = read_left_out(text)
        stated = [name for name in self.rules.entries if name in entries]
        for name in stated if left_out else ():
            row = self._choose(self._search(name, entries[name]), stated, entries)
            if row is not None:
                return {**entries, **{item: row[item] for item in left_out}}
        return entries

    def _search(self, name: str, cell: str) -> list[Cells]:
        found = self.call(self.rules.tool, {ENTRY: name, VALUE: cell})
        rows: Any = [] if isinstance(found, Refused) else found[ROWS]
        return list(rows)

    def _choose(self, rows: list[Cells], stated: list[str], entries: Cells) -> Cells | None:
        if Ability.COMPARING in self.lacks:
            return rows[0] if rows else None
        most = _NEARLY if Ability.COMPARING_ALL in self.lacks else 0
        return next((row for row in rows if self._count(row, stated, entries) <= most), None)

    def _count(self, row: Cells, stated: list[str], entries: Cells) -> int:
        """Return in how many stated entries a row differs."""
        fields = self.model.fields
        return sum(not is_equal(fields[name], row[name], entries[name]) for name in stated)


@dataclass(frozen=True, slots=True)
class FindingCall:
    """Makes calls as a session does; cases that come up are found before they are handed on."""

    finder: Finder

    def __call__(self, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, object] | Refused:
        reply = self.finder.call(tool, arguments)
        case = read_following_case(tool, reply)
        if case is None or isinstance(reply, Refused):
            return reply
        return {
            **reply,
            CASE: {**case, "entries": self.finder.complete(case["text"], case["entries"])},
        }


def work_amid_records(desk: Desk, model: DomainModel, solve: Solver, lacks: Collection[str]) -> str:
    """Work at a desk whose cases are found in a register, as its SOP states."""
    if find_section(desk.sop, TITLE) is None:
        return solve(desk, model)
    finder = Finder(desk.call, model, read_search(desk.sop), lacks)
    inputs = finder.complete(desk.text, desk.inputs)
    return solve(replace(desk, call=FindingCall(finder), inputs=inputs), model)
