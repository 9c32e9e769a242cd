"""Drawn rows of which one value is moved to where a rule begins to hold, or ceases to.

A value that lies just at a limit is drawn once in thousands of rows. Where a condition of the
procedure holds for a drawn row, and not for the same one with a value of another row in it, such a
limit stands between the two values, and halving finds it: as columns, for thousands of rows at
once. What was drawn near a value moves along with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from sopforge.language.domain.expressions.expressions import (
    Compare,
    Expression,
    Outermost,
    Relation,
    list_ordered_parts,
)
from sopforge.language.domain.fields import STORED, Field, Near
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import (
    ListType,
    OrderedType,
    ValueType,
)
from sopforge.language.logic.readings.programs import Program
from sopforge.language.logic.readings.vector import (
    PIECE,
    Column,
    Columns,
    Vector,
    evaluate_all,
    join_pieces,
)
from sopforge.language.logic.tables import build_decision_value
from sopforge.proof.dataset.sampling.screening import choose_screening
from sopforge.proof.solving.search.searched_rows import collect_aims
from sopforge.proof.solving.unfolding import build_conjunction, unfold
from sopforge.seeds import make_stream

SLIDES = 2
"""How many values of other rows each value of a row is moved towards."""
EACH = 2
"""For how many rows each condition is halved, by each value."""
BESIDE = (-1, 0, 1, 2)
"""Where rows are made: at the last value before a limit (0), after it (1), and one beyond each."""


@dataclass(frozen=True, slots=True)
class Moved:
    """Rows that may be tasks, and for each the number of the drawn row from which it was made."""

    rows: Columns
    sources: Column


@dataclass(frozen=True, slots=True)
class _Slot:
    """A value of rows that can be moved: a field's, or a part's of the first item of a list."""

    name: str
    part: str
    kind: ValueType

    def read(self, rows: Columns) -> Column:
        """Return the values."""
        if self.part:
            return np.asarray(rows.lists[self.name].fields[self.part][:, 0])
        return rows.values[self.name]

    def put(self, rows: Columns, values: Column, where: Column) -> Columns:
        """Return the rows with other values at some of them."""
        if not self.part:
            column = np.where(where, values, rows.values[self.name])
            return replace(rows, values={**rows.values, self.name: column})
        listed = rows.lists[self.name]
        matrix = listed.fields[self.part].copy()
        matrix[:, 0] = np.where(where, values, matrix[:, 0])
        changed = replace(listed, fields={**listed.fields, self.part: matrix})
        return replace(rows, lists={**rows.lists, self.name: changed})


@dataclass(frozen=True, slots=True)
class _Slides:
    """Pairs of values between which a condition changes: of ``sources``, by one slot each.

    With ``low`` it is as it is for the drawn row, with ``high`` it is not.
    """

    sources: Column
    slots: Column
    conditions: Column
    low: Column
    high: Column

    def take(self, places: Column) -> _Slides:
        """Return some of them."""
        return _Slides(
            self.sources[places],
            self.slots[places],
            self.conditions[places],
            self.low[places],
            self.high[places],
        )


def make_boundary_rows(model: DomainModel, rows: Columns, seed: int) -> Moved:
    """Return rows on both sides of the limits that the procedure's conditions have.

    Raises:
        TooManyStepsError: the back edges unroll into too many steps.
    """
    moving = _Moving(model, rows, seed)
    slides = moving.find_limits(moving.find_slides())
    step = slides.high - slides.low
    made, sources = [moving.rows.slice_rows(0, 0)], [np.zeros(0, dtype=np.int64)]
    for beside in BESIDE:
        values = slides.low + beside * step
        within = moving.find_valid(slides.slots, values)
        some = slides.take(within)
        made.append(moving.move(some, values[within]))
        sources.append(some.sources)
    return _keep_tasks(model, Moved(join_pieces(made), np.concatenate(sources)))


def _keep_tasks(model: DomainModel, moved: Moved) -> Moved:
    """Return the rows that may become tasks."""
    screening = choose_screening(model)
    verdicts = [
        verdict
        for first in range(0, moved.rows.count, screening.piece)
        for verdict in screening.judge_rows(moved.rows.slice_rows(first, first + screening.piece))
    ]
    fit = np.array([not isinstance(verdict, str) for verdict in verdicts], dtype=bool)
    places = np.flatnonzero(fit)
    return Moved(moved.rows.take_rows(places), moved.sources[places])


class _Moving:
    """Moves values of drawn rows."""

    def __init__(self, model: DomainModel, rows: Columns, seed: int) -> None:
        self.model, self.rows, self.seed = model, rows, seed
        self.program = Program(_collect_conditions(model))
        self.slots = list(_iterate_slots(model, rows))
        self.near = list(_iterate_near_fields(model))
        self.held = self.judge(rows)

    def judge(self, rows: Columns) -> Column:
        """Return which conditions hold for which rows: a matrix with a line for each condition."""
        values = self.program.run(Vector(rows))
        lines = [
            np.broadcast_to(values[number] != 0, (rows.count,)) for number in self.program.results
        ]
        return np.stack(lines) if lines else np.zeros((0, rows.count), dtype=bool)

    def find_slides(self) -> _Slides:
        """Return pairs of values, the first of them a row's own, between which lies a limit."""
        found = [self.take_few(self.compare(pairs)) for pairs in self.iterate_pairs()]
        if not found:
            nothing = np.zeros(0, dtype=np.int64)
            return _Slides(nothing, nothing, nothing, nothing, nothing)
        return _join_slides(found)

    def iterate_pairs(self) -> Iterator[_Slides]:
        """Yield for each slot the values of rows, beside those that other rows have in it."""
        count = self.rows.count
        for number, slot in enumerate(self.slots):
            values, there = slot.read(self.rows), self.find_there(slot)
            numbers = np.arange(SLIDES * count, dtype=np.uint64)
            stream = make_stream(self.seed, "boundary", slot.name, slot.part)
            sources = np.tile(np.arange(count), SLIDES)
            others = stream.draw_below(max(1, count), numbers).astype(np.int64)
            apart = there[sources] & there[others] & (values[sources] != values[others])
            sources, others = sources[apart], others[apart]
            for first in range(0, len(sources), PIECE):
                some, other = sources[first : first + PIECE], others[first : first + PIECE]
                same = np.full(len(some), number)
                yield _Slides(some, same, np.zeros_like(same), values[some], values[other])

    def compare(self, pairs: _Slides) -> _Slides:
        """Return the pairs between which some condition changes, each with one that does."""
        changed = self.judge(self.move(pairs, pairs.high)) != self.held[:, pairs.sources]
        count = changed.sum(axis=0)
        places = np.flatnonzero(count)
        changed, count = changed[:, places], count[places]
        if not len(places):
            return pairs.take(places)
        drawn = make_stream(self.seed, "boundary condition").draw_at(places.astype(np.uint64))
        wanted = (drawn >> 32).astype(np.int64) % count + 1
        conditions = (changed.cumsum(axis=0) == wanted).argmax(axis=0)
        return replace(pairs.take(places), conditions=conditions)

    def take_few(self, slides: _Slides) -> _Slides:
        """Return a few pairs for each condition."""
        order = np.argsort(slides.conditions, kind="stable")
        conditions = slides.conditions[order]
        rank = np.arange(len(order)) - np.searchsorted(conditions, conditions)
        return slides.take(order[rank < EACH])

    def find_limits(self, slides: _Slides) -> _Slides:
        """Return the pairs with nothing between their values."""
        low, high = slides.low.copy(), slides.high.copy()
        held = self.held[slides.conditions, slides.sources]
        while len(apart := np.flatnonzero(abs(high - low) > 1)):
            for first in range(0, len(apart), PIECE):
                here = apart[first : first + PIECE]
                some, middle = slides.take(here), (low[here] + high[here]) // 2
                judged = self.judge(self.move(some, middle))
                same = judged[some.conditions, np.arange(len(here))] == held[here]
                low[here[same]], high[here[~same]] = middle[same], middle[~same]
        return replace(slides, low=low, high=high)

    def move(self, slides: _Slides, values: Column) -> Columns:
        """Return the drawn rows with these values in their slots; what lies near moves along."""
        before = self.rows.take_rows(slides.sources)
        after = before
        for number, slot in enumerate(self.slots):
            here = slides.slots == number
            if here.any():
                after = slot.put(after, values, here)
        for item, nears in self.near:
            own = [number for number, slot in enumerate(self.slots) if slot.name == item.name]
            after = _move_along(item, nears, before, after, ~np.isin(slides.slots, own))
        return after

    def find_there(self, slot: _Slot) -> Column:
        """Return which rows have a value in a slot."""
        if slot.part:
            return np.asarray(self.rows.lists[slot.name].lengths > 0)
        there = np.ones(self.rows.count, dtype=bool)
        owner = self.model.find_owner(slot.name)
        for name in (slot.name, owner.name if owner else ""):
            there = there & self.rows.present.get(name, there)
        return there

    def find_valid(self, slots: Column, values: Column) -> Column:
        """Return the places of values that are in the ranges of their slots."""
        bounds = np.array([slot.kind.bounds for slot in self.slots]).reshape(-1, 2)
        low, high = bounds[slots].T
        return np.flatnonzero((values >= low) & (values <= high))


