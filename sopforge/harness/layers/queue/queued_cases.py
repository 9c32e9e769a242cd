"""Cases in queues: each is graded as its case, and all of a session together."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sopforge.harness.environment.events import Called
from sopforge.harness.environment.session import open_session
from sopforge.harness.grading.grades import Attempt, Grade, Stop
from sopforge.harness.grading.queues import join_grades
from sopforge.harness.layers.desk import Solver, open_desk
from sopforge.harness.layers.layer import Done
from sopforge.harness.layers.layered import LayeredCases
from sopforge.harness.layers.plain import Case
from sopforge.harness.layers.queue.memory import Limits, Memory
from sopforge.harness.layers.queue.plans import QueuePlace
from sopforge.harness.layers.queue.queued import Queue
from sopforge.harness.layers.queue.tallies import Filed, read_figure
from sopforge.harness.layers.queue.working import QueueWorker
from sopforge.harness.layers.stated_cases import get_result
from sopforge.harness.scoring.agents import CalledTools, read_reply
from sopforge.harness.scoring.trajectories import read_answer
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tasks import GoldCall, Task
from sopforge.language.logic.tool_calls import Refused
from sopforge.language.logic.walking import Walk, walk
from sopforge.proof.dataset.tasks.told_texts import parse_inputs
from sopforge.sandbox.answers import JSON, as_text
from sopforge.session.score import END_STATE

COUNTS = "counts"
"""The part of a session that asks what its counters stand at."""


@dataclass(frozen=True, slots=True)
class GoldSession:
    """What is right in a session: what the reference does, and at each of its cases."""

    done: Done
    cases: tuple[CountedCase, ...]


@dataclass(frozen=True, slots=True)
class CountedCase(Case):
    """A case in a queue, with what counters stand at once it is filed."""

    counts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class QueuedCases(LayeredCases):
    """Cases in queues; ``solve`` is the reference, which says what is right.

    What is right at a case follows from what was right at those before it: an agent that errs early
    goes on from another state, and is judged by where it should be.
    """

    layer: Queue
    model: DomainModel = field(kw_only=True)
    solve: Solver = field(kw_only=True)
    kept: dict[str, GoldSession] = field(default_factory=dict, repr=False, kw_only=True)

    @property
    def paths(self) -> Mapping[str, Sequence[str]]:
        """For each session, the paths of its cases as tasks by themselves."""
        return {
            name: [self.inner.paths[place.task][0] for place in plan]
            for name, plan in self.layer.plans.items()
        }

    def find_kind(self, task: str) -> str:  # noqa: ARG002 - protocol
        """Return nothing: sessions are all of one kind."""
        return ""

    def get_gold(self, task: str) -> Task:
        """Return what is right at the last case of a session, whose calls are all of them."""
        cases = self.find_gold(task).cases
        calls = tuple(call for case in cases for call in case.task.calls)
        return replace(cases[-1].task, id=task, calls=calls)

    def split(self, task: str, done: Done) -> Sequence[Done]:  # noqa: ARG002 - protocol
        """Return what was done at each case that was filed."""
        return self.layer.split(done)

    def list_outcomes(self, task: str) -> Mapping[str, str]:
        """Return the right outcomes of a session, by the numbers of its cases."""
        return {
            f"{number}. {name}": cell
            for number, case in enumerate(self.find_gold(task).cases, 1)
            for name, cell in case.task.outcomes.items()
        }

    def grade(self, task: str, attempt: Attempt) -> Grade:
        """Return the grade of a session: right where each case is, and what tables hold."""
        done = Done(tuple(attempt.events), attempt.answer)
        gold, filed = self.find_gold(task), self.layer.split(done)
        unfiled = Attempt((), None, attempt.stop)
        after = self.layer.list_after(done)
        done_cases = [Attempt(item.events, item.answer, Stop.ANSWER) for item in filed]
        if done_cases and len(filed) == len(gold.cases):
            # What is said at the end is judged for secrets, with the last case.
            done_cases[-1] = replace(done_cases[-1], events=(*done_cases[-1].events, *after))
        done_cases += [unfiled] * (len(gold.cases) - len(filed))
        grades = [
            _judge_counts(self.inner.grade_case(case, tried), case, tried)
            for case, tried in zip(gold.cases, done_cases, strict=True)
        ]
        expected = self.compute_end_state(task, gold.done)
        parts = (
            {} if expected is None else {END_STATE: self.compute_end_state(task, done) == expected}
        )
        return join_grades(grades, parts)

    def grade_case(self, case: Case, attempt: Attempt) -> Grade:
        """Return the grade of what was done at one case."""
        return self.inner.grade_case(case, attempt)

    def describe(self, task: str) -> Mapping[str, JSON]:
        """Return what layers do in a session, as JSON by their names."""
        return {self.layer.name: self.layer.describe(task)}

    def find_gold(self, session: str) -> GoldSession:
        """Return what is right in a session: what the reference comes to, case by case."""
        if session not in self.kept:
            self.kept[session] = self._fold(session)
        return self.kept[session]

    def find_windows(self, name: str) -> list[int]:
        """Return for each case of a session how many places back one has to remember for it."""
        plan, memory = self.layer.plans[name], Memory()
        session = open_session(self.inner.environment, plan[0].task)
        worker = QueueWorker(open_desk(session), Limits(self.model), self.solve, self.layer.rules)
        found = []
        for number, place in enumerate(plan):
            memory, before = memory.hear(place.notices), session.state
            right, after = worker.decide(memory, place)
            state = session.state
            window = number
            for fewer in range(number):
                session.state = before
                if worker.decide(memory.keep_last(fewer), place)[0] == right:
                    window = fewer
                    break
            found.append(window)
            memory, session.state = after, state
        return found

    def _fold(self, name: str) -> GoldSession:
        session = open_session(self.environment, name)
        answer = self.solve(open_desk(session), self.model)
        done = Done(session.state.events, answer)
        memory, limits, cases = Memory(), Limits(self.model), []
        for place, filed in zip(self.layer.plans[name], self.layer.split(done), strict=True):
            memory = memory.hear(place.notices)
            key = place.entries[self.model.key]
            entries = place.entries
            inputs = memory.complete(entries, key) if place.is_correction else entries
            case = self._make_case(place, inputs, limits.apply(memory), filed)
            cases.append(case)
            memory = memory.file(key, Filed(inputs, case.task.outcomes))
        return GoldSession(done, tuple(cases))

    def _make_case(
        self, place: QueuePlace, inputs: Mapping[str, str], model: DomainModel, filed: Done
    ) -> CountedCase:
        gold, stated = self.inner.get_gold(place.task), read_answer(filed.answer or "")
        called = [item for item in filed.events if isinstance(item, Called)]
        calls = tuple(map(_make_gold_call, called))
        is_decided = all(item.name in stated for item in model.outcomes)
        again = _walk_again(model, inputs, called) if is_decided else None
        task = replace(
            gold,
            inputs=inputs,
            path=tuple(again.path) if again else gold.path,
            rules=dict(again.rules) if again else gold.rules,
            outcomes={
                item.name: stated[item.name] for item in model.outcomes if item.name in stated
            },
            intermediates={
                item.name: stated[item.name] for item in model.intermediates if item.name in stated
            },
            calls=gold.calls if calls == gold.calls else calls,
            end_state=None,
        )
        names = {counter.name for counter in self.layer.rules.counters}
        counts = {name: stated[name] for name in names & stated.keys()}
        return CountedCase(model, task, counts)


def _walk_again(model: DomainModel, inputs: Mapping[str, str], called: Sequence[Called]) -> Walk:
    """Return the walk of a case whose calls were answered as they were."""
    given = parse_inputs(model, inputs)
    replies = iter(called)

    def call(tool: str, arguments: Mapping[str, object]) -> Mapping[str, object] | Refused:  # noqa: ARG001 - they are made in the same order
        return read_reply(next(replies).reply)

    return walk(model, given, CalledTools(model, call))


def _judge_counts(grade: Grade, case: CountedCase, attempt: Attempt) -> Grade:
    """Return the grade of a case that is right only where the counters are."""
    if not case.counts:
        return grade
    stated = read_answer(attempt.answer or "")
    has_counts = all(
        read_figure(stated.get(name, "")) == read_figure(cell) for name, cell in case.counts.items()
    )
    session = {**(grade.session or {}), COUNTS: has_counts}
    return replace(grade, is_right=grade.is_right and has_counts, session=session)


def _make_gold_call(event: Called) -> GoldCall:
    # Numbers as tasks are stored with them, and not as exact decimals.
    arguments, values = json.loads(as_text([dict(event.arguments), dict(get_result(event))]))
    return GoldCall(event.tool, arguments, values, event.reply.refusal)
