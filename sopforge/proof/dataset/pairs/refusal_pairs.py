"""Pairs: for each leaf that refuses a case, the nearest case that it lets through.

The two differ in one datum: a value that the case states, a column of a record, or the record that
a reference leads to. Whoever always acts is wrong on the one, whoever never does on the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from sopforge.language.domain.expressions.expressions import (
    AllOf,
    Compare,
    Constant,
    Expression,
    Not,
    Presence,
    Read,
    Relation,
)
from sopforge.language.domain.fields import STORED, Entity, Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.references import iterate_below
from sopforge.language.domain.tasks import PAIR
from sopforge.language.domain.values.types import BooleanType, ListType, Value
from sopforge.language.logic.readings.scalar import holds
from sopforge.progress.tracking import track
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.pairs.deciding import (
    Leaf,
    build_acting_condition,
    has_acted,
    list_deciding_leaves,
    observe,
)
from sopforge.proof.dataset.sampling.candidates import Candidate
from sopforge.proof.dataset.sampling.completions import Completions
from sopforge.proof.dataset.sampling.placing import NoKeyLeftError, Places
from sopforge.proof.solving import budgets
from sopforge.proof.solving.questions import NoRow, Undecided
from sopforge.proof.solving.search.witnesses import find_witness
from sopforge.proof.solving.unfolded_places import TooManyStepsError

TRIED = 3
"""How many refused cases of a leaf are tried."""
FULL_TRIED = 20
"""How many drawn rows are looked at for the records that a case lacks."""
Row = Mapping[str, Value | None]


class Alone(StrEnum):
    """Why no case that a leaf refuses has a neighbour which acts, the most that is known last."""

    NO_DATUM = "no datum"
    PROVED = "proved"
    SAME_LEAF = "same leaf"
    NO_TASK = "no task"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Paired:
    """Tasks with those of pairs marked, and the leaves of which no case has such a neighbour.

    ``alone`` has the reason for each leaf.
    """

    tasks: tuple[Candidate, ...]
    alone: Mapping[str, Alone]

    def as_report(self) -> dict[str, object]:
        """Return the pairs, each a refused task and its neighbour, and the leaves without."""
        return {
            "paired": list_pairs(self.tasks),
            "alone": list(self.alone),
            **({"why_alone": dict(self.alone)} if self.alone else {}),
        }


def list_pairs(tasks: Iterable[Candidate]) -> dict[str, list[str]]:
    """Return the tasks of each pair: the refused one, and its neighbour."""
    found: dict[str, list[str]] = {}
    for task in sorted(tasks, key=lambda task: task.key == f"{PAIR}{task.pair}"):
        if task.pair:
            found.setdefault(task.pair, []).append(task.id)
    return dict(sorted(found.items()))


def find_pairs(
    model: DomainModel, tasks: Sequence[Candidate], places: Places, draw_full: Callable[[str], Row]
) -> Paired:
    """Return the tasks with a pair for each leaf that alone refuses some case of theirs.

    A task belongs to one pair; where a leaf has no other, a case like it stands there as well.
    ``draw_full`` returns a drawn row that has all its records: what a case without one lets be
    known of the record that its neighbour has.
    """
    try:
        acting = build_acting_condition(model)
    except TooManyStepsError:
        return Paired(tuple(tasks), {})
    pairing = _Pairing(model, acting, places, draw_full)
    pairing.keep(tasks)
    alone = {}
    for leaf, cases in track(
        list(_group_by_leaf(model, tasks).items()), "reasons for refusal paired"
    ):
        if not pairing.pair_leaf(leaf, cases):
            alone[leaf] = pairing.why
    return Paired(tuple(pairing.tasks.values()), alone)


def _group_by_leaf(
    model: DomainModel, tasks: Iterable[Candidate]
) -> dict[str, list[tuple[Candidate, Leaf]]]:
    """Return the cases that change nothing, by the leaves of what decides it."""
    found: dict[str, list[tuple[Candidate, Leaf]]] = {}
    for task in tasks:
        if not has_acted(model, task.walk):
            for leaf in list_deciding_leaves(model, task.row, task.walk):
                found.setdefault(leaf.id, []).append((task, leaf))
    return dict(sorted(found.items()))


@dataclass(slots=True)
class _Pairing:
    """Finds the neighbours of refused cases, and keeps the tasks with those found.

    ``why`` says of the leaf that was tried last what kept its cases from a neighbour.
    """

    model: DomainModel
    acting: Expression
    places: Places
    draw_full: Callable[[str], Row]
    tasks: dict[str, Candidate] = field(default_factory=dict)
    shown: set[str] = field(default_factory=set)
    """What is seen of the tasks: no two may be alike."""
    why: Alone = Alone.NO_DATUM

    def keep(self, tasks: Iterable[Candidate]) -> None:
        for task in tasks:
            self.tasks[task.id] = task
            self.shown.add(task.format_visible_data(self.model))

    def note(self, why: Alone) -> None:
        """Keep the reason that leaves the most open: what is not settled is not proved."""
        order = list(Alone)
        self.why = max(self.why, why, key=order.index)

    def pair_leaf(self, leaf: str, cases: Sequence[tuple[Candidate, Leaf]]) -> bool:
        """Return whether a case that a leaf refuses has a neighbour, which is now a task."""
        self.why = Alone.NO_DATUM
        free = [pair for pair in cases if not self.tasks[pair[0].id].pair]
        for case, test in [*free, *(pair for pair in cases if pair not in free)][:TRIED]:
            row = self.find_neighbour(case, test)
            if row is None:
                continue
            found = self.place_pair(case, test, row)
            if found is not None:
                self.keep(replace(task, pair=leaf) for task in found)
                return True
            self.note(Alone.NO_TASK)
        return False

    def place_pair(
        self, case: Candidate, leaf: Leaf, row: Row
    ) -> tuple[Candidate, Candidate] | None:
        """Return a refused case and its neighbour as tasks that are like no others.

        The case is itself a task where no other pair has it; else, and where a task is like its
        neighbour, another value that decides nothing here sets both apart.
        """
        has_other = bool(self.tasks[case.id].pair)
        changes: list[Row] = [] if has_other else [{}]
        for change in [*changes, *_iterate_changes(self.model, case.row, leaf.reads)]:
            refused: Candidate | None = case
            if change:
                key = f"{PAIR}{leaf.id}, refused"
                refused = self.place(case, {**case.row, **change}, key)
                if refused is None or refused.walk.path != case.walk.path:
                    continue
            neighbour = self.place(case, {**row, **change}, f"{PAIR}{leaf.id}")
            if refused and neighbour and self.are_opposite(refused, neighbour, leaf):
                return refused, neighbour
        return None

    def are_opposite(self, refused: Candidate, neighbour: Candidate, leaf: Leaf) -> bool:
        """Return whether a leaf decides for one task against changes, and lets the other change."""
        one, other = (
            holds(leaf.test, observe(self.model, task.row, task.walk))
            for task in (refused, neighbour)
        )
        return (
            one != other
            and has_acted(self.model, neighbour.walk)
            and not has_acted(self.model, refused.walk)
        )

    def find_neighbour(self, case: Candidate, leaf: Leaf) -> Row | None:
        """Return the nearest row that acts, on which the leaf holds where it did not, or not."""
        before = holds(leaf.test, observe(self.model, case.row, case.walk))
        for datum in _list_data(self.model, case.row, leaf.reads):
            base = self.fill(case, datum)
            row = _solve_neighbour(self.model, self.acting, base, datum)
            if isinstance(row, Alone):
                self.note(row)
            else:
                seen = observe(self.model, row, label_row(self.model, row))
                if holds(leaf.test, seen) != before:
                    return row
                self.note(Alone.SAME_LEAF)
        return None

    def fill(self, case: Candidate, datum: frozenset[str]) -> Row:
        """Return a case with values for the record of which it has none, where it may change."""
        lacking = [
            entity
            for entity in self.model.references
            if entity.name in datum and case.row[entity.name] is None
        ]
        if not lacking:
            return case.row
        full = self.draw_with(lacking, f"{PAIR}{case.key}")
        missing = [entity.key for entity in lacking if case.row[entity.key] is None]
        held = [name for entity in lacking for name in entity.fields]
        return {**case.row, **{name: full[name] for name in (*missing, *held)}}

    def draw_with(self, entities: Sequence[Entity], name: str) -> Row:
        """Return a drawn row that has some records, if one comes soon: tables may lack them too."""
        names = (name, *(f"{name} {turn}" for turn in range(1, FULL_TRIED)))
        rows = map(self.draw_full, names)
        whole = (row for row in rows if all(row[entity.name] for entity in entities))
        return next(whole, None) or self.draw_full(name)

    def place(self, case: Candidate, row: Row, key: str) -> Candidate | None:
        """Return a row as a task of its own: its identifiers are, and its changed records'."""
        try:
            own = self.places.with_own_records(dict(row), case.row, key)
            own = self.places.with_own_texts(own, key)
        except NoKeyLeftError:
            return None
        if self.places.has_key_clash(own) or _has_nameless_record(self.model, own):
            return None
        walk = label_row(self.model, own)
        if walk.refusal or walk.undecided or Completions(self.model).is_determined(own):
            return None
        found = self.places.make_candidate(key, own, walk)
        return None if found.format_visible_data(self.model) in self.shown else found


