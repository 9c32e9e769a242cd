"""Cases that are looked for step by step, from drawn rows to those that come to rare places.

Rows are first changed until they meet the constraints. Then they are bred: those that take an edge
or a rule that few take have as many offspring as those that take a common one, and an offspring
is its parent with some values drawn anew. All is keyed, so that the same model has the same rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from sopforge.language.domain.expressions.expressions import (
    Choice,
    Element,
    Expression,
    Read,
    iterate_parts,
)
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import ListType, OrderedType, ValueType
from sopforge.language.logic.readings.vector import Column
from sopforge.language.logic.tables import build_decision_value
from sopforge.proof.solving.drawn_rows import COUNT, Draw, read_on
from sopforge.proof.solving.unfolding import (
    FALSE,
    TRUE,
    Unfolded,
    build_conjunction,
    negate_condition,
)

REPAIRS = 48
"""How often drawn rows are changed towards the constraints."""
GENERATIONS = 16
"""How often rows are bred; an edge downstream of others is reached step by step."""
REPAIR_OFFSPRING = 6
TURNS = 4
"""How often what the rows do not hold is drawn for one question."""
CHANGES = 3
"""How many values of an offspring are drawn anew at most."""
LONGEST_STEP = 40

VALUE, PRESENT, LENGTH = "=", "?", "#"
Place: TypeAlias = tuple[str, str]
"""A column of rows: one of these marks and a field, or a list and a field of its items."""


class SearchedRows:
    """The cases of one model that were found; looked for when they are first asked about."""

    def __init__(self, model: DomainModel, places: Sequence[Unfolded]) -> None:
        self.model = model
        self.places = places
        self.herd: _Herd | None = None

    @property
    def is_done(self) -> bool:
        """Whether the cases have been looked for."""
        return self.herd is not None

    def meet(self, conditions: Sequence[Expression], turns: int = TURNS) -> bool:
        """Return whether a case meets all conditions; False proves nothing.

        What the cases do not hold, such as another value of a field, is drawn in several turns.
        """
        herd = self.get_herd()
        return any(herd.has_row_meeting(conditions, turn) for turn in range(turns))

    def get_herd(self) -> _Herd:
        """Return the cases, which are looked for if that was not done yet."""
        if self.herd is None:
            self.herd = _Herd(self.model, collect_aims(self.model, self.places))
            self.herd.breed()
        return self.herd


_latest: list[SearchedRows] = []


def get_searched_rows(model: DomainModel, places: Sequence[Unfolded]) -> SearchedRows:
    """Return the cases of a model, the same ones for examinations that follow each other.

    ``places`` are those of its procedure; without any, nothing is shared.
    """
    if not places:
        return SearchedRows(model, places)
    if not (_latest and _latest[0].model is model):
        _latest[:] = [SearchedRows(model, places)]
    return _latest[0]


def collect_aims(model: DomainModel, places: Sequence[Unfolded]) -> list[Expression]:
    """Return the conditions of all transitions, refusals and branches, at their places."""
    found: list[Expression] = []
    for place in places:
        found += [transition.condition for transition in place.transitions]
        found += [check.condition for check in place.checks]
        for name, moment in {**place.worked_out, **place.moments}.items():
            branches = _iterate_branches(build_decision_value(model.decisions[name]), TRUE)
            found += [
                build_conjunction(moment.reached, moment.resolve_expression(branch))
                for branch in branches
            ]
    return list({id(aim): aim for aim in found if aim is not FALSE}.values())


def _iterate_branches(value: Expression, before: Expression) -> Iterator[Expression]:
    """Return when a value is worked out by which of its branches."""
    # A loop over the else-branches: a table becomes a chain of as many of them as it has rules.
    while isinstance(value, Choice):
        yield from _iterate_branches(value.then, build_conjunction(before, value.condition))
        before, value = (
            build_conjunction(before, negate_condition(value.condition)),
            value.otherwise,
        )
    yield before


class _Herd:
    """Rows as columns, of which those count that meet the constraints."""

    def __init__(self, model: DomainModel, aims: Sequence[Expression]) -> None:
        self.model = model
        self.aims = aims
        self.rows = Draw.from_expressions(model, [*aims, *model.row_conditions])
        read_on(self.rows, [*aims, *model.row_conditions])
        # Decisions follow from the rest of a row: kept, they would be changed, or be out of date.
        for name in [name for name in self.rows.values if name in model.decisions]:
            del self.rows.values[name]
        self.kinds = _collect_kinds(model, [*aims, *model.row_conditions])
        self.about = [self.list_places(constraint) for constraint in model.row_conditions]
        self.broken = self.find_broken_constraints(self.rows)
        self.turn = 0

    def breed(self) -> None:
        """Change the rows until they meet the constraints, and spread them over the aims."""
        for _ in range(REPAIRS):
            self.repair()
        for _ in range(GENERATIONS if self.aims and _list_places(self.rows) else 0):
            self.breed_rows()

    def has_row_meeting(self, conditions: Sequence[Expression], turn: int) -> bool:
        """Return whether a row that meets the constraints meets the conditions too."""
        drawn = Draw.from_expressions(self.model, conditions, f"@{turn}")
        met = ~self.broken.any(axis=0)
        for condition in read_on(_copy_rows(self.rows, drawn), conditions):
            met &= condition != 0
        return bool(met.any())

    def find_broken_constraints(self, rows: Draw) -> Column:
        """Return which rows break which constraint."""
        if not self.model.row_conditions:
            return np.zeros((1, COUNT), dtype=bool)
        return np.stack(
            [held == 0 for held in read_on(_copy_rows(rows, rows), self.model.row_conditions)]
        )

    def repair(self) -> None:
        """Draw a value anew where a constraint is broken, and keep what breaks no more of them."""
        if not self.broken.any():
            return
        self.turn += 1
        # Never 0, which stands for a constraint that holds: the greatest is that of a broken one.
        drawn = self.draw_numbers("constraint", self.broken.shape, 1 << 20) + 1
        first = np.where(self.broken, drawn, 0).argmax(axis=0)
        pick = self.draw_numbers("place", (COUNT,), 1 << 20)
        changes: dict[Place, Column] = {}
        for number, places in enumerate(self.about):
            here = self.broken.any(axis=0) & (first == number)
            for index, place in enumerate(places):
                where = here & (pick % len(places) == index)
                changes[place] = changes.get(place, False) | where
        other = self.apply_changes(self.rows, changes)
        broken = self.find_broken_constraints(other)
        # Also where as many are broken: a change that gains nothing may lead on to one that does.
        self.keep(other, broken, broken.sum(axis=0) <= self.broken.sum(axis=0))

    def breed_rows(self) -> None:
        """Let each aim have as many parents, and change every other of their offspring."""
        self.turn += 1
        parents = self.choose_parents()
        _take(self.rows, parents)
        self.broken = self.broken[:, parents]
        before, broken = _copy_rows(self.rows, self.rows), self.broken
        places = _list_places(self.rows)
        changes: dict[Place, Column] = {place: np.zeros(COUNT, dtype=bool) for place in places}
        # Every other row stays as its parent was, so that a place once reached is not lost.
        is_offspring = np.arange(COUNT) % 2 == 1
        for number in range(CHANGES):
            chosen = self.draw_numbers(f"change {number}", (COUNT,), len(places))
            wanted = is_offspring & (self.draw_numbers(f"{number}?", (COUNT,), number + 1) == 0)
            for index, place in enumerate(places):
                changes[place] |= wanted & (chosen == index)
        self.rows = self.apply_changes(self.rows, changes)
        self.broken = self.find_broken_constraints(self.rows)
        for _ in range(REPAIR_OFFSPRING):
            self.repair()
        self.keep(before, broken, broken.sum(axis=0) < self.broken.sum(axis=0))

    def choose_parents(self) -> Column:
        """Return the numbers of rows, as many for each aim that a row comes to."""
        met = np.stack(
            [column != 0 for column in read_on(_copy_rows(self.rows, self.rows), self.aims)]
        )
        met &= ~self.broken.any(axis=0)
        groups = [row.nonzero()[0] for row in met if row.any()]
        if not groups:
            return np.arange(COUNT)
        drawn = self.draw_numbers("parent", (COUNT,), 1 << 40)
        parents = np.empty(COUNT, dtype=np.int64)
        for number, group in enumerate(groups):
            # By pairs, so that a row which stays and its offspring are from the same aim.
            turn = np.arange(COUNT) // 2 % len(groups) == number
            parents[turn] = group[drawn[turn] % len(group)]
        return parents

    def apply_changes(self, rows: Draw, changes: Mapping[Place, Column]) -> Draw:
        """Return the rows with new values in some columns, each at the given rows."""
        other = _copy_rows(rows, rows)
        drawn = Draw(self.model, rows.constants, f"@{self.turn}")
        for place, where in changes.items():
            if where.any():
                self.change_column(other, drawn, place, where)
        for entity in self.model.references:
            # Without dangling, a record is there just where what leads to it is.
            if entity.name in other.present and not entity.dangling_share:
                other.present[entity.name] = np.ones(COUNT, dtype=bool)
            for name in (
                self.model.list_prerequisites(entity) if entity.name in other.present else ()
            ):
                other.present[entity.name] = other.present[entity.name] & other.present[name]
        return other

    def change_column(self, rows: Draw, drawn: Draw, place: Place, where: Column) -> None:
        """Put new values into a column: of a list's items, about each other one."""
        part, name = place
        if part == VALUE:
            other = self.draw_other_values(rows, drawn, name)
            rows.values[name] = np.where(where, other, rows.values[name])
        elif part == PRESENT:
            rows.present[name] = where ^ rows.present[name]
        elif part == LENGTH:
            (size,) = {column.shape[1] for column in rows.items[name].values()}
            other = drawn.draw_numbers(f"{name}#", (COUNT,), size + 1)
            rows.lengths[name] = np.where(where, other, rows.lengths[name])
        else:
            column = rows.items[part][name]
            other = drawn.draw_column(self.kinds[place], f"{part}.{name}", column.shape)
            cells = drawn.draw_numbers(f"{part}.{name}!", column.shape, 2) == 0
            rows.items[part][name] = np.where(where[:, None] & cells, other, column)

    def draw_other_values(self, rows: Draw, drawn: Draw, name: str) -> Column:
        """Return other values of a field: drawn, farther on, or beside another field's value."""
        kind = self.kinds[VALUE, name]
        other = drawn.draw_column(kind, name, (COUNT,))
        if not isinstance(kind, OrderedType):
            return other
        low, high = kind.bounds
        how = drawn.draw_numbers(f"{name} how", (COUNT,), 4)
        doublings = min(LONGEST_STEP, (high - low + 1).bit_length())
        # A power of two, so that near and far values are alike likely in ranges of any width.
        step = 1 << drawn.draw_numbers(f"{name} step", (COUNT,), doublings)
        sign = 2 * drawn.draw_numbers(f"{name} sign", (COUNT,), 2) - 1
        farther = rows.values[name] + sign * step
        peers = [
            peer for peer in self.list_similar_fields(kind) if peer != name and peer in rows.values
        ]
        if peers:
            chosen = drawn.draw_numbers(f"{name} peer", (COUNT,), len(peers))
            beside = np.stack([rows.values[peer] for peer in peers])[chosen, np.arange(COUNT)]
            # Equal or one apart: that is where a comparison of two fields changes.
            beside = beside + drawn.draw_numbers(f"{name} beside", (COUNT,), 3) - 1
            farther = np.where(how == 1, beside, farther)
        return np.where(how <= 1, np.clip(farther, low, high), other)

    def list_similar_fields(self, kind: OrderedType) -> list[str]:
        """Return the fields whose values are of the same kind, so that they can be compared."""
        return [
            name
            for (part, name), other in self.kinds.items()
            if part == VALUE and kind.is_like(other)
        ]

    def keep(self, other: Draw, broken: Column, where: Column) -> None:
        """Take over other rows where it says so."""
        mine = self.rows
        for name, column in other.values.items():
            mine.values[name] = np.where(where, column, mine.values[name])
        for name, column in other.present.items():
            mine.present[name] = np.where(where, column, mine.present[name])
        for name, column in other.lengths.items():
            mine.lengths[name] = np.where(where, column, mine.lengths[name])
        for name, items in other.items.items():
            for part, column in items.items():
                mine.items[name][part] = np.where(where[:, None], column, mine.items[name][part])
        self.broken = np.where(where, broken, self.broken)

    def draw_numbers(self, name: str, shape: tuple[int, ...], limit: int) -> Column:
        """Return integers from 0 to ``limit`` - 1 that are drawn for this turn."""
        return Draw(self.model, (), f"@{self.turn}").draw_numbers(name, shape, limit)

    def list_places(self, constraint: Expression) -> list[Place]:
        """Return the columns that a constraint is about."""
        # To read a constraint on an empty draw makes just the columns that it is about.
        lone = Draw.from_expressions(self.model, [constraint])
        read_on(lone, [constraint])
        return [place for place in _list_places(lone) if place[1] not in self.model.decisions]


