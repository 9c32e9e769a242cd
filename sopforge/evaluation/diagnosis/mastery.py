"""Mastery: of which rules, limits, edges and refusals an agent gets every case right."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sopforge.evaluation.diagnosis.diagnosing import Evidence
from sopforge.evaluation.diagnosis.hypotheses import Answers, Belief
from sopforge.evaluation.diagnosis.places import RulePlace, find_place
from sopforge.harness.scoring.trajectories import is_equal
from sopforge.language.domain.model import DomainModel


@dataclass(frozen=True, slots=True)
class Mastered:
    """A place, with the tasks that show how somebody reads it, and those that he has wrong.

    A task shows a place if somebody who gets it wrong comes to another outcome there; it is wrong
    if such an outcome is. Other outcomes of the task say nothing of the place. Tasks of which a
    mistake in another place is known to be the reason are ``beside`` it, and not among the others.
    """

    place: RulePlace
    tasks: tuple[str, ...]
    wrong: tuple[str, ...]
    beside: tuple[str, ...] = ()

    @property
    def is_mastered(self) -> bool:
        """Whether every task that shows it is right."""
        return not self.wrong


Showing = Mapping[RulePlace, Mapping[str, Collection[str]]]
"""For each place the tasks that show it, each with the outcomes by which it does."""


def find_showing(model: DomainModel, right: Answers, beliefs: Sequence[Belief]) -> Showing:
    """Return which tasks show which places, by the small mistakes that can be made there."""
    found: dict[RulePlace, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for belief in beliefs:
        for item in belief.readings:
            place = find_place(model, item.mutant, item.model)
            if place is not None:
                for task, answer in belief.answers.items():
                    found[place][task] |= set(_iterate_differing(right[task], answer))
    return {place: found[place] for place in sorted(found)}


def _iterate_differing(right: Mapping[str, str], answer: Mapping[str, str]) -> Iterator[str]:
    for name in {**right, **answer}:
        if right.get(name) != answer.get(name):
            yield name


def measure_mastery(
    model: DomainModel,
    showing: Showing,
    right: Answers,
    stated: Answers,
    known: Sequence[Evidence] = (),
) -> list[Mastered]:
    """Return each place that some attempted task shows, with the tasks that an agent has wrong.

    ``known`` are the mistakes that he is known to make.
    """
    reasons = [(_list_places(model, item.belief), set(item.explained)) for item in known]
    measured = []
    for place, shown in showing.items():
        beside = set[str]().union(*(tasks for places, tasks in reasons if place not in places))
        beside -= set[str]().union(*(tasks for places, tasks in reasons if place in places))
        attempted = [task for task in shown if task in stated]
        wrong = [
            task
            for task in attempted
            if not all(
                is_equal(model.fields[name], right[task].get(name), stated[task].get(name))
                for name in shown[task]
            )
        ]
        tasks = tuple(task for task in attempted if task not in beside)
        if tasks:
            own = tuple(task for task in wrong if task not in beside)
            measured.append(Mastered(place, tasks, own, tuple(sorted(beside & {*attempted}))))
    return measured


def _list_places(model: DomainModel, belief: Belief) -> set[RulePlace | None]:
    return {find_place(model, item.mutant, item.model) for item in belief.readings}
