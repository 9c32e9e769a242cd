"""How a program works through a queue: case by case, by what it remembers of those before."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sopforge.harness.layers.desk import Desk, Solver
from sopforge.harness.layers.dial import Ability
from sopforge.harness.layers.queue.memory import Limits, Memory
from sopforge.harness.layers.queue.plans import QueuePlace
from sopforge.harness.layers.queue.stating import read_notice, read_rules
from sopforge.harness.layers.queue.tallies import Filed, SessionRules
from sopforge.harness.scoring.trajectories import read_answer, write_answer
from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.tool_calls import Refused
from sopforge.session.layers import CASE, FILE, NOTICES, STATEMENT

LAST_PLACES = 1
"""How far back somebody remembers who forgets."""


@dataclass(frozen=True, slots=True)
class QueueWorker:
    """Works through the queue of a desk by the rules of a model and those of sessions."""

    desk: Desk
    limits: Limits
    solve: Solver
    rules: SessionRules
    lacks: Collection[str] = ()

    def work(self) -> str:
        """File each case that comes up, and return what is said at the end."""
        memory = Memory()
        coming: QueuePlace | None = QueuePlace("", self.desk.inputs, self.desk.text)
        while coming is not None:
            memory = self.forget(memory.hear(coming.notices))
            statement, memory = self.decide(memory, coming)
            reply = self.desk.call(FILE, {STATEMENT: statement})
            coming = None if isinstance(reply, Refused) else self.read_coming(reply)
        return "All cases are filed."

    @property
    def model(self) -> DomainModel:
        """The model before any notice."""
        return self.limits.model

    def forget(self, memory: Memory) -> Memory:
        """Return what this program still knows."""
        if Ability.LINKING in self.lacks:
            return memory.keep_last(0)
        return memory.keep_last(LAST_PLACES) if Ability.REMEMBERING in self.lacks else memory

    def decide(self, memory: Memory, coming: QueuePlace) -> tuple[str, Memory]:
        """Return the statement of a case, and what is known once it is filed."""
        # A case that was not found in a register has none.
        key = coming.entries.get(self.model.key, "")
        inputs = memory.complete(coming.entries, key) if coming.is_correction else coming.entries
        if coming.is_correction and any(item.name not in inputs for item in self.model.inputs):
            # Of a case that is not remembered.
            return "", memory
        desk = replace(self.desk, text=coming.text, inputs=inputs)
        statement = self.solve(desk, self.limits.apply(memory))
        stated = read_answer(statement)
        outcomes = {
            item.name: stated[item.name] for item in self.model.outcomes if item.name in stated
        }
        others = memory.list_others(key)
        # A case that is not decided has no results that others could change.
        is_decided = len(outcomes) == len(self.model.outcomes)
        settled = self.rules.settle(Filed(inputs, outcomes), others) if is_decided else outcomes
        case = Filed(inputs, settled)
        counted = self.rules.count(case, others)
        statement = write_answer({**stated, **case.outcomes, **counted})
        return statement, memory.file(key, case)

    def read_coming(self, reply: Mapping[str, Any]) -> QueuePlace | None:
        """Return the case that a reply brings, of a task that nobody says; None where none is."""
        case = reply.get(CASE)
        if case is None:
            return None
        notices = tuple(read_notice(self.model, text) for text in reply[NOTICES])
        return QueuePlace("", case["entries"], case["text"], notices, case["is_correction"])


def work_amid_queue(desk: Desk, model: DomainModel, solve: Solver, lacks: Collection[str]) -> str:
    """Work at a desk to which several cases may come, one after the other."""
    if FILE not in desk.tools:
        return solve(desk, model)
    return QueueWorker(desk, Limits(model), solve, read_rules(desk.sop), lacks).work()
