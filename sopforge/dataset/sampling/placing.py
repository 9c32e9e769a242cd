"""Rows made for a goal take their place among the others: keys, ids and records of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sopforge.dataset.sampling.candidates import MOST_IDS
from sopforge.dataset.sampling.equal_texts import equal_texts
from sopforge.dataset.sampling.following_texts import followers, following_texts
from sopforge.dataset.sampling.pattern_texts import numbered, unique_text
from sopforge.domain.model import DomainModel
from sopforge.domain.values.patterns import Pattern
from sopforge.domain.values.text_shapes import Shape, shape_of
from sopforge.domain.values.types import TextType, Value
from sopforge.seeds import below

LEAST_FOR_GOALS, MOST_FOR_GOALS = 1_000, 50_000
ATTEMPTS_PER_TASK = 20
Row = dict[str, Value | None]


class NoKeyLeftError(ValueError):
    """A pattern has no text left that no other row uses."""


def texts_to_draw(size: int) -> int:
    """Return how many of the texts of a unique pattern are for rows that are drawn."""
    kept = max(LEAST_FOR_GOALS, min(size // 10, MOST_FOR_GOALS))
    return max(size - kept, size // 2)


def keys_wanted(tasks: int) -> int:
    """Return how many unique texts are asked for where so many tasks are: a power of ten.

    So many rows are looked at for each task that most of them may fail.

    >>> [keys_wanted(tasks) for tasks in (20, 50, 51, 20_000)]
    [1000, 1000, 10000, 1000000]
    """
    wanted = LEAST_FOR_GOALS
    while wanted < ATTEMPTS_PER_TASK * tasks:
        wanted *= 10
    return wanted


def numbers_of(goal: str) -> Iterator[int]:
    """Return the row numbers that a goal may have, first its own, then those behind it."""
    half = MOST_IDS // 2
    first = below(half, 0, "goal", goal)
    return (half + (first + step) % half for step in range(half))


@dataclass(slots=True)
class Places:
    """What the rows made so far use; what is used is looked for from a keyed place onward.

    Rows that are drawn take the first texts of a unique pattern, and the records of an entity from
    its first to its last; the others are free.
    """

    model: DomainModel
    seed: int
    numbers: set[int] = field(default_factory=set)
    texts: dict[str, set[str]] = field(default_factory=dict)

    def number(self, goal: str) -> int:
        """Return a row number of its own for a goal, from the upper half of all."""
        number = next(number for number in numbers_of(goal) if number not in self.numbers)
        self.numbers.add(number)
        return number

    def with_own_texts(self, row: Mapping[str, Value | None], goal: str) -> Row:
        """Return a row with texts of its own in the fields that are unique."""
        own = dict(row)
        for name in self.model.case.fields:
            item = self.model.fields[name]
            if name in row and isinstance(item.type, TextType) and item.sampling.unique:
                own[name] = self.text(name, texts_to_draw(numbered(self.shape(name))), goal)
        return self.agreeing(own)

    @property
    def own_texts(self) -> frozenset[str]:
        """The fields in which a drawn row gets texts of its own when it becomes a task."""
        model = self.model
        unique = {name for name in model.case.fields if model.fields[name].sampling.unique}
        copies = {copy for source, copy in equal_texts(model) if source in unique}
        return frozenset(unique | copies | {item.name for item in followers(model)})

    def with_own_records(self, row: Row, drawn: Mapping[str, Value | None], goal: str) -> Row:
        """Return a changed row with keys of its own for the records that differ from the drawn."""
        own = dict(row)
        for entity in reversed(self.model.references):
            if own[entity.name] is None:
                own.update(dict.fromkeys(entity.fields))
            names = (entity.name, entity.key, *entity.fields)
            if own[entity.key] is not None and any(own[name] != drawn[name] for name in names):
                own[entity.key] = self.text(entity.key, entity.records, goal)
        return self.agreeing(own)

    def agreeing(self, row: Row) -> Row:
        """Return a row in which texts are equal where a constraint says so, or follow, again."""
        own = dict(row)
        for source, copy in equal_texts(self.model):
            if own.get(source):
                own[copy] = own[source]
        return following_texts(self.model, own)

    def clashes(self, row: Mapping[str, Value | None]) -> bool:
        """Tell whether a row refers to no record by a key that now has one."""
        return any(
            row[entity.name] is None and row[entity.key] in self.texts.get(entity.key, ())
            for entity in self.model.references
        )

    def text(self, name: str, first: int, goal: str) -> str:
        """Return a text of a field that no other row uses, at or behind the ``first``."""
        shape = self.shape(name)
        free, used = numbered(shape) - first, self.texts.setdefault(name, set())
        if len(used) >= free:
            raise NoKeyLeftError(name)
        place = below(free, self.seed, name, "goal", goal)
        while (text := unique_text(shape, self.seed, name, first + place)) in used:
            place = (place + 1) % free
        used.add(text)
        return text

    def shape(self, name: str) -> Shape:
        kind = self.model.fields[name].type
        shape = shape_of(kind) if isinstance(kind, TextType) else None
        return shape or Pattern(())
