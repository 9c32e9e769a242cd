"""What an agent comes to that follows the procedure with other entries, or yields to a user.

The model answers the calls, as it answers those of the gold trajectory: what a user's manner would
bring about is worked out before it is used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any

from sopforge.harness.environment.machine import Environment
from sopforge.harness.environment.session import open_session
from sopforge.harness.scoring.agents import read_reply
from sopforge.harness.scoring.trajectories import AgentCall, Trajectory, read_answer
from sopforge.harness.users.cells import is_cell
from sopforge.harness.users.pliant import FIRM, PliantAgent, Yielding
from sopforge.language.domain.expressions.expressions import collect_all_read_fields
from sopforge.language.domain.model import DomainModel, ToolKind
from sopforge.language.domain.rules import collect_decision_inputs
from sopforge.language.domain.tasks import Task
from sopforge.language.domain.values.malformed_inputs import find_marked_field
from sopforge.language.logic.tool_calls import Refused
from sopforge.seeds import permute_items

_TRIED = 4
"""How many other values of an entry are tried before nothing is said to depend on it."""
_MOST = 6
"""How many other values of an entry are drawn at all."""


@dataclass(frozen=True)
class Rehearsal:
    """The tasks of a package, its model, and the environment in which that answers."""

    model: DomainModel
    tasks: Mapping[str, Task]
    environment: Environment[Any]
    kept: dict[str, Trajectory] = field(default_factory=dict, repr=False)
    """What the procedure does with the tasks that were asked for so far."""

    def run(self, task: str, entries: Mapping[str, str], yielding: Yielding = FIRM) -> Trajectory:
        """Return what is done and answered with some entries."""
        session = open_session(self.environment, task)

        def call(tool: str, arguments: Mapping[str, Any]) -> Mapping[str, object] | Refused:
            return read_reply(session.call(tool, arguments))

        return PliantAgent(self.model, yielding).solve(entries, call)

    def run_gold(self, task: str) -> Trajectory:
        """Return what the procedure does with the entries that a task states."""
        if task not in self.kept:
            self.kept[task] = self.run(task, self.tasks[task].inputs)
        return self.kept[task]

    def has_failed(self, task: str, done: Trajectory) -> bool:
        """Return whether a trajectory is wrong: its outcomes, or what it did to tables."""
        gold = self.run_gold(task)
        if self.list_outcomes(done) != self.list_outcomes(gold):
            return True
        if self.model.operations is None:
            return False
        lacking = _count(gold.calls) - _count(done.calls)
        return bool(lacking) or _count(self.list_writes(gold)) != _count(self.list_writes(done))

    def list_outcomes(self, done: Trajectory) -> list[str | None]:
        """Return the outcomes that a trajectory states."""
        stated = read_answer(done.answer)
        return [stated.get(item.name) for item in self.model.outcomes]

    def is_finished(self, done: Trajectory) -> bool:
        """Return whether a trajectory comes to a value for every outcome."""
        found = zip(self.model.outcomes, self.list_outcomes(done), strict=True)
        return all(cell is not None and is_cell(item, cell) for item, cell in found)

    def list_writes(self, done: Trajectory) -> list[AgentCall]:
        """Return the actions that were carried out."""
        return [call for call in done.calls if not call.refusal and self.is_acting(call.tool)]

    def is_acting(self, tool: str) -> bool:
        """Return whether a tool, as it is offered, is an action."""
        return self.model.offered.tools[tool].kind is ToolKind.ACTION

    def is_needed(self, task: str, entries: Mapping[str, str], name: str) -> bool:
        """Return whether nobody can act, or decide where there is nothing to do, without an entry.

        With the value that it has in some other task, the first action or what is called before it
        is another one; where no action is carried out, a call or an outcome is.
        """
        base = self.run(task, entries)
        return any(
            self.is_other_before_write(base, self.run(task, {**entries, name: cell}))
            for cell in self.draw_other_cells(task, name)[:_TRIED]
        )

    def is_other_before_write(self, base: Trajectory, other: Trajectory) -> bool:
        """Return whether two differ up to the first action, or at all where there is none."""
        if self.list_until_write(base) != self.list_until_write(other):
            return True
        return not self.list_writes(base) and self.list_outcomes(base) != self.list_outcomes(other)

    @cached_property
    def read_entries(self) -> frozenset[str]:
        """The entries that some call takes, or some rule reads."""
        model = self.model
        taken = (model.tools[name].takes for name in model.called)
        read = (collect_decision_inputs(decision) for decision in model.decisions.values())
        tests = [edge.when for step in model.steps.values() for edge in step.edges if edge.when]
        named = chain(*taken, *read, collect_all_read_fields(tests))
        return frozenset(find_marked_field(name) or name for name in named)

    def draw_other_cells(self, task: str, name: str) -> list[str]:
        """Return the values that an entry has in other tasks, each once, in drawn order.

        There are none of an entry that nothing reads.
        """
        if name not in self.read_entries:
            return []
        own = self.tasks[task].inputs[name]
        cells = sorted({item.inputs[name] for item in self.tasks.values()} - {own})
        return permute_items(cells, 0, "other", task, name)[:_MOST]

    def list_until_write(self, done: Trajectory) -> Sequence[AgentCall]:
        """Return the calls up to the first action that was carried out, with it."""
        for place, call in enumerate(done.calls):
            if not call.refusal and self.is_acting(call.tool):
                return done.calls[: place + 1]
        return done.calls


def _count(calls: Sequence[AgentCall]) -> Counter[str]:
    return Counter(
        f"{call.tool} {sorted(call.arguments.items())!r} {call.refusal}" for call in calls
    )