def _collect_conditions(model: DomainModel) -> list[Expression]:
    """Return the conditions that have limits: of edges, branches, and comparisons within values."""
    places = unfold(model)
    found = collect_aims(model, places)
    for place in places:
        for name, moment in {**place.worked_out, **place.moments}.items():
            value = build_decision_value(model.decisions[name])
            found += [
                build_conjunction(moment.reached, moment.resolve_expression(condition))
                for part in list_ordered_parts([value])
                for condition in _iterate_comparisons(part)
            ]
    return list({id(condition): condition for condition in found}.values())


def _iterate_comparisons(part: Expression) -> Iterator[Expression]:
    """Yield a comparison, and of what is the least or greatest of several which of two it is."""
    if isinstance(part, Compare):
        # Two values are equal where one of them begins to be the greater.
        is_between = part.relation in (Relation.EQ, Relation.NE)
        is_between = is_between and isinstance(part.left.type, OrderedType)
        yield replace(part, relation=Relation.LE) if is_between else part
    elif isinstance(part, Outermost):
        for left, right in combinations(part.operands, 2):
            yield Compare(Relation.LE, left, right)


def _iterate_slots(model: DomainModel, rows: Columns) -> Iterator[_Slot]:
    for item in model.with_role(*STORED):
        if isinstance(item.type, OrderedType):
            yield _Slot(item.name, "", item.type)
        elif isinstance(item.type, ListType) and rows.lists[item.name].lengths.any():
            for part, kind in item.type.fields:
                if isinstance(kind, OrderedType):
                    yield _Slot(item.name, part, kind)


