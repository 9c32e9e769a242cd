"""What a layer is put around, as whoever makes it sees it: tasks, sessions and what is right."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from sopforge.dataset.records import Row
from sopforge.domain.model import DomainModel
from sopforge.environment.events import Called
from sopforge.environment.machine import Environment
from sopforge.environment.session import open_session
from sopforge.environment.shown import Shown
from sopforge.layers.desk import Solver, open_desk
from sopforge.layers.layer import Done
from sopforge.logic.tool_calls import Refused

Tamper: TypeAlias = Callable[[str, Mapping[str, Any], Mapping[str, object]], Mapping[str, object]]
"""Returns what a call of a tool with some arguments returns, in the place of its result."""


@dataclass(frozen=True)
class Ground:
    """A package with the layers so far, in an environment in which its model answers.

    ``rows`` has the case of each plain task, ``solve`` is the reference agent, and ``is_right``
    grades what was done at a task. ``split`` tells the cases of a session apart; of each, ``paths``
    has what it has in common with others of its kind.
    """

    model: DomainModel
    environment: Environment[Any]
    paths: Mapping[str, Sequence[str]]
    rows: Mapping[str, Row]
    solve: Solver
    is_right: Callable[[str, Done], bool]
    split: Callable[[str, Done], Sequence[Done]]
    kept: dict[str, Done] = field(default_factory=dict, repr=False)

    @property
    def shown(self) -> Shown:
        """What agents may see."""
        return self.environment.shown

    def work(self, task: str, tamper: Tamper | None = None) -> Done:
        """Return what the reference does at a task, results being tampered with if asked for."""
        session = open_session(self.environment, task)
        desk = open_desk(session)

        def call(tool: str, arguments: Mapping[str, Any]) -> Mapping[str, object] | Refused:
            found = desk.call(tool, arguments)
            return (
                found
                if tamper is None or isinstance(found, Refused)
                else tamper(tool, arguments, found)
            )

        answer = self.solve(desk.with_call(call), self.model)
        return Done(session.state.events, answer)

    def work_right(self, task: str) -> Done:
        """Return what the reference does at a task."""
        if task not in self.kept:
            self.kept[task] = self.work(task)
        return self.kept[task]

    def list_calls(self, task: str) -> list[list[Called]]:
        """Return for each case of a task the calls of the reference that are not refused."""
        return [
            [item for item in case.events if isinstance(item, Called) and not item.reply.refusal]
            for case in self.split(task, self.work_right(task))
        ]
