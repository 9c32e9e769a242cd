"""Diagnosis: the smallest set of known mistakes by which an agent's answers can be foretold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import nlargest
from itertools import chain
from math import comb
from typing import TypeAlias

from sopforge.evaluation.diagnosis.figures import Mistaken
from sopforge.evaluation.diagnosis.hypotheses import (
    Answers,
    Belief,
    answer_with_all,
    group_mistakes,
)
from sopforge.evaluation.diagnosis.merging import MergeConflictError
from sopforge.evaluation.diagnosis.refining import Refiner
from sopforge.evaluation.diagnosis.sharpening import propose_mistakes
from sopforge.harness.scoring.trajectories import is_equal
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.proof.dataset.distinguishing import AnswerFinder
from sopforge.proof.dataset.records import Row

_Cell: TypeAlias = tuple[str, str]
"""A task, and one of its outcomes."""
MOST_MISTAKES = 3
"""So many mistakes are looked for at once, at most."""
_WIDTH = 10
"""How many sets are grown, and by how many mistakes each."""
_MOST_REFINED = 4
"""Of so many figures other values are tried before any mistake is chosen."""
_MOST_ASKED = 5
"""Of so many wrong answers it is asked which figure leads to them."""
_PRICE = 0.9
"""Of how many outcomes each mistake has to foretell more, at least."""
LEVEL = 0.05
"""How likely one statement or more may be by chance, of an agent that errs at random."""
MOST_SLIPS = 0.1
"""Of the answers that hang on a mistake: so many may be other ones, for each that is as by it."""
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
        """Whether it is more than a guess: found by some answers, it has foretold another one.

        An agent may slip at times, and not often.
        """
        is_followed = len(self.contradicted) <= MOST_SLIPS * len(self.explained)
        return len(self.explained) > 1 and is_followed and self.chance <= LEVEL

    @property
    def is_likely(self) -> bool:
        """Whether more of the answers that hang on it are as by it than are not."""
        return len(self.explained) > len(self.contradicted)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The mistakes that explain an agent's answers, and the errors that none explains.

    ``unexplained`` are the errors that the mistakes found do not lead to. ``further`` names, for
    some of these tasks, a mistake that alone leads to the very answer, though too little speaks for
    it. ``constant`` is the answer that the agent gave to each task, whatever was right there. Such
    answers show no reading of the rules, so that no mistake is looked for.
    """

    tasks: int
    errors: tuple[str, ...]
    found: tuple[Evidence, ...]
    unexplained: tuple[str, ...]
    constant: Mapping[str, str] | None = None
    further: Mapping[str, Belief] = field(default_factory=dict)

    @property
    def unknown(self) -> tuple[str, ...]:
        """The errors that no known mistake leads to, as far as mistakes were looked for."""
        return tuple(task for task in self.unexplained if task not in self.further)

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

    @cached_property
    def finder(self) -> AnswerFinder:
        """What finds the answers of somebody who makes several mistakes."""
        return AnswerFinder(self.model, self.rows)

    def diagnose(self, stated: Answers) -> Diagnosis:
        """Return what explains the answers that an agent stated at some tasks."""
        return _Case(self, stated).diagnose()


