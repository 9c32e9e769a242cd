"""Which candidates become tasks, in an order that further tasks extend and never change.

Candidates come in batches whose sizes no request changes. A batch first adds what meets goals that
no earlier task meets, then fills up. Random numbers of their own decide which candidate comes
first, in a batch and again among the paths: neither a task's place nor its id tells its path.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from sopforge.seeds import draw

FIRST_TASKS = 200
FURTHER_TASKS = 50
ATTEMPTS_PER_TASK = 20

Path = tuple[str, ...]


class Choosable(Protocol):
    """What may become a task."""

    @property
    def id(self) -> str:
        """The task's id."""


Item = TypeVar("Item", bound=Choosable)


@dataclass(frozen=True, slots=True)
class Batch:
    """Attempts ``first`` to ``last`` - 1, which bring the tasks up to ``tasks``."""

    first: int
    last: int
    tasks: int


def batches(wanted: int, most: int | None = None) -> Iterator[Batch]:
    """Return the batches for so many tasks, of at most so many attempts; more tasks only add some.

    >>> [(batch.last, batch.tasks) for batch in batches(251)]
    [(4000, 200), (5000, 250), (6000, 300)]
    """
    tasks, first = FIRST_TASKS, 0
    while True:
        last = tasks * ATTEMPTS_PER_TASK
        yield Batch(first, last if most is None else min(last, most), tasks)
        if tasks >= wanted or (most is not None and last >= most):
            return
        tasks, first = tasks + FURTHER_TASKS, last


@dataclass(slots=True)
class Choice(Generic[Item]):
    """The tasks chosen so far; ``covering`` counts those up to the last that met a new goal."""

    missing: set[str]
    goals_met: Callable[[Item], Iterable[str]]
    group_of: Callable[[Item], Path]
    tasks: list[Item] = field(default_factory=list)
    covering: int = 0
    waiting: defaultdict[Path, deque[Item]] = field(default_factory=lambda: defaultdict(deque))
    taken: Counter[Path] = field(default_factory=Counter)

    def add(self, candidates: Iterable[Item], tasks: int) -> None:
        """Choose from a batch and from what earlier ones left, until there are so many tasks."""
        rest = []
        for item in sorted(candidates, key=lambda item: draw(0, "turn", item.id)):
            met = self.missing.intersection(self.goals_met(item))
            if met:
                self.missing -= met
                self._take(item)
                self.covering = len(self.tasks)
            else:
                rest.append(item)
        for item in rest:
            self.waiting[self.group_of(item)].append(item)
        while len(self.tasks) < tasks and any(self.waiting.values()):
            for item in self._round()[: tasks - len(self.tasks)]:
                self._take(self.waiting[self.group_of(item)].popleft())

    def _round(self) -> list[Item]:
        """Return the next of each group of which there are fewest tasks, shuffled."""
        open_groups = [group for group, items in self.waiting.items() if items]
        fewest = min(self.taken[group] for group in open_groups)
        found = [self.waiting[group][0] for group in open_groups if self.taken[group] == fewest]
        return sorted(found, key=lambda item: draw(0, "round", item.id))

    def _take(self, item: Item) -> None:
        self.tasks.append(item)
        self.taken[self.group_of(item)] += 1
