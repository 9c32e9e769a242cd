"""Refining: for which values of a figure the answers of an agent are foretold best."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from sopforge.evaluation.diagnosis.figures import Figure, Mistaken
from sopforge.evaluation.diagnosis.hypotheses import Belief, group_mistakes
from sopforge.evaluation.diagnosis.sharpening import list_finer_values
from sopforge.proof.dataset.distinguishing import AnswerFinder

_NEAR = 6
"""So many units to each side of the right value, all are tried: of small numbers, most."""
_MOST_ROUNDS = 8
"""Each narrows the values some thirtyfold."""


@dataclass
class Refiner:
    """Tries values of one figure; ``rate`` says how many outcomes a belief foretells wrong."""

    finder: AnswerFinder
    figure: Figure
    rate: Callable[[Belief], float]
    found: dict[int, tuple[float, Belief]] = field(default_factory=dict)
    tried: set[int] = field(default_factory=set)
    """All values, those too that no rule can have or no case shows."""

    def refine(self, values: Iterable[int]) -> Belief | None:
        """Return the best value, with the lowest and highest that no case distinguishes from it.

        It is looked for near given ones. None where no case shows any of them.
        """
        right = self.figure.value
        near = range(max(right - _NEAR, min(right, 0)), right + _NEAR + 1)
        self._try_values([*values, *near])
        if not self.found:
            return None
        best = self._find_best()
        for _ in range(_MOST_ROUNDS):
            finer = list_finer_values(self.tried, [best], self.figure.value)
            if not finer:
                break
            self._try_values(finer)
            best = self._find_best(best)
        belief = self.found[best][1]
        low, high = self._find_edge(best, -1), self._find_edge(best, 1)
        # The first value is what a belief is known by: the one that was found.
        readings = [self._take_for(value) for value in dict.fromkeys((best, low, high))]
        return Belief(tuple(item for item in readings if item), belief.answers)

    def _take_for(self, value: int) -> Mistaken | None:
        return self.figure.take_for(value)

    def _try_values(self, values: Iterable[int]) -> None:
        # What is never negative is not taken for a negative number.
        least = min(0, self.figure.value)
        new = [value for value in dict.fromkeys(values) if value not in self.tried]
        self.tried |= set(new)
        mistakes = [self._take_for(value) for value in new if value >= least]
        for belief in group_mistakes(self.finder, [item for item in mistakes if item]):
            rated = self.rate(belief), belief
            for reading in belief.readings:
                self.found[reading.value] = rated

    def _find_best(self, known: int | None = None) -> int:
        """Return a value by which fewest are foretold wrong: of several, one that is ``known``."""
        return min(self.found, key=lambda value: (self.found[value][0], value != known))

    def _find_edge(self, best: int, step: int) -> int:
        """Return the last value in one direction that no case distinguishes from the best one."""
        answers = self.found[best][1].answers
        inside, ordered = best, sorted(self.found, reverse=step < 0)
        beyond = None
        for value in ordered[ordered.index(best) :]:
            if self.found[value][1].answers != answers:
                beyond = value
                break
            inside = value
        if beyond is None:
            return inside
        while abs(beyond - inside) > 1:
            middle = (inside + beyond) // 2
            self._try_values([middle])
            is_inside = middle in self.found and self.found[middle][1].answers == answers
            inside, beyond = (middle, beyond) if is_inside else (inside, middle)
        return inside
