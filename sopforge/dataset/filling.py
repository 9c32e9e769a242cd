"""Rows that fill up behind those that cover, in an order that further ones extend and never change.

Rows are drawn in batches whose sizes no request changes. Each batch is mixed as asked; numbers of
their own decide which task comes first where several have a turn, so that neither a task's place
nor its id tells what it is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

from sopforge.dataset.candidates import FILL, Candidate
from sopforge.dataset.covering import Covering
from sopforge.dataset.oracle import label
from sopforge.dataset.sampling import sample_rows
from sopforge.dataset.screening import Path, screen
from sopforge.domain.model import DomainModel
from sopforge.domain.schema import DatasetDocument
from sopforge.seeds import draw

FIRST_TASKS = 200
ATTEMPTS_PER_TASK = 20
CLASHES = "a reference leads to a record of another task"
ALIKE = "another task is alike"
FIRST, MOST = 8, 4_096


@dataclass(frozen=True, slots=True)
class Batch:
    """Attempts ``first`` to ``last`` - 1, which bring the tasks up to ``tasks``."""

    first: int
    last: int
    tasks: int


def batches(wanted: int, most: int | None = None) -> Iterator[Batch]:
    """Return the batches for so many tasks, of at most so many attempts; more tasks only add some.

    >>> [(batch.last, batch.tasks) for batch in batches(500)]
    [(4000, 200), (8000, 400), (16000, 800)]
    """
    tasks, first = FIRST_TASKS, 0
    while True:
        last = tasks * ATTEMPTS_PER_TASK
        last = last if most is None else min(last, most)
        yield Batch(first, last, tasks)
        if tasks >= wanted:
            return
        tasks, first = tasks * 2, last


@dataclass(slots=True)
class Filling:
    """The rows chosen so far, and those that wait for their turn, by what they are mixed over."""

    model: DomainModel
    asked: DatasetDocument
    covering: Covering
    tasks: list[Candidate] = field(default_factory=list)
    attempts: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    shown: set[str] = field(default_factory=set)
    waiting: dict[Path, Iterator[Candidate]] = field(default_factory=dict)
    taken: Counter[Path] = field(default_factory=Counter)

    def fill(self, most: int | None) -> None:
        """Choose as many rows as are wanted, if so many attempts have them."""
        self.shown = {task.shown(self.model) for task in self.covering.tasks}
        wanted = self.asked.n_samples - len(self.covering.tasks)
        for batch in batches(self.asked.n_samples, most):
            self.draw(range(batch.first, batch.last))
            enough = wanted if self.asked.mix == "natural" else batch.tasks
            while len(self.tasks) < enough and (found := self.turn()):
                self.tasks += found
            if len(self.tasks) >= wanted:
                break
        del self.tasks[wanted:]

    def draw(self, attempts: Sequence[int]) -> None:
        """Let the rows of further attempts wait, behind those that wait already."""
        found = screen(self.model, self.asked.seed, attempts)
        self.attempts += len(attempts)
        self.rejected.update(found.rejected)
        for group, numbers in self.groups(found.paths).items():
            fresh = labelled(self.model, self.asked.seed, numbers)
            self.waiting[group] = chain(self.waiting.get(group, ()), fresh)

    def groups(self, paths: Mapping[int, Path]) -> dict[Path, list[int]]:
        """Divide rows by what is mixed: their paths, their primary outcomes, or nothing."""
        found: defaultdict[Path, list[int]] = defaultdict(list)
        if self.asked.mix == "outcomes":
            primary = self.model.primary
            for task in labelled(self.model, self.asked.seed, list(paths)):
                found[primary.cell(task.walk.known.get(primary.name)),].append(task.number)
        else:
            for number, path in paths.items():
                found[path if self.asked.mix == "balanced" else ()].append(number)
        return found

    def turn(self) -> list[Candidate]:
        """Return one more row of each group of which there are fewest, shuffled."""
        while self.waiting:
            fewest = min(self.taken[group] for group in self.waiting)
            due = sorted(group for group in self.waiting if self.taken[group] == fewest)
            found = [task for group in due for task in self.next_of(group)]
            if found:
                return sorted(found, key=lambda task: draw(0, "turn", task.id))
        return []

    def next_of(self, group: Path) -> list[Candidate]:
        """Take the next row of a group that is unlike the others; an empty group waits no more."""
        found = list(islice(filter(self.fits, self.waiting[group]), 1))
        self.taken[group] += len(found)
        if not found:
            del self.waiting[group]
        self.shown.update(task.shown(self.model) for task in found)
        return found

    def fits(self, task: Candidate) -> bool:
        """Tell whether a row may stand beside the others, and count why not."""
        reason = ""
        if self.covering.places.clashes(task.row):
            reason = CLASHES
        elif task.shown(self.model) in self.shown:
            reason = ALIKE
        self.rejected.update([reason] if reason else [])
        return not reason


def labelled(model: DomainModel, seed: int, numbers: Sequence[int]) -> Iterator[Candidate]:
    """Return the rows of these numbers with their walks, labelled as they are asked for."""
    for piece in _pieces(numbers):
        for number, row in zip(piece, sample_rows(model, seed, piece), strict=True):
            yield Candidate(f"{FILL}{number}", number, row, label(model, row))


def _pieces(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    """Divide numbers into pieces, small ones first: often the first few are enough."""
    start, size = 0, FIRST
    while start < len(numbers):
        yield numbers[start : start + size]
        start, size = start + size, min(2 * size, MOST)
