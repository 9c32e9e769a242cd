"""Rows that fill up after those that cover, in an order that further ones extend and never change.

Rows are drawn in batches whose sizes no request changes. Each batch is mixed as asked; numbers of
their own decide which task comes first where several have a turn, so that neither a task's place
nor its id reveals what it is.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, repeat

from sopforge.language.domain.documents.schema import DatasetDocument
from sopforge.language.domain.model import DomainModel
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.bulk import label_columns
from sopforge.proof.dataset.sampling.candidates import FILL, Candidate, make_task_id
from sopforge.proof.dataset.sampling.placing import ATTEMPTS_PER_TASK, Places
from sopforge.proof.dataset.sampling.sampling import sample_columns, sample_rows
from sopforge.proof.dataset.sampling.screening import Path, screen_rows
from sopforge.proof.solving.unfolded_places import TooManyStepsError
from sopforge.seeds import draw

FIRST_TASKS = 200
CLASHES = "a reference leads to a record of another task"
ALIKE = "another task is alike"
AT_ONCE = 512


@dataclass(frozen=True, slots=True)
class Batch:
    """Attempts ``first`` to ``last`` - 1, which bring the tasks up to ``tasks``."""

    first: int
    last: int
    tasks: int


def iterate_batches(wanted: int, most: int | None = None) -> Iterator[Batch]:
    """Return the batches for so many tasks, of at most so many attempts; more tasks only add some.

    >>> [(batch.last, batch.tasks) for batch in iterate_batches(500)]
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
    """Rows that wait for their turn, by what they are mixed over; ``shown`` is what tasks show."""

    model: DomainModel
    asked: DatasetDocument
    places: Places
    shown: set[str]
    attempts: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    waiting: defaultdict[Path, deque[int]] = field(default_factory=lambda: defaultdict(deque))
    taken: Counter[Path] = field(default_factory=Counter)
    at_hand: dict[int, Candidate] = field(default_factory=dict)

    def iterate_rows(self, most: int | None) -> Iterator[Candidate]:
        """Return the rows in order, as long as so many attempts have them."""
        done = 0
        for batch in iterate_batches(self.asked.n_samples, most):
            self.queue_attempts(range(batch.first, batch.last))
            # The drawn order is a natural mix by itself: only others keep rows for later batches.
            while (self.asked.mix == "natural" or done < batch.tasks) and (
                found := self.take_turn()
            ):
                done += len(found)
                yield from found

    def count(self, tasks: Iterable[Candidate]) -> None:
        """Let tasks that stand among those that fill up have had their turn."""
        primary = self.model.primary
        groups: Mapping[str, Callable[[Candidate], Path]] = {
            "balanced": lambda task: tuple(task.walk.path),
            "outcomes": lambda task: (primary.format_cell(task.walk.known.get(primary.name)),),
            "natural": lambda _: (),
        }
        self.taken.update(groups[self.asked.mix](task) for task in tasks)

    def queue_attempts(self, attempts: Sequence[int]) -> None:
        """Let the rows of further attempts wait, after those that wait already."""
        found = screen_rows(self.model, self.asked.seed, attempts)
        self.attempts += len(attempts)
        self.rejected.update(found.rejected)
        for group, numbers in self.group_rows(found.paths).items():
            self.waiting[group].extend(numbers)

    def group_rows(self, paths: Mapping[int, Path]) -> dict[Path, list[int]]:
        """Divide rows by what is mixed: their paths, their primary outcomes, or nothing."""
        found: defaultdict[Path, list[int]] = defaultdict(list)
        groups: Iterable[Path] = paths.values() if self.asked.mix == "balanced" else repeat(())
        if self.asked.mix == "outcomes":
            groups = self.compute_answers(list(paths))
        # Not strict, for the one group of a natural mix is repeated without end.
        for number, group in zip(paths, groups, strict=False):
            found[group].append(number)
        return found

    def compute_answers(self, numbers: Sequence[int]) -> Iterator[Path]:
        """Return the primary outcome of each row; of a short procedure, from whole columns."""
        primary, seed = self.model.primary, self.asked.seed
        try:
            labels = label_columns(self.model, sample_columns(self.model, seed, numbers))
        except TooManyStepsError:
            drawn = (
                task.walk.known.get(primary.name) for task in label_rows(self.model, seed, numbers)
            )
        else:
            answers = labels[primary.name]
            pairs = zip(answers.values.tolist(), answers.present.tolist(), strict=True)
            drawn = (value if there else None for value, there in pairs)
        return ((primary.format_cell(value),) for value in drawn)

    def take_turn(self) -> list[Candidate]:
        """Return one more row of each group of which there are fewest, shuffled."""
        while open_ := [group for group, numbers in self.waiting.items() if numbers]:
            fewest = min(self.taken[group] for group in open_)
            due = sorted(group for group in open_ if self.taken[group] == fewest)
            self.label_next_rows(due)
            found = [task for group in due for task in self.take_next_row(group)]
            if found:
                return sorted(found, key=lambda task: draw(self.asked.seed, "turn", task.number))
        return []

    def take_next_row(self, group: Path) -> list[Candidate]:
        """Take the next row of a group that is unlike the others, if there is one."""
        while waiting := self.waiting[group]:
            self.label_next_rows([group])
            task = self.at_hand.pop(waiting.popleft())
            shows = task.format_visible_data(self.model)
            reason = self.find_rejection_reason(task, shows)
            if not reason:
                self.shown.add(shows)
                self.taken[group] += 1
                return [task]
            self.rejected[reason] += 1
        return []

    def label_next_rows(self, groups: Sequence[Path]) -> None:
        """See to it that the next row of each group is labelled, and many others with them."""
        open_ = [group for group in groups if self.waiting[group][0] not in self.at_hand]
        # Rows are sampled as columns: many at once take little longer than one.
        share = max(1, AT_ONCE // len(groups))
        numbers = [number for group in open_ for number in islice(self.waiting[group], share)]
        self.at_hand.update(
            {task.number: task for task in label_rows(self.model, self.asked.seed, numbers)}
        )

    def find_rejection_reason(self, task: Candidate, shows: str) -> str:
        """Return why a row may not stand beside the others, "" if it may."""
        if self.places.has_key_clash(task.row):
            return CLASHES
        return ALIKE if shows in self.shown else ""


def label_rows(model: DomainModel, seed: int, numbers: Sequence[int]) -> Iterator[Candidate]:
    """Return the rows of these numbers with their walks, labelled as they are asked for."""
    for start in range(0, len(numbers), AT_ONCE):
        piece = numbers[start : start + AT_ONCE]
        for number, row in zip(piece, sample_rows(model, seed, piece), strict=True):
            name = make_task_id(model, seed, number, row)
            yield Candidate(name, f"{FILL}{number}", number, row, label_row(model, row))
