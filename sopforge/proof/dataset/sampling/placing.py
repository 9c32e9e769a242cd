"""Rows made for a goal take their place among the others: keys, ids and records of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from sopforge.language.domain.fields import Entity
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.patterns import Pattern
from sopforge.language.domain.values.text_shapes import Shape, find_shape
from sopforge.language.domain.values.types import TextType, Value
from sopforge.language.logic.walking import Walk
from sopforge.proof.dataset.sampling.candidates import GOAL, MOST_IDS, Candidate, make_task_id
from sopforge.proof.dataset.sampling.equal_texts import find_equal_texts
from sopforge.proof.dataset.sampling.following_texts import (
    iterate_followers,
    update_following_texts,
)
from sopforge.proof.dataset.sampling.pattern_texts import count_numbered_texts, make_unique_text
from sopforge.seeds import draw_below

LEAST_FOR_GOALS, MOST_FOR_GOALS = 1_000, 50_000
ATTEMPTS_PER_TASK = 20
Row = dict[str, Value | None]


class NoKeyLeftError(ValueError):
    """A pattern has no text left that no other row uses."""


def count_texts_to_draw(size: int) -> int:
    """Return how many of the texts of a unique pattern are for rows that are drawn."""
    kept = max(LEAST_FOR_GOALS, min(size // 10, MOST_FOR_GOALS))
    return max(size - kept, size // 2)


def count_wanted_keys(tasks: int) -> int:
    """Return how many unique texts are asked for where so many tasks are: a power of ten.

    So many rows are looked at for each task that most of them may fail.

    >>> [count_wanted_keys(tasks) for tasks in (20, 50, 51, 20_000)]
    [1000, 1000, 10000, 1000000]
    """
    wanted = LEAST_FOR_GOALS
    while wanted < ATTEMPTS_PER_TASK * tasks:
        wanted *= 10
    return wanted


def iterate_goal_numbers(goal: str) -> Iterator[int]:
    """Return the row numbers that a goal may have, first its own, then those after it."""
    half = MOST_IDS // 2
    first = draw_below(half, 0, "goal", goal)
    # From a start of its own: a goal's number must not depend on which other goals there are.
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

    def make_candidate(self, key: str, row: Mapping[str, Value | None], walk: Walk) -> Candidate:
        """Return a row as a candidate, with a number and an id of its own."""
        number = self.assign_number(key.removeprefix(GOAL))
        name = make_task_id(self.model, self.seed, number, row)
        return Candidate(name, key, number, row, walk)

    def assign_number(self, goal: str) -> int:
        """Return a row number of its own for a goal, from the upper half of all."""
        number = next(number for number in iterate_goal_numbers(goal) if number not in self.numbers)
        self.numbers.add(number)
        return number

    def with_own_texts(self, row: Mapping[str, Value | None], goal: str) -> Row:
        """Return a row with texts of its own in the fields that are unique."""
        own = dict(row)
        for name in self.model.case.fields:
            item = self.model.fields[name]
            if name in row and isinstance(item.type, TextType) and item.sampling.unique:
                own[name] = self.assign_text(
                    name, count_texts_to_draw(count_numbered_texts(self.get_shape(name))), goal
                )
        return self.align_texts(own)

    @property
    def own_texts(self) -> frozenset[str]:
        """The fields in which a drawn row gets texts of its own when it becomes a task."""
        model = self.model
        unique = {name for name in model.case.fields if model.fields[name].sampling.unique}
        copies = {copy for source, copy in find_equal_texts(model) if source in unique}
        return frozenset(unique | copies | {item.name for item in iterate_followers(model)})

    def with_own_records(self, row: Row, drawn: Mapping[str, Value | None], goal: str) -> Row:
        """Return a changed row with keys of its own for the records that differ from the drawn."""
        own = dict(row)
        for entity in self.model.references:
            if own[entity.name] is None:
                own.update(dict.fromkeys(entity.fields))
        known = {
            entity.name: self.describe_record(entity, drawn) for entity in self.model.references
        }
        fresh: set[str] = set()
        # Again where tables refer to each other in a circle: a new key changes who refers to it.
        while self.give_keys(own, known, fresh, goal):
            pass
        return self.align_texts(own)

    def give_keys(self, own: Row, known: Mapping[str, Row], fresh: set[str], goal: str) -> bool:
        """Give records that are not among the known ones keys of their own, but no ``fresh`` ones.

        Return whether there was any.
        """
        is_changed = False
        # The farthest first: a record with a new key changes the one that refers to it, which
        # then differs from the drawn one as well.
        for entities in self.group_by_table():
            drawn = [known[entity.name] for entity in entities]
            keys = dict.fromkeys(own[entity.key] for entity in entities)
            for key in [key for key in keys if key is not None and key not in fresh]:
                alike = [entity for entity in entities if own[entity.key] == key]
                if self.describe_record(alike[0], own) not in drawn:
                    new = self.assign_text(alike[0].key, alike[0].records, goal)
                    own.update(dict.fromkeys(self.list_keys(entities, own, key), new))
                    fresh.add(new)
                    is_changed = True
        return is_changed

    def list_keys(
        self, entities: Iterable[Entity], row: Mapping[str, Value | None], key: Value
    ) -> list[str]:
        """Return the fields by which a row refers to one record of a table."""
        table = next(iter(entities)).table
        names = [entity.key for entity in entities]
        names += [
            entity.key for entity in self.model.unread.entities.values() if entity.table == table
        ]
        return [name for name in names if row.get(name) == key]

    def group_by_table(self) -> list[list[Entity]]:
        """Return the entities that share records together, those that refer to no others first."""
        model = self.model
        depths: dict[str, int] = {model.case.name: 0}
        groups: dict[str, list[Entity]] = {}
        for entity in model.references:
            owner = model.find_owner(entity.key) or model.case
            depths[entity.name] = depths[owner.name] + 1
            groups.setdefault(entity.store, []).append(entity)
        return sorted(
            groups.values(), key=lambda group: -max(depths[entity.name] for entity in group)
        )

    def describe_record(self, entity: Entity, row: Mapping[str, Value | None]) -> Row:
        """Return a record as all that refer to it find it, its key included."""
        fields = self.model.fields
        found = {fields[name].column or name: row[name] for name in entity.fields}
        return {**found, "key of the record": row[entity.key], "is there": row[entity.name]}

    def align_texts(self, row: Row) -> Row:
        """Return a row in which texts are equal where a constraint says so, or follow, again."""
        own = dict(row)
        # Copies first, for a text may follow from one of them.
        for source, copy in find_equal_texts(self.model):
            if own.get(source):
                own[copy] = own[source]
        return update_following_texts(self.model, own)

    def has_key_clash(self, row: Mapping[str, Value | None]) -> bool:
        """Return whether a row refers to no record by a key that now has one."""
        return any(
            row[entity.name] is None
            and row[entity.key] in self.texts.get(entity.table or entity.key, ())
            for entity in self.model.references
        )

    def assign_text(self, name: str, first: int, goal: str) -> str:
        """Return a text of a field that no other row uses, at or after the ``first``."""
        shape, source = self.get_shape(name), self.name_source(name)
        free, used = count_numbered_texts(shape) - first, self.texts.setdefault(source, set())
        if len(used) >= free:
            raise NoKeyLeftError(name)
        place = draw_below(free, self.seed, source, "goal", goal)
        while (text := make_unique_text(shape, self.seed, source, first + place)) in used:
            place = (place + 1) % free
        used.add(text)
        return text

    def name_source(self, name: str) -> str:
        """Return what the texts of a field are made by: its table, where it refers to one."""
        found = [entity.table for entity in self.model.references if entity.key == name]
        return (found[0] if found else "") or name

    def get_shape(self, name: str) -> Shape:
        kind = self.model.fields[name].type
        shape = find_shape(kind) if isinstance(kind, TextType) else None
        return shape or Pattern(())
