"""Diagnosis: the smallest set of known mistakes by which an agent's answers can be foretold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import nlargest
from math import comb

from sopforge.dataset.records import Row
from sopforge.diagnosis.hypotheses import Answers, Belief, answer_with_all
from sopforge.diagnosis.merging import MergeConflictError
from sopforge.domain.fields import Field
from sopforge.domain.model import DomainModel
from sopforge.scoring.trajectories import is_equal

MOST_MISTAKES = 3
"""So many mistakes are looked for at once, at most."""
_WIDTH = 10
"""How many sets are grown, and by how many mistakes each."""
_PRICE = 0.9
"""Of how many tasks each mistake has to bring the answer right, at least."""
LEVEL = 0.05
"""How likely one statement or more may be by chance, of an agent that errs at random."""
MOST_UNEXPLAINED = 0.25
"""Of the errors: where more are left, mistakes are at work that are on no list."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for a mistake, and what against it, as tasks.

    At these tasks the agent would answer otherwise without it. ``chance`` is how likely it is that
    some mistake of the list has so much for it if the agent errs at random.
    """

    belief: Belief
    explained: tuple[str, ...]
    contradicted: tuple[str, ...]
    chance: float

    @property
    def is_stated(self) -> bool:
        """Whether it is more than a guess: found by some answers, it has foretold another one."""
        return len(self.explained) > 1 and self.chance <= LEVEL


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The mistakes that explain an agent's answers, and the errors that none explains."""

    tasks: int
    errors: tuple[str, ...]
    found: tuple[Evidence, ...]
    unexplained: tuple[str, ...]

    @property
    def stated(self) -> tuple[Evidence, ...]:
        """The mistakes that are more than a guess, none where too much stays unexplained."""
        if len(self.unexplained) > MOST_UNEXPLAINED * len(self.errors):
            return ()
        return tuple(item for item in self.found if item.is_stated)

    @property
    def suspected(self) -> tuple[Evidence, ...]:
        """The mistakes that fit, but may be guesses."""
        return tuple(item for item in self.found if item not in self.stated)


@dataclass(frozen=True)
class Diagnostician:
    """Knows the cases of a package, what is right there, and which mistakes they show."""

    model: DomainModel
    rows: Mapping[str, Row]
    right: Answers
    beliefs: Sequence[Belief]

    def diagnose(self, stated: Answers) -> Diagnosis:
        """Return what explains the answers that an agent stated at some tasks."""
        return _Case(self, stated).diagnose()


