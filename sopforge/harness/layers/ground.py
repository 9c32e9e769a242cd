"""What a layer is put around, as whoever makes it sees it: tasks, sessions and what is right."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from sopforge.harness.environment.events import Called
from sopforge.harness.environment.machine import Environment
from sopforge.harness.environment.session import open_session
from sopforge.harness.environment.shown import Shown
from sopforge.harness.layers.desk import Solver, open_desk
from sopforge.harness.layers.layer import Done
from sopforge.harness.layers.own_rules import list_writes
from sopforge.harness.scoring.trajectories import read_answer
from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.tool_calls import Refused
from sopforge.proof.dataset.records import Row


class _DoneWithCaseError(Exception):
    """The case that is asked for is over."""


Tamper: TypeAlias = Callable[[str, Mapping[str, Any], Mapping[str, object]], Mapping[str, object]]
"""Returns what a call of a tool with some arguments returns, in the place of its result."""


@dataclass(frozen=True)
class Ground:
    """A package with the layers so far, in an environment in which its model answers.

    ``rows`` has the case with which each task begins, ``kinds`` of what kind layers made it, and
    ``published`` the cases of all plain tasks, whether or not they come up. ``solve`` is the
    reference agent, and ``is_right`` grades what was done at a task. ``split`` keeps the cases of a
    session apart; of each, ``paths`` has what it has in common with others of its kind.
    """

    model: DomainModel
    environment: Environment[Any]
    paths: Mapping[str, Sequence[str]]
    rows: Mapping[str, Row]
    kinds: Mapping[str, str]
    solve: Solver
    is_right: Callable[[str, Done], bool]
    split: Callable[[str, Done], Sequence[Done]]
    published: Sequence[Row] = ()
    kept: dict[str, Done] = field(default_factory=dict, repr=False)

    @property
    def shown(self) -> Shown:
        """What agents may see."""
        return self.environment.shown

    def work(
        self,
        task: str,
        tamper: Tamper | None = None,
        inputs: Mapping[str, str] | None = None,
        until: int | None = None,
    ) -> Done:
        """Return what the reference does at a task, with results or inputs changed if asked for.

        It stops once it is done with the case of a number, if one is named.
        """
        if len(self.paths[task]) == 1:
            until = None
        session = open_session(self.environment, task)
        desk = open_desk(session)
        desk = desk if inputs is None else replace(desk, inputs=inputs)

        def call(tool: str, arguments: Mapping[str, Any]) -> Mapping[str, object] | Refused:
            found = desk.call(tool, arguments)
            if until is not None and len(self.split(task, Done(session.state.events))) > until:
                raise _DoneWithCaseError
            if tamper is None or isinstance(found, Refused):
                return found
            return tamper(tool, arguments, found)

        try:
            answer = self.solve(desk.with_call(call), self.model)
        except _DoneWithCaseError:
            answer = ""
        return Done(session.state.events, answer)

    def work_right(self, task: str) -> Done:
        """Return what the reference does at a task."""
        if task not in self.kept:
            self.kept[task] = self.work(task)
        return self.kept[task]

    def is_other(self, task: str, number: int, done: Done) -> bool:
        """Return whether the case of a number came to other results or changes than is right."""
        here, right = (self.split(task, item) for item in (done, self.work_right(task)))
        if len(here) <= number:
            return True
        return self._describe(here[number]) != self._describe(right[number])

    def _describe(self, case: Done) -> tuple[object, ...]:
        called = [item for item in case.events if isinstance(item, Called)]
        stated = read_answer(case.answer or "")
        outcomes = [stated.get(item.name) for item in self.model.outcomes]
        return outcomes, list_writes(self.model, called)

    def list_calls(self, task: str) -> list[list[Called]]:
        """Return for each case of a task the calls of the reference that are not refused."""
        return [
            [item for item in case.events if isinstance(item, Called) and not item.reply.refusal]
            for case in self.split(task, self.work_right(task))
        ]
