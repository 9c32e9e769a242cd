"""What a layer is put around, as whoever makes it sees it: tasks, sessions and what is right."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self, TypeAlias

from sopforge.harness.environment.events import Called
from sopforge.harness.environment.machine import Environment
from sopforge.harness.environment.session import open_session
from sopforge.harness.environment.shown import Shown
from sopforge.harness.grading.grades import Attempt, Stop
from sopforge.harness.layers.desk import Solver, open_desk
from sopforge.harness.layers.layer import Done
from sopforge.harness.layers.layered import Cases
from sopforge.harness.layers.own_rules import list_writes
from sopforge.harness.layers.plain import PlainCases
from sopforge.harness.scoring.agents import Call
from sopforge.harness.scoring.trajectories import read_answer
from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.tool_calls import Refused
from sopforge.proof.dataset.records import Row


class _DoneWithCaseError(Exception):
    """The case that is asked for is over."""


Wrap: TypeAlias = Callable[[Call], Call]
"""Returns what is called in the place of the tools."""


@dataclass(frozen=True)
class Ground:
    """A package with the layers so far, in an environment in which its model answers.

    ``core`` has its plain tasks, and ``solve`` is the reference agent.
    """

    core: PlainCases
    cases: Cases
    solve: Solver
    kept: dict[str, Done] = field(default_factory=dict, repr=False)

    @property
    def plain(self) -> Self:
        """The same without layers."""
        return replace(self, cases=self.core, kept={})

    @property
    def model(self) -> DomainModel:
        """The model of the domain."""
        return self.core.model

    @property
    def environment(self) -> Environment[Any]:
        """The environment in which the model answers."""
        return self.cases.environment

    @property
    def shown(self) -> Shown:
        """What agents may see."""
        return self.cases.shown

    @cached_property
    def paths(self) -> Mapping[str, Sequence[str]]:
        """What each case of a task has in common with others of its kind."""
        return self.cases.paths

    @cached_property
    def rows(self) -> Mapping[str, Row]:
        """The case with which each task begins."""
        plain = {task: self.cases.find_plain(task) for task in self.shown.tasks}
        return {
            task: self.core.rows[name] for task, name in plain.items() if name in self.core.rows
        }

    @property
    def published(self) -> Sequence[Row]:
        """The cases of all plain tasks, whether or not they come up."""
        return tuple(self.core.rows.values())

    def is_right(self, task: str, done: Done) -> bool:
        """Return whether what was done at a task is right."""
        return self.cases.grade(task, Attempt(done.events, done.answer, Stop.ANSWER)).is_right

    def split(self, task: str, done: Done) -> Sequence[Done]:
        """Return what was done at each case of a task."""
        return self.cases.split(task, done)

    def work(
        self,
        task: str,
        wrap: Wrap | None = None,
        inputs: Mapping[str, str] | None = None,
        until: int | None = None,
    ) -> Done:
        """Return what the reference does at a task, with calls or inputs changed if asked for.

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
            return found

        try:
            answer = self.solve(desk.with_call(wrap(call) if wrap else call), self.model)
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