def _has_nameless_record(model: DomainModel, row: Row) -> bool:
    return any(row[entity.name] and row[entity.key] is None for entity in model.references)


def _iterate_changes(model: DomainModel, row: Row, reads: Iterable[str]) -> Iterator[Row]:
    """Yield single values that a case may state instead, besides those that a leaf reads."""
    keys = {entity.key for entity in model.references}
    for item in model.given:
        value, (low, high) = row[item.name], item.type.bounds
        if item.name in {*keys, *reads} or item.sampling.unique or not isinstance(value, int):
            continue
        for near in (value + step for step in (1, -1, 2, -2)):
            other = {**row, item.name: near}
            if low <= near <= high and all(holds(test, other) for test in model.row_conditions):
                yield {item.name: near}


def _solve_neighbour(
    model: DomainModel, acting: Expression, row: Row, datum: frozenset[str]
) -> dict[str, Value | None] | Alone:
    """Return the nearest row that acts and differs in one datum, or why there is none."""
    condition = AllOf((*_pin(model, row, datum), acting))
    found = find_witness(model, condition, row, budgets.NEIGHBOUR)
    if isinstance(found, NoRow | Undecided):
        return Alone.PROVED if isinstance(found, NoRow) else Alone.UNDECIDED
    differs = {name for name in row if found.get(name) != row[name]}
    fits = differs <= datum and all(holds(test, found) for test in model.row_conditions)
    return found if fits and has_acted(model, label_row(model, found)) else Alone.UNDECIDED