def _iterate_near_fields(model: DomainModel) -> Iterator[tuple[Field, Sequence[Near]]]:
    """Yield the fields that are drawn near other values, in the order in which they are drawn."""
    # As in sampling: records from the farthest to the case's own.
    records = [name for entity in reversed(model.references) for name in entity.fields]
    own = [item.name for item in model.with_role(*STORED) if item.name not in records]
    for item in (model.fields[name] for name in (*records, *own)):
        samplings = (*(part.sampling for part in item.sampling.given), item.sampling)
        nears = [sampling.near for sampling in samplings if sampling.near is not None]
        if nears:
            yield item, nears


def _move_along(
    item: Field, nears: Sequence[Near], before: Columns, after: Columns, where: Column
) -> Columns:
    """Return the rows with a field as far from what it is drawn near as it was."""
    values, moved = before.values[item.name], after.values[item.name]
    middles = [near.value for near in nears]
    pairs = zip(nears, evaluate_all(middles, before), evaluate_all(middles, after), strict=True)
    for near, old, new in pairs:
        offset = values - old
        close = where & (offset >= near.low) & (offset <= near.high)
        moved = np.where(close, np.clip(new + offset, *item.type.bounds), moved)
        where = where & ~close
    return replace(after, values={**after.values, item.name: moved})


def _join_slides(parts: Sequence[_Slides]) -> _Slides:
    return _Slides(
        np.concatenate([part.sources for part in parts]),
        np.concatenate([part.slots for part in parts]),
        np.concatenate([part.conditions for part in parts]),
        np.concatenate([part.low for part in parts]),
        np.concatenate([part.high for part in parts]),
    )
