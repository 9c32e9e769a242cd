"""What becomes of a case that is taken for another one, worked out with the reference."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from sopforge.harness.layers.ground import Ground
from sopforge.harness.layers.layer import Done
from sopforge.harness.layers.records.register import Cells
from sopforge.harness.layers.stated_cases import read_following_case
from sopforge.harness.scoring.agents import Call
from sopforge.harness.scoring.trajectories import read_answer
from sopforge.harness.users.cells import is_cell
from sopforge.language.logic.tool_calls import Refused
from sopforge.session.layers import CASE, FILE

Resolve: TypeAlias = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]
"""Returns the arguments of a call of a tool as the tools get them."""


class CasePlace(NamedTuple):
    """A case as it comes up: at which task, and as which of its cases.

    One that ``is_decided`` comes to results; a request that is not carried out does not.
    """

    task: str
    number: int
    is_decided: bool = True


class Effect(StrEnum):
    """What comes of a mistaken case."""

    NONE = "none"
    """All is right all the same."""
    UNDECIDED = "undecided"
    """It comes to no answer, so that whoever took it knows that something is wrong."""
    WRONG = "wrong"
    """It comes to an answer, and that or what was done is wrong."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """At a place, other entries are taken than those of the case."""

    ground: Ground
    place: CasePlace
    entries: Cells
    resolve: Resolve

    def assess(self) -> Effect:
        """Return what comes of it."""
        task, outcomes = self.place.task, self.ground.model.outcomes
        stated = self._read_answer(self._work(stops=True))
        if not all(is_cell(item, stated.get(item.name, "")) for item in outcomes):
            return Effect.UNDECIDED
        right = self._read_answer(self.ground.work_right(task))
        if any(stated[item.name] != right.get(item.name) for item in outcomes):
            return Effect.WRONG
        # What was done, or what layers alone ask for, may be wrong.
        is_right = self.ground.is_right(task, self._work(stops=False))
        return Effect.NONE if is_right else Effect.WRONG

    def _read_answer(self, done: Done) -> Mapping[str, str]:
        """Return what is stated at the place."""
        case = self.ground.split(self.place.task, done)[self.place.number]
        return read_answer(case.answer or "")

    def _work(self, *, stops: bool) -> Done:
        """Return what the reference does; it may stop once the case is filed."""
        return self.ground.work(
            self.place.task,
            partial(_MistakenCall, self),
            inputs=None if self.place.number else self.entries,
            until=self.place.number if stops else None,
        )


@dataclass(slots=True)
class _MistakenCall:
    """Makes calls as a session does, and brings other entries at one place."""

    mistake: Mistake
    call: Call
    filed: int = 0

    def __call__(self, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, object] | Refused:
        number = self.mistake.place.number
        reply = self.call(tool, self.mistake.resolve(tool, arguments))
        self.filed += tool == FILE
        case = read_following_case(tool, reply)
        if case is None or isinstance(reply, Refused) or self.filed != number:
            return reply
        return {**reply, CASE: {**case, "entries": self.mistake.entries}}