def _list_data(model: DomainModel, row: Row, reads: Iterable[str]) -> list[frozenset[str]]:
    """Return what may be changed as one: a value with all that show it, or a reference."""
    found: list[frozenset[str]] = []
    for name in reads:
        entities = [entity for entity in model.references if entity.key == name]
        if entities:
            found.append(frozenset({name, *iterate_below(model.references, entities[0])}))
            continue
        same = {
            item.name
            for item, one, other in model.list_aliases(name)
            if row[one.key] is not None and row[one.key] == row[other.key]
        }
        found.append(frozenset({name, *same}))
    return list(dict.fromkeys(found))


def _pin(model: DomainModel, row: Row, free: frozenset[str]) -> Iterator[Expression]:
    """Yield that all but one datum is as in a row; lists stay as they are where they can."""
    for item in model.with_role(*STORED):
        if item.name not in free and item.name in row and not isinstance(item.type, ListType):
            yield from _pin_field(item, row[item.name])
    for entity in model.references:
        if entity.name not in free:
            there = Presence(entity.name)
            yield there if row[entity.name] is not None else Not(there)


def _pin_field(item: Field, value: Value | None) -> Iterator[Expression]:
    there = Presence(item.name)
    if item.missing:
        yield there if value is not None else Not(there)
    read = Read(item.type, item.name)
    if isinstance(item.type, BooleanType) and value is not None:
        yield read if value else Not(read)
    elif isinstance(value, int | str):
        yield Compare(Relation.EQ, read, Constant(item.type, value))