@dataclass(frozen=True)
class _Case:
    """One agent's answers, and what can be said of them."""

    by: Diagnostician
    stated: Answers
    kept: dict[tuple[str, ...], Answers | None] = field(default_factory=dict)
    refined: dict[str, Belief] = field(default_factory=dict)
    """Figures at the values by which most is foretold, by the ids of beliefs."""
    tried: dict[str, int] = field(default_factory=dict)
    """How many values of a figure were tried that no belief has."""

    def diagnose(self) -> Diagnosis:
        if self._is_constant:
            answer = next(iter(self.stated.values()))
            return Diagnosis(len(self.stated), self.errors, (), self.errors, answer)
        chosen = self._choose()
        while True:
            evidence = tuple(self._weigh(chosen, place) for place in range(len(chosen)))
            if all(item.is_likely for item in evidence):
                break
            # It may foretell single outcomes, and yet no answer as a whole.
            chosen = tuple(item.belief for item in evidence if item.is_likely)
        unexplained = tuple(task for task in self.errors if not self._fits(chosen, task))
        further = self._find_further(unexplained)
        return Diagnosis(len(self.stated), self.errors, evidence, unexplained, further=further)

    def _find_further(self, tasks: Sequence[str]) -> dict[str, Belief]:
        """Return by task the mistake with that very answer which gets most other answers right."""
        ranked = sorted(
            zip(self.by.beliefs, self._matches, strict=True),
            key=lambda pair: len(pair[1][1]) - len(pair[1][0]),
        )
        found: dict[str, Belief] = {}
        for task in tasks:
            for belief, _ in ranked:
                if task in belief.answers and self._is_answer(task, belief.answers[task]):
                    found[task] = belief
                    break
        return found

    @cached_property
    def errors(self) -> tuple[str, ...]:
        return tuple(task for task in self.stated if not self._is_answer(task, self.by.right[task]))

    @property
    def _is_constant(self) -> bool:
        """Whether all answers are the same where the right ones are not."""
        first, *others = self.stated
        is_same = all(self.stated[task] == self.stated[first] for task in others)
        return is_same and any(self.by.right[task] != self.by.right[first] for task in others)

    @cached_property
    def _outcomes(self) -> Sequence[Field]:
        return self.by.model.outcomes

    def _is_answer(self, task: str, answer: Mapping[str, str]) -> bool:
        return all(self._is_cell(task, item, answer) for item in self._outcomes)

    def _is_cell(self, task: str, item: Field, answer: Mapping[str, str]) -> bool:
        """Return whether an answer has an outcome as the agent stated it."""
        expected, stated = answer.get(item.name), self.stated[task].get(item.name)
        return expected == stated or is_equal(item, expected, stated)

    def _choose(self) -> tuple[Belief, ...]:
        """Return the set by which fewest outcomes are foretold wrong, each mistake at its price.

        Sets grow by one mistake at a time, of the best sets and the mistakes that seem to bring
        them most; what a set really comes to is worked out.
        """
        self._refine_likely()
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
        chosen = self._improve(min(sets, key=lambda group: (self._rate(group), len(group))))
        for _ in range(MOST_MISTAKES):
            finer = self._refine(chosen)
            if self._rate(finer) >= self._rate(chosen):
                return finer
            chosen = self._improve(finer)
        return self._refine(chosen)

    def _refine_likely(self) -> None:
        """Refine the figures of which some value alone has most outcomes wrong as the agent has."""
        hits: dict[str, int] = {}
        likely: dict[str, Belief] = {}
        for belief, (found, _) in zip(self.by.beliefs, self._matches, strict=True):
            for reading in belief.readings if found else ():
                name = reading.figure.name if reading.figure else ""
                if name and len(found) > hits.get(name, 0):
                    hits[name], likely[name] = len(found), belief
        for name in nlargest(_MOST_REFINED, hits, key=lambda name: hits[name]):
            self._refine_one((likely[name],), 0, name)
        for belief in self._propose():
            self.refined.setdefault(belief.id, belief)

    def _propose(self) -> list[Belief]:
        """Return the figures by another value of which exactly some wrong answers are worked out.

        Of an amount, no other value is near the right one: it says itself what led to it.
        """
        step = max(1, len(self.errors) // _MOST_ASKED)
        found: dict[str, Mistaken] = {}
        for task in self.errors[::step][:_MOST_ASKED]:
            case = self.by.rows[task], self.by.right[task], self.stated[task]
            found |= {item.mutant.id: item for item in propose_mistakes(self.by.model, *case)}
        self.tried["proposed"] = len(found)
        return group_mistakes(self.by.finder, found.values())

    def _refine(self, chosen: tuple[Belief, ...]) -> tuple[Belief, ...]:
        """Return a set whose figures have the values by which most is foretold."""
        for place, belief in enumerate(chosen):
            for name in dict.fromkeys(item.figure.name for item in belief.readings if item.figure):
                found = self._refine_one(chosen, place, name)
                if found and self._rate(found) <= self._rate(chosen):
                    chosen = found
        return chosen

    def _refine_one(
        self, chosen: tuple[Belief, ...], place: int, name: str
    ) -> tuple[Belief, ...] | None:
        """Return a set in which the figure of one mistake has the best value."""
        belief = chosen[place]
        readings = [item for item in belief.readings if item.figure and item.figure.name == name]
        figure = readings[0].figure if readings else None
        if figure is None:
            return None

        def put(other: Belief) -> tuple[Belief, ...]:
            return (*chosen[:place], other, *chosen[place + 1 :])

        refiner = Refiner(self.by.finder, figure, lambda other: self._rate(put(other)))
        known = {
            item.value
            for other in self.by.beliefs
            for item in other.readings
            if item.figure and item.figure.name == name
        }
        found = refiner.refine(sorted(known))
        self.tried[name] = max(self.tried.get(name, 0), len(refiner.tried - known))
        if found is None:
            return None
        if found.answers == belief.answers:
            # The closed list may have the same mistake in other words.
            ids = {item.mutant.id for item in found.readings}
            others = (item for item in belief.readings if item.mutant.id not in ids)
            found = Belief((*found.readings, *others), found.answers)
        self.refined[found.id] = found
        return put(found)

    def _improve(self, chosen: tuple[Belief, ...]) -> tuple[Belief, ...]:
        """Return a set in which no exchange of one mistake for another foretells more."""
        while True:
            rests = [tuple(item for item in chosen if item is not one) for one in chosen]
            others = [group for rest in rests for group in (rest, *self._grow(rest))]
            best = min(others, key=self._rate, default=chosen)
            if self._rate(best) >= self._rate(chosen):
                return chosen
            chosen = best

    def _grow(self, chosen: tuple[Belief, ...]) -> Iterator[tuple[Belief, ...]]:
        """Yield a set with one mistake more, those that seem to bring most.

        What a mistake would get wrong counts where no other one of the set is at work: where one
        is, together they may come to something else.
        """
        left, changed = self._find_misses(chosen), self._predict(chosen) or {}
        refined = list(self.refined.values())
        pool = [*refined, *self.by.beliefs]
        gains = [
            (len(hits & left) - sum(cell[0] not in changed for cell in misses - left), place)
            for place, (hits, misses) in enumerate([*map(self._match, refined), *self._matches])
        ]
        best = nlargest(_WIDTH, (gain for gain in gains if gain[0] > 0), key=lambda gain: gain[0])
        for _, place in best:
            belief = pool[place]
            if belief not in chosen and self._predict((*chosen, belief)) is not None:
                yield (*chosen, belief)

    @cached_property
    def _matches(self) -> list[tuple[frozenset[_Cell], frozenset[_Cell]]]:
        """For each belief, which outcomes the agent has wrong as it does, and which not."""
        return [self._match(belief) for belief in self.by.beliefs]

    def _match(self, belief: Belief) -> tuple[frozenset[_Cell], frozenset[_Cell]]:
        hits, misses = set[_Cell](), set[_Cell]()
        for task, answer in belief.answers.items():
            right = self.by.right[task]
            for item in self._outcomes if task in self.stated else ():
                if answer.get(item.name) != right.get(item.name):
                    found = hits if self._is_cell(task, item, answer) else misses
                    found.add((task, item.name))
        return frozenset(hits), frozenset(misses)

    def _find_misses(self, beliefs: Sequence[Belief]) -> frozenset[_Cell]:
        """Return the outcomes that a set foretells wrong, each with its task.

        Mistakes may meet in a task and change different outcomes of it: one by one, they show.
        """
        predicted = self._predict(beliefs) or {}
        missed = {cell for cell in self._wrong_cells if cell[0] not in predicted}
        for task, answer in predicted.items():
            missed |= set(self._iterate_wrong(task, answer))
        return frozenset(missed)

    @cached_property
    def _wrong_cells(self) -> frozenset[_Cell]:
        wrong = (self._iterate_wrong(task, self.by.right[task]) for task in self.errors)
        return frozenset(chain.from_iterable(wrong))

    def _iterate_wrong(self, task: str, answer: Mapping[str, str]) -> Iterator[_Cell]:
        for item in self._outcomes:
            if not self._is_cell(task, item, answer):
                yield task, item.name

    def _predict(self, beliefs: Sequence[Belief]) -> Answers | None:
        """Return what follows from a set where it is not right, None where it cannot be."""
        key = tuple(sorted(item.id for item in beliefs))
        if key not in self.kept:
            try:
                found = answer_with_all(self.by.finder, beliefs) if beliefs else {}
            except MergeConflictError:
                self.kept[key] = None
            else:
                self.kept[key] = {task: found[task] for task in found if task in self.stated}
        return self.kept[key]

    def _rate(self, beliefs: Sequence[Belief]) -> float:
        """Return how many outcomes a set foretells wrong, with the price of its mistakes."""
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
        tried = len(self.by.beliefs) + sum(self.tried.values())
        chance = tried * _compute_tail(len(hanging), len(explained), rate)
        return Evidence(chosen[place], explained, contradicted, min(1.0, chance))


def _compute_tail(count: int, hits: int, rate: float) -> float:
    """Return how likely so many of some tries hit, or more."""
    return sum(
        comb(count, number) * rate**number * (1 - rate) ** (count - number)
        for number in range(hits, count + 1)
    )
