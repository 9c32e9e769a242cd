"""Queues, made on the grader's side: which cases follow each other, so that they hang together."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, NamedTuple

from sopforge.harness.environment.events import Called
from sopforge.harness.environment.machine import State
from sopforge.harness.environment.session import Session, open_session
from sopforge.harness.layers.desk import open_desk
from sopforge.harness.layers.ground import Ground
from sopforge.harness.layers.layer import make_dial_error
from sopforge.harness.layers.own_rules import find_shown_mistakes, list_writes
from sopforge.harness.layers.queue.choosing import Known, choose_rules, list_memos, list_steps_with
from sopforge.harness.layers.queue.memory import Limits, Memory, change_limits
from sopforge.harness.layers.queue.plans import Memo, Notice, QueuePlace, Withdrawal
from sopforge.harness.layers.queue.queued import Queue
from sopforge.harness.layers.queue.stating import (
    TITLE,
    describe_correction,
    describe_notice,
    write_rules,
)
from sopforge.harness.layers.queue.tallies import Cells, Filed, Quota, SessionRules
from sopforge.harness.layers.queue.working import QueueWorker
from sopforge.harness.layers.text.passages import find_main
from sopforge.harness.layers.text.read_steps import number_steps
from sopforge.harness.scoring.trajectories import read_answer
from sopforge.harness.users.cells import is_cell
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import BooleanType, EnumType
from sopforge.proof.dataset.distinguishing import find_distinguished
from sopforge.proof.dataset.tasks.task_texts import render_task_text
from sopforge.seeds import draw_below, permute_items
from sopforge.session.layers import FILE

SESSIONS = 20
"""How many sessions there are, of as many cases each as the dose says."""
_TRIED = 240
"""How many tasks are looked at for a place."""
_REPEATED = 8
"""How many cases like earlier ones are tried before none is taken."""
_CORRECTED = 8
"""How many other entries of an earlier case are tried before nothing is corrected at a place."""
_OFTEN = 17
"""In how many sessions a task may come up, of twenty."""
_HANGING, _HANGING_BESIDE = 3, 10
"""One in how many cases is to hang on earlier ones at least; fewer where there are counters."""
_SELDOM: Mapping[bool, int] = {True: 64, False: 8}
"""How little it weighs that a mistake was shown in few sessions: as one in so many.

