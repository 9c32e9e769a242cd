"""Cross-examination: the next case is the one on which what an agent may believe differs most.

Each belief has a probability, which the agent's answers raise or lower by Bayes' rule. Beside the
mistakes there is the agent that makes none, and one that errs at random or in a manner that is on
no list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from sopforge.evaluation.diagnosis.hypotheses import Answer, Answers, Belief
from sopforge.harness.scoring.trajectories import is_equal
from sopforge.language.domain.model import DomainModel

Codes: TypeAlias = npt.NDArray[np.int16]
Shares: TypeAlias = npt.NDArray[np.float64]

NOISE = 0.03
"""How often an agent's answer is another one than by what it believes."""
SURE = 0.95
"""How probable a belief has to be before it is stated."""
_NO_MISTAKE, _NO_KNOWN_ONE = 0.4, 0.1
"""How probable it is beforehand that an agent makes no mistake, and that it makes none we know."""
_ERRING = 0.2
"""How often an agent errs of which nothing is known."""
LEAST_GAIN = 1e-4
"""In nats: what a case has to say at least."""


@dataclass
class Inquiry:
    """What an agent may believe, and how probable that is after its answers so far.

    ``codes`` has for each belief and task which answer it foretells, by its number: 0 is the right
    one. The first belief is that of no mistake, the last one that of no known one.
    """

    model: DomainModel
    tasks: Sequence[str]
    beliefs: Sequence[Belief]
    known: Sequence[Sequence[Answer]]
    codes: Codes
    logs: Shares
    others: int
    heard: dict[str, int] = field(default_factory=dict)
    given: dict[str, Answer] = field(default_factory=dict)

    @property
    def shares(self) -> Shares:
        """How probable each belief is."""
        found: Shares = np.exp(self.logs - self.logs.max())
        found /= found.sum()
        return found

    def choose(self, least: float = LEAST_GAIN) -> str | None:
        """Return the task that is to be asked next, None where none says so much more, in nats."""
        shares = self.shares[:-1]
        kept = shares > shares.max() * LEAST_GAIN
        shares, codes = shares[kept] / shares[kept].sum(), self.codes[kept]
        gains = [
            0.0 if task in self.heard else _compute_entropy(codes[:, place], shares)
            for place, task in enumerate(self.tasks)
        ]
        best = int(np.argmax(gains))
        return self.tasks[best] if gains[best] > least else None

    def choose_proof(self) -> str | None:
        """Return a task at which the most probable mistake foretells a wrong answer, if any."""
        best = int(self.shares.argmax())
        if self.leader is None:
            return None
        wrong = [task for task in self.leader.answers if task not in self.heard]
        return next((task for task in wrong if self._predict(best, task)), None)

    def hear(self, task: str, answer: Answer) -> None:
        """Take an answer into account."""
        place, code = self.tasks.index(task), self.read_code(task, answer)
        self.heard[task], self.given[task] = code, answer
        expected = self.codes[:, place] == code
        likely = np.where(expected, 1 - NOISE, NOISE / self.others)
        self.logs[:-1] += np.log(likely)
        self.logs[-1] += np.log(1 - _ERRING if code == 0 else _ERRING / self.others)

    def read_code(self, task: str, answer: Answer) -> int:
        """Return which of the answers that are foretold at a task this is, -1 where it is none."""
        known = self.known[self.tasks.index(task)]
        same = (n for n, item in enumerate(known) if is_same_answer(self.model, item, answer))
        return next(same, -1)

    @property
    def is_settled(self) -> bool:
        """Whether a mistake is as good as certain, by two of its answers or more."""
        return self.leader is not None and self.shares.max() >= SURE and len(self.proofs) > 1

    @property
    def leader(self) -> Belief | None:
        """The most probable mistake, None where it is more probable that none is known."""
        best = int(self.shares.argmax())
        return self.beliefs[best - 1] if 0 < best <= len(self.beliefs) else None

    def list_likely(self, most: int) -> list[tuple[Belief, float]]:
        """Return the mistakes that are most probable, each with its probability."""
        shares = self.shares[1:-1]
        order = np.argsort(-shares, kind="stable")[:most]
        return [(self.beliefs[int(place)], float(shares[place])) for place in order]

    @property
    def is_unknown(self) -> bool:
        """Whether it is most probable that the agent errs in a manner that is on no list."""
        return int(self.shares.argmax()) == len(self.beliefs) + 1

    @property
    def errors(self) -> list[str]:
        """The tasks that were answered wrong."""
        return [task for task, code in self.heard.items() if code != 0]

    @property
    def proofs(self) -> list[str]:
        """The tasks that were answered as by the most probable mistake, and wrong."""
        leader = self.leader
        if leader is None:
            return []
        best = int(self.shares.argmax())
        return [task for task, code in self.heard.items() if code == self._predict(best, task) != 0]

    def _predict(self, belief: int, task: str) -> int:
        return int(self.codes[belief, self.tasks.index(task)])


def is_same_answer(model: DomainModel, known: Answer, answer: Answer) -> bool:
    """Return whether an answer says the same of every outcome."""
    pairs = ((item, known.get(item.name), answer.get(item.name)) for item in model.outcomes)
    # Where no rule applies nothing is stated, which is no value of its field.
    return all(one == other or is_equal(item, one, other) for item, one, other in pairs)


def begin_inquiry(
    model: DomainModel,
    right: Answers,
    beliefs: Sequence[Belief],
    each: float | None = None,
    others: int | None = None,
) -> Inquiry:
    """Return an inquiry with some tasks, by what is right there and what mistakes lead to.

    ``each`` is how probable one mistake is beforehand, ``others`` how many wrong answers a task
    may get; without them, mistakes and tasks are all that there are.
    """
    tasks = list(right)
    places = {task: place for place, task in enumerate(tasks)}
    known: list[list[Answer]] = [[right[task]] for task in tasks]
    numbers: list[dict[tuple[tuple[str, str], ...], int]] = [
        {_make_key(right[task]): 0} for task in tasks
    ]
    codes = np.zeros((len(beliefs) + 1, len(tasks)), dtype=np.int16)
    for number, belief in enumerate(beliefs, start=1):
        for task, answer in belief.answers.items():
            place = places[task]
            code = numbers[place].setdefault(_make_key(answer), len(known[place]))
            if code == len(known[place]):
                known[place].append(answer)
            codes[number, place] = code
    prior = _make_prior(len(beliefs), each or compute_prior(len(beliefs)))
    return Inquiry(model, tasks, beliefs, known, codes, prior, others or _count_others(right))


def _count_others(right: Answers) -> int:
    return max(1, len({_make_key(answer) for answer in right.values()}) - 1)


def compute_prior(count: int) -> float:
    """Return how probable each of so many mistakes is beforehand."""
    return (1 - _NO_MISTAKE - _NO_KNOWN_ONE) / max(1, count)


def _make_prior(count: int, each: float) -> Shares:
    logs: Shares = np.log(np.array([_NO_MISTAKE, *([each] * count), _NO_KNOWN_ONE]))
    return logs


def _make_key(answer: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(answer.items()))


def _compute_entropy(codes: npt.NDArray[np.int16], shares: Shares) -> float:
    """Return in nats how much is not known of an answer."""
    found = np.bincount(codes, weights=shares)
    found = found[found > 0]
    return float(-(found * np.log(found)).sum())