@dataclass(frozen=True)
class _Case:
    """One agent's answers, and what can be said of them."""

    by: Diagnostician
    stated: Answers
    kept: dict[tuple[str, ...], Answers | None] = field(default_factory=dict)

    def diagnose(self) -> Diagnosis:
        chosen = self._choose()
        evidence = tuple(self._weigh(chosen, place) for place in range(len(chosen)))
        unexplained = tuple(task for task in self.errors if not self._fits(chosen, task))
        return Diagnosis(len(self.stated), self.errors, evidence, unexplained)

    @cached_property
    def errors(self) -> tuple[str, ...]:
        return tuple(task for task in self.stated if not self._is_answer(task, self.by.right[task]))

    @cached_property
    def wrong(self) -> frozenset[str]:
        return frozenset(self.errors)

    @cached_property
    def _outcomes(self) -> Sequence[Field]:
        return self.by.model.outcomes

    def _is_answer(self, task: str, answer: Mapping[str, str]) -> bool:
        stated = self.stated[task]
        pairs = ((item, answer.get(item.name), stated.get(item.name)) for item in self._outcomes)
        return all(one == other or is_equal(item, one, other) for item, one, other in pairs)

    def _choose(self) -> tuple[Belief, ...]:
        """Return the set by which fewest answers are foretold wrong, each mistake at its price.

        Sets grow by one mistake at a time, of the best sets and the mistakes that seem to bring
        them most; what a set really comes to is worked out.
        """
        sets: list[tuple[Belief, ...]] = [()]
        last = sets
        for _ in range(MOST_MISTAKES):
            grown = {
                tuple(sorted(item.id for item in group)): group
                for one in last
                for group in self._grow(one)
            }
            last = sorted(grown.values(), key=self._rate)[:_WIDTH]
            sets = [*sets, *last]
        return min(sets, key=lambda group: (self._rate(group), len(group)))

    def _grow(self, chosen: tuple[Belief, ...]) -> Iterator[tuple[Belief, ...]]:
        """Yield a set with one mistake more, those that seem to bring most."""
        left = self._find_misses(chosen)
        gains = [
            (len(hits & left) - len(misses - left), place)
            for place, (hits, misses) in enumerate(self._matches)
        ]
        best = nlargest(_WIDTH, (gain for gain in gains if gain[0] > 0), key=lambda gain: gain[0])
        for _, place in best:
            belief = self.by.beliefs[place]
            if belief not in chosen and self._predict((*chosen, belief)) is not None:
                yield (*chosen, belief)

    @cached_property
    def _matches(self) -> list[tuple[frozenset[str], frozenset[str]]]:
        """For each belief, at which tasks the agent answers as it does, and at which not."""
        found = []
        for belief in self.by.beliefs:
            tasks = [task for task in belief.answers if task in self.stated]
            hits = frozenset(task for task in tasks if self._is_answer(task, belief.answers[task]))
            found.append((hits, frozenset(tasks) - hits))
        return found

    def _find_misses(self, beliefs: Sequence[Belief]) -> frozenset[str]:
        """Return the tasks of which a set foretells a wrong answer."""
        predicted = self._predict(beliefs) or {}
        missed = (task for task, answer in predicted.items() if not self._is_answer(task, answer))
        return frozenset(missed) | (self.wrong - predicted.keys())

    def _predict(self, beliefs: Sequence[Belief]) -> Answers | None:
        """Return what follows from a set where it is not right, None where it cannot be."""
        key = tuple(sorted(item.id for item in beliefs))
        if key not in self.kept:
            try:
                found = answer_with_all(self.by.model, beliefs, self.by.rows) if beliefs else {}
            except MergeConflictError:
                self.kept[key] = None
            else:
                self.kept[key] = {task: found[task] for task in found if task in self.stated}
        return self.kept[key]

    def _rate(self, beliefs: Sequence[Belief]) -> float:
        """Return how many answers a set foretells wrong, with the price of its mistakes."""
        return len(self._find_misses(beliefs)) + _PRICE * len(beliefs)

    def _fits(self, beliefs: Sequence[Belief], task: str) -> bool:
        return self._is_answer(task, self._look_up(beliefs, task))

    def _look_up(self, beliefs: Sequence[Belief], task: str) -> Mapping[str, str]:
        predicted = self._predict(beliefs) or {}
        return predicted.get(task, self.by.right[task])

    def _weigh(self, chosen: Sequence[Belief], place: int) -> Evidence:
        """Return what speaks for one of a set: where the answers hang on it."""
        rest = [item for number, item in enumerate(chosen) if number != place]
        hanging = [
            task
            for task in self._predict(chosen) or {}
            if self._look_up(chosen, task) != self._look_up(rest, task)
        ]
        explained = tuple(task for task in hanging if self._fits(chosen, task))
        contradicted = tuple(task for task in hanging if task not in explained)
        left = sum(not self._fits(chosen, task) for task in self.errors)
        rate = (left + 1) / (len(self.stated) + 2)
        chance = len(self.by.beliefs) * _compute_tail(len(hanging), len(explained), rate)
        return Evidence(chosen[place], explained, contradicted, min(1.0, chance))


def _compute_tail(count: int, hits: int, rate: float) -> float:
    """Return how likely so many of some tries hit, or more."""
    return sum(
        comb(count, number) * rate**number * (1 - rate) ** (count - number)
        for number in range(hits, count + 1)
    )