Where a session can show more than half of all mistakes, the same ones may be shown in most of them.
"""
_DECIDED = 8
"""At one in how many places there is a request that is not carried out."""
_TURNED = 40
"""One in how many tasks a changed limit has to decide otherwise."""
_LEAST_FOR_MEMO = 4
_LEAST_FOR_CORRECTION = 5
_LEAST_FOR_TWO = 16
"""How many cases a session has at least that brings two corrections."""


def make_queue(ground: Ground, dose: int, seed: int) -> tuple[Queue, None]:
    """Return the layer of so many cases a session.

    Those cases are taken that show mistakes which few cases before them did.
    """
    plain, cases = find_shown_mistakes(ground.model, ground.core.rows), ground.cases
    shows = {
        task: plain.get(cases.find_plain(task), {})
        for task in cases.shown.tasks
        if cases.get_gold(task).outcomes
    }
    return _QueueMaker(ground, dose, seed, shows).make(), None


class _Events(NamedTuple):
    """At which places a limit changes, a case is withdrawn, and earlier ones are corrected."""

    memo: int
    withdrawal: int
    corrections: tuple[int, ...]


class _Trial(NamedTuple):
    """What comes of a place: its outcomes, and how the session stands after it."""

    outcomes: Cells
    called: Sequence[Called]
    state: State[Any]
    memory: Memory


@dataclass
class _Course:
    """A session in the making: what was filed so far, and what a further place would come to."""

    ground: Ground
    limits: Limits
    rules: SessionRules
    places: list[QueuePlace] = field(default_factory=list)
    memory: Memory = field(default_factory=Memory)
    hanging: int = 0
    written: set[str] = field(default_factory=set)
    shown: set[int] = field(default_factory=set)
    session: Session[Any] | None = None

    @property
    def keys(self) -> set[str]:
        """The keys of the cases that came up: a request and its pair have the same."""
        return {place.entries[self.ground.model.key] for place in self.places}

    def take(self, place: QueuePlace) -> None:
        """Have a place come up next."""
        trial = self._try(place)
        self.hanging += self.is_hanging(place)
        if list_writes(self.ground.model, trial.called):
            self.written.add(place.entries[self.ground.model.key])
        self.memory = trial.memory
        if self.session is not None:
            self.session.state = trial.state
        self.places.append(place)

    def can_correct(self, key: str) -> bool:
        """Return whether a case may be decided anew: where tables change, if it wrote nothing."""
        return self.ground.model.operations is None or key not in self.written

    def is_decided(self, place: QueuePlace) -> bool:
        """Return whether a place comes to all outcomes, or to none if its task does by itself."""
        found = self._try(place).outcomes
        alone = self.ground.work_right(place.task).answer or ""
        wanted = read_outcomes(self.ground.model, read_answer(alone))
        return found.keys() == wanted.keys()

    def is_hanging(self, place: QueuePlace) -> bool:
        """Return whether a place comes to something else here than it would by itself."""
        if place.is_correction:
            return True
        here, model = self._try(place), self.ground.model
        alone = _Course(self.ground, self.limits, SessionRules())._try(replace(place, notices=()))  # noqa: SLF001 - its own kind
        return here.outcomes != alone.outcomes or list_writes(model, here.called) != list_writes(
            model, alone.called
        )

    def is_changed(self, place: QueuePlace) -> bool:
        """Return whether a correction comes to all outcomes, and to others than were filed."""
        before = self.memory.find_case(place.entries[self.ground.model.key])
        after = self._try(place).outcomes
        return (
            before is not None
            and len(after) == len(self.ground.model.outcomes)
            and after != before.outcomes
        )

    def _try(self, place: QueuePlace) -> _Trial:
        session = self._open(place)
        before = session.state
        worker = QueueWorker(open_desk(session), self.limits, self.ground.solve, self.rules)
        memory = self.memory.hear(place.notices)
        _, memory = worker.decide(memory, place)
        state, session.state = session.state, before
        found = memory.find_case(place.entries[self.ground.model.key])
        outcomes = read_outcomes(self.ground.model, found.outcomes if found else {})
        made = state.events[len(before.events) :]
        called = [event for event in made if isinstance(event, Called)]
        return _Trial(outcomes, called, state, memory)

    def _open(self, place: QueuePlace) -> Session[Any]:
        """Return the session, which begins with its first place."""
        if not self.places:
            self.session = open_session(self.ground.environment, place.task)
        if self.session is None:
            raise AssertionError("a session is opened with its first place")
        return self.session


@dataclass(frozen=True)
class _QueueMaker:
    """Makes the sessions of one package.

    ``shows`` has for each task the mistakes that it shows by itself, with the outcomes to which
    they lead. ``shown`` counts in how many sessions each mistake is shown, ``taken`` in how many
    each task came up.
    """

    ground: Ground
    dose: int
    seed: int
    shows: Mapping[str, Mapping[int, Cells]]
    shown: dict[int, int] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)
    hanging: list[int] = field(default_factory=list)

    def make(self) -> Queue:
        if any(tool.name == FILE for tool in self.ground.shown.tools):
            message = f"the domain already has a tool {FILE}"
            raise make_dial_error(Queue.name, message, "give that tool another name")
        made = [list(self._make_plan(number)) for number in range(SESSIONS)]
        if not self.rules.counters and sum(self.hanging) * 2 < SESSIONS * self.dose:
            message = (
                f"{sum(self.hanging)} of {SESSIONS * self.dose} cases depend on an earlier one"
            )
            raise make_dial_error(Queue.name, message, "give it an outcome with labels, or tables")
        plans = {f"session-{number:03}": tuple(plan) for number, plan in enumerate(made, 1)}
        return Queue(
            dose=self.dose,
            plans=plans,
            notices={
                name: [
                    [self._describe_notice(notice) for notice in place.notices] for place in plan
                ]
                for name, plan in plans.items()
            },
            rules=self.rules,
            title=TITLE,
            section=list(write_rules(self.model, self.rules)),
        )

    def _describe_notice(self, notice: Notice) -> str:
        found = list_steps_with(self.model, notice.constant) if isinstance(notice, Memo) else ()
        return describe_notice(self.model, notice, [self.numbers[step] for step in found])

    @cached_property
    def numbers(self) -> Mapping[str, str]:
        """Each step by its number in the SOP and its title."""
        steps = number_steps(self.model, find_main(self.ground.shown.sop))
        return {
            name: f"{number} ({self.model.steps[name].title})" for name, number in steps.items()
        }

    @property
    def model(self) -> DomainModel:
        return self.ground.model

    @cached_property
    def limits(self) -> Limits:
        return Limits(self.model)

    @cached_property
    def known(self) -> Mapping[str, Known]:
        """The tasks that come to all outcomes, as they are right by themselves."""
        found: dict[str, Known] = {}
        for task, shown in self.ground.shown.tasks.items():
            done = self.ground.work_right(task)
            outcomes = read_outcomes(self.model, read_answer(done.answer or ""))
            is_decided = len(outcomes) == len(self.model.outcomes)
            if is_decided or (not outcomes and self.ground.is_right(task, done)):
                called = [event for event in done.events if isinstance(event, Called)]
                has_acted = bool(list_writes(self.model, called))
                found[task] = Known(shown.inputs, outcomes, len(called), has_acted)
        return found

    @cached_property
    def rules(self) -> SessionRules:
        decided = [known for known in self.known.values() if known.outcomes]
        return choose_rules(self.model, decided, self.dose)

    @cached_property
    def memos(self) -> Sequence[tuple[Memo, frozenset[str]]]:
        """The least change of each limit that decides some tasks otherwise, with these tasks."""
        memos = list_memos(self.model, self.seed)
        models = [change_limits(self.model, [(memo.constant, memo.value)]) for memo in memos]
        rows = {task: self.ground.rows[task] for task in self.known if self.known[task].outcomes}
        found: dict[str, tuple[Memo, frozenset[str]]] = {}
        for memo, turned in zip(memos, find_distinguished(self.model, rows, models), strict=True):
            if len(turned) * _TURNED >= len(rows):
                found.setdefault(memo.constant, (memo, turned))
        return list(found.values())

    def _make_plan(self, number: int) -> Iterator[QueuePlace]:
        """Yield the places of a session, each chosen by what was filed before it."""
        course = _Course(self.ground, self.limits, self.rules)
        events = self._draw_events(number)
        turned: frozenset[str] = frozenset()
        for place in range(self.dose):
            notices: tuple[Notice, ...] = ()
            if place == events.memo and self.memos:
                memo, turned = self.memos[number % len(self.memos)]
                notices = (memo,)
            if place == events.withdrawal:
                notices += tuple(self._choose_withdrawn(course, number))
            chosen = None
            if place in events.corrections:
                chosen = self._choose_correction(course, number, place, notices)
            if chosen is None:
                chosen = self._choose_case(course, number, place, notices, turned)
            self._count_shown(course, chosen)
            course.take(chosen)
            yield chosen
        self.hanging.append(course.hanging)

    def _draw_events(self, number: int) -> _Events:
        """Return at which places of a session something else happens than a case."""
        size, seed = self.dose, self.seed
        has_memo = size >= _LEAST_FOR_MEMO
        memo = size // 3 + draw_below(max(1, size // 3), seed, "memo", number) if has_memo else -1
        if size < _LEAST_FOR_CORRECTION:
            return _Events(memo, -1, ())
        withdrawal = size // 2 + draw_below(max(1, size // 4), seed, "withdrawal", number)
        first = size // 2 + draw_below(max(1, size // 3), seed, "correction", number)
        corrected = (size - 1,) if size < _LEAST_FOR_TWO else tuple({first, size - 1})
        return _Events(memo, withdrawal, corrected)

    def _choose_withdrawn(self, course: _Course, number: int) -> Iterator[Withdrawal]:
        """Yield the withdrawal of an earlier case, of one that fills a quota if there is one."""
        filed = {key: case for key, (_, case) in course.memory.filed.items()}
        counting = [
            key
            for key, case in filed.items()
            for tally in self.rules.tallies
            if isinstance(tally, Quota) and case.outcomes.get(tally.outcome) == tally.label
        ]
        keys = counting or list(filed)
        if keys:
            yield Withdrawal(keys[draw_below(len(keys), self.seed, "withdrawn", number)])

    def _choose_case(
        self,
        course: _Course,
        number: int,
        place: int,
        notices: tuple[Notice, ...],
        turned: frozenset[str],
    ) -> QueuePlace:
        """Return a case that hangs on those before it, as long as too few of them do.

        Among such cases the one is taken that has the answer that is drawn, and shows most of what
        was seldom shown so far.
        """
        names = permute_items(list(self.known), self.seed, "case", number, place)
        fresh = [name for name in names if self._is_fresh(course, name)]
        kind = self._draw_undecided(number, place)
        fresh = ([task for task in fresh if self._get_undecided(task) == kind] or fresh)[:_TRIED]
        hanging = [
            task for task in fresh if task in turned or self._is_settled(course, task, notices)
        ]
        # Where sessions have counters, each case hangs on those before it anyhow.
        one_in = _HANGING_BESIDE if self.rules.counters else _HANGING
        is_wanted = course.hanging * one_in <= place
        ranked = sorted(fresh, key=partial(self._weigh, course, notices), reverse=True)
        # Else what is right would follow from the place alone.
        drawn = self._draw_answer(fresh, number, place)
        ranked.sort(key=lambda task: self._get_answer(task) != drawn)
        if is_wanted:
            ranked.sort(key=lambda task: task not in hanging)
            if not hanging and (again := self._repeat_case(course, number, place, notices)):
                return again
        for task in ranked:
            shown = self.ground.shown.tasks[task]
            chosen = QueuePlace(task, shown.inputs, shown.text, notices)
            if course.is_decided(chosen):
                return chosen
        message = f"the domain has fewer than {self.dose} different cases for a session"
        raise make_dial_error(
            Queue.name, message, "ask for fewer cases a session, or for more tasks"
        )

    def _draw_answer(self, fresh: Sequence[str], number: int, place: int) -> str:
        """Return the label that the case of a place has as its answer by itself, if it can."""
        found = sorted({self._get_answer(task) for task in fresh})
        return found[draw_below(len(found), self.seed, "answer", number, place)] if found else ""

    def _get_answer(self, task: str) -> str:
        """Return the label that a task has as its answer, "" where that is no label."""
        primary = self.model.primary
        has_labels = isinstance(primary.type, EnumType | BooleanType)
        return self.known[task].outcomes.get(primary.name, "") if has_labels else ""

    def _draw_undecided(self, number: int, place: int) -> str:
        """Return of what kind the request at a place is that is not carried out, "" if it is."""
        kinds = sorted({self._get_undecided(task) for task in self.known} - {""})
        drawn = draw_below(_DECIDED * len(kinds), self.seed, "kind", number, place) if kinds else 0
        return kinds[drawn] if drawn < len(kinds) and kinds else ""

    def _get_undecided(self, task: str) -> str:
        return "" if self.known[task].outcomes else self.ground.cases.find_kind(task)

    def _is_fresh(self, course: _Course, task: str) -> bool:
        """Return whether a task came up neither in a session nor too often in others."""
        key = self.known[task].inputs[self.model.key]
        return key not in course.keys and self.taken.get(task, 0) < _OFTEN

    def _repeat_case(
        self, course: _Course, number: int, place: int, notices: tuple[Notice, ...]
    ) -> QueuePlace | None:
        """Return a case like an earlier one that has changed records, which it therefore hangs on.

        It has a number of its own, and often another value of an entry.
        """
        # A correction has one entry of its case alone.
        whole = [item for item in course.places if not item.is_correction]
        earlier = [item for item in whole if self._get_key(item) in course.written]
        decided = [task for task in self.known if self.known[task].outcomes]
        fresh = [task for task in decided if self._is_fresh(course, task)]
        names = [item.name for item in self.model.changeable_inputs]
        for turn in range(_REPEATED if earlier and fresh else 0):
            drawn = ("again", number, place, turn)
            like = earlier[draw_below(len(earlier), self.seed, *drawn, "case")]
            task = fresh[draw_below(len(fresh), self.seed, *drawn, "task")]
            name = names[draw_below(len(names), self.seed, *drawn, "name")]
            entries = {**like.entries, self.model.key: self.known[task].inputs[self.model.key]}
            if turn:
                entries[name] = self.known[task].inputs[name]
            chosen = QueuePlace(task, entries, render_task_text(self.model, task, entries), notices)
            if course.is_decided(chosen) and course.is_hanging(chosen):
                return chosen
        return None

    def _get_key(self, place: QueuePlace) -> str:
        return place.entries[self.model.key]

    def _is_settled(self, course: _Course, task: str, notices: tuple[Notice, ...]) -> bool:
        """Return whether a rule of sessions gives a case another outcome than it has by itself."""
        known = self.known[task]
        if not known.outcomes:
            return False
        others = course.memory.hear(notices).list_others(known.inputs[self.model.key])
        return self.rules.settle(Filed(known.inputs, known.outcomes), others) != known.outcomes

    def _choose_correction(
        self, course: _Course, number: int, place: int, notices: tuple[Notice, ...]
    ) -> QueuePlace | None:
        """Return a correction by which an earlier case comes to something else, if one does."""
        earlier = [item for item in course.places if self._may_be_corrected(item)]
        names = [item.name for item in self.model.changeable_inputs]
        options = [(item, name) for item in earlier for name in names]
        drawn = permute_items(options, self.seed, "corrected", number, place)
        for turn, (item, name) in enumerate(drawn[:_CORRECTED]):
            key = item.entries[self.model.key]
            before = course.memory.find_case(key)
            cells = sorted({known.inputs[name] for known in self.known.values() if known.outcomes})
            cell = cells[draw_below(len(cells), self.seed, "entry", number, place, turn)]
            text = describe_correction(self.model, key, name, cell)
            entries = {self.model.key: key, name: cell}
            chosen = QueuePlace(item.task, entries, text, notices, is_correction=True)
            if before is None or before.inputs[name] == cell or not course.can_correct(key):
                continue
            if key not in course.memory.hear(notices).withdrawn and course.is_changed(chosen):
                return chosen
        return None

    def _may_be_corrected(self, place: QueuePlace) -> bool:
        return not place.is_correction and bool(self.known[place.task].outcomes)

    def _weigh(self, course: _Course, notices: tuple[Notice, ...], task: str) -> float:
        """Return how much a task is wanted: for mistakes that nothing in the session shows so far.

        One that few sessions show weighs most.
        """
        shown = self._iterate_shown(course, task, notices)
        return math.fsum(1 / (self._seldom + self.shown.get(item, 0)) for item in shown)

    def _iterate_shown(
        self, course: _Course, task: str, notices: tuple[Notice, ...]
    ) -> Iterator[int]:
        """Yield the mistakes that a task shows next, and nothing in the session before it.

        Rules of sessions may bring a right outcome and a wrong one to the same.
        """
        known = self.known[task]
        others = course.memory.hear(notices).list_others(known.inputs[self.model.key])
        right = self.rules.settle(Filed(known.inputs, known.outcomes), others)
        for number, outcomes in self.shows.get(task, {}).items():
            if number in course.shown:
                continue
            if self.rules.settle(Filed(known.inputs, outcomes), others) != right:
                yield number

    @cached_property
    def _seldom(self) -> int:
        left, shown = dict(self.shows), set[int]()
        # About so many places of a session are decided by themselves.
        for _ in range(min(len(left), self.dose * 2 // 3)):
            best = max(left, key=lambda task: len(left[task].keys() - shown))
            shown.update(left.pop(best))
        known = set[int]().union(*self.shows.values())
        return _SELDOM[2 * len(shown) > len(known)]

    def _count_shown(self, course: _Course, place: QueuePlace) -> None:
        """Count what a place shows that comes next; of a correction, nothing is known."""
        if not place.is_correction:
            for item in list(self._iterate_shown(course, place.task, place.notices)):
                course.shown.add(item)
                self.shown[item] = self.shown.get(item, 0) + 1
        self.taken[place.task] = self.taken.get(place.task, 0) + 1


def read_outcomes(model: DomainModel, stated: Cells) -> dict[str, str]:
    """Return the outcomes that are stated, without those that are no values."""
    return {
        item.name: stated[item.name]
        for item in model.outcomes
        if item.name in stated and is_cell(item, stated[item.name])
    }