def _list_places(rows: Draw) -> list[Place]:
    items = [(name, part) for name, found in rows.items.items() for part in found if part]
    return [
        *((VALUE, name) for name in rows.values),
        *((PRESENT, name) for name in rows.present),
        *((LENGTH, name) for name in rows.lengths),
        *items,
    ]


def _collect_kinds(model: DomainModel, wanted: Sequence[Expression]) -> dict[Place, ValueType]:
    """Return the types of what expressions and the decisions in them read."""
    found: dict[Place, ValueType] = {}
    decided = [build_decision_value(decision) for decision in model.decisions.values()]
    for node in iterate_parts(*wanted, *decided):
        match node:
            case Read(type=ListType() as kind):
                # Where two lists are compared, all of their items are.
                found |= {(node.field, name): part for name, part in kind.fields}
            case Read():
                found[VALUE, node.field] = node.type
            case Element():
                found[node.list, node.field] = node.type
            case _:
                pass
    return found


def _copy_rows(rows: Draw, draw: Draw) -> Draw:
    """Return a draw with columns of its own that hold the rows."""
    items = {name: dict(found) for name, found in rows.items.items()}
    return replace(
        draw,
        values=dict(rows.values),
        present=dict(rows.present),
        items=items,
        lengths=dict(rows.lengths),
    )


def _take(rows: Draw, numbers: Column) -> None:
    """Let rows of these numbers stand in the place of all."""
    for columns in (rows.values, rows.present, rows.lengths, *rows.items.values()):
        for name in columns:
            columns[name] = columns[name][numbers]
