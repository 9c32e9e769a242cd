"""The procedure unfolded over many rows at once: what ``unfolding`` says, worked out as columns.

To say when a mistake shows, a model with it is unfolded too; over columns that takes a few hundred
steps of numpy, and no expression has to be built that is read a single time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from sopforge.language.domain.expressions.algebra import interpret
from sopforge.language.domain.expressions.expressions import Expression, collect_read_fields
from sopforge.language.domain.fields import STORED, Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import ListType, NumberType, TextType, ValueType
from sopforge.language.logic.readings.vector import (
    Column,
    Columns,
    Vector,
    make_list_column,
    split_lists,
)
from sopforge.language.logic.tables import build_decision_value, build_result_presence
from sopforge.proof.solving.places import ArrivalOf, UnfoldedOf
from sopforge.proof.solving.unfolded_places import Parts, PlaceUnfolder

ALWAYS: Column = np.asarray(True)  # noqa: FBT003 - numpy
NEVER: Column = np.asarray(False)  # noqa: FBT003 - numpy


@dataclass(frozen=True, slots=True, eq=False)
class KnownColumn:
    """The values of a field on rows, and on which of them it has one; nothing there is 0 or ""."""

    kind: ValueType
    value: Column
    present: Column

    @property
    def is_list(self) -> bool:
        """Whether it is a list, of which the rows themselves have the items."""
        return isinstance(self.kind, ListType) and self.value.dtype != object


ColumnArrival = ArrivalOf[Column, KnownColumn]
ColumnPlace = UnfoldedOf[Column, KnownColumn, None]


class ColumnUnfolder(PlaceUnfolder[Column, KnownColumn, None]):
    """Unfolds the procedure over rows that are given as columns; lists stay in these."""

    always, never = ALWAYS, NEVER

    def __init__(self, columns: Columns, model: DomainModel, parts: Parts | None = None) -> None:
        super().__init__(model, parts)
        self.columns = columns

    def settle(self, arrival: ColumnArrival, name: str) -> ColumnArrival:
        """Return an arrival with the columns of the sound model's where they are equal.

        Beyond a place at which a mistake makes no difference to any row, all is as it was.
        """
        first = self.parts.make_once(name, lambda: arrival)
        if first is arrival:
            return arrival
        return ArrivalOf(
            _settle_column(arrival.condition, first.condition),
            self.settle_known(arrival.known, first.known),
            self.settle_known(arrival.state, first.state),
            arrival.edge,
        )

    def settle_known(
        self, known: Mapping[str, KnownColumn], first: Mapping[str, KnownColumn]
    ) -> Mapping[str, KnownColumn]:
        if known is first:
            return known
        return self.adopt_known(
            {
                name: first[name] if name in first and _is_equal(item, first[name]) else item
                for name, item in known.items()
            }
        )

    def conjoin(self, left: Column, right: Column) -> Column:
        if left is ALWAYS or right is NEVER:
            return right
        if right is ALWAYS or left is NEVER:
            return left
        both: Column = np.logical_and(left, right)
        return both

    def disjoin(self, left: Column, right: Column) -> Column:
        if left is NEVER or right is ALWAYS:
            return right
        if right is NEVER or left is ALWAYS:
            return left
        some: Column = np.logical_or(left, right)
        return some

    def negate(self, condition: Column) -> Column:
        if condition is ALWAYS:
            return NEVER
        if condition is NEVER:
            return ALWAYS
        other: Column = np.logical_not(condition)
        return other

    def resolve_condition(self, condition: Expression, known: Mapping[str, KnownColumn]) -> Column:
        found = self.evaluate(condition, known)
        # A condition that is a value of its own may be given as 0 and 1.
        return (
            found
            if found.dtype == bool
            else self.parts.make_once("truth", partial(np.not_equal, found, 0), found)
        )

    def resolve_value(self, value: Expression, known: Mapping[str, KnownColumn]) -> KnownColumn:
        found = self.evaluate(value, known)
        return self.parts.make_once(
            "value", partial(KnownColumn, value.type, found, ALWAYS), value, found
        )

    def limit_value(self, value: KnownColumn, present: Column) -> KnownColumn:
        return replace(value, present=present)

    def resolve_decision(self, target: str, known: Mapping[str, KnownColumn]) -> KnownColumn:
        decision = self.model.decisions[target]
        # Kept: a value built anew for each place would be another object, and nothing shared.
        value = self.parts.make_once("rules", partial(build_decision_value, decision), decision)
        covered = self.parts.make_once(
            "covered", partial(build_result_presence, decision), decision
        )
        found = self.evaluate(value, known)
        present = ALWAYS if covered is None else self.resolve_condition(covered, known)
        make = partial(KnownColumn, value.type, found, present)
        return self.parts.make_once("decided", make, value, found, present)

    def build_plain_value(self, name: str) -> KnownColumn:
        item = self.model.fields[name]
        return self.parts.make_once("field", partial(self.read_field, name), item)

    def read_field(self, name: str) -> KnownColumn:
        """Return a field as rows have it, of what is worked out that it is nothing."""
        item = self.model.fields[name]
        if item.role not in STORED:
            return self.make_nothing(item)
        present = self.columns.present.get(name, ALWAYS) if item.missing else ALWAYS
        if isinstance(item.type, ListType):
            return KnownColumn(item.type, self.columns.lists[name].lengths, present)
        return KnownColumn(item.type, self.columns.values[name], present)

    def build_unknown_value(self, name: str) -> KnownColumn:
        item = self.model.fields[name]
        return self.parts.make_once("unknown", partial(self.make_nothing, item), item)

    def make_nothing(self, item: Field) -> KnownColumn:
        is_on_record = isinstance(item.type, ListType) and item.role in STORED
        # Of a list on record its length is held; of one that is made, its items.
        nothing = (
            np.zeros(self.columns.count, int)
            if is_on_record
            else make_nothing_column(item.type, self.columns.count)
        )
        return KnownColumn(item.type, nothing, NEVER)

    def merge_alternatives(
        self, known: list[tuple[Column, KnownColumn]], *, is_partly_known: bool
    ) -> KnownColumn:
        # As expressions are merged: the last of them needs no condition, and what is nothing leaves
        # the choice to the others, unless a field may be read where it is nothing.
        valued = known
        if not is_partly_known:
            valued = [pair for pair in known if pair[1].present is not NEVER] or known[-1:]
        if valued[-1] is not known[-1]:
            valued.append((ALWAYS, valued[-1][1]))
        kind = max((item.kind for _, item in valued), key=_get_places)
        value = self.choose_first([(when, _rescale(item, kind)) for when, item in valued])
        present = self.choose_first([(when, item.present) for when, item in known])
        return KnownColumn(kind, value, present)

    def choose_first(self, known: list[tuple[Column, Column]]) -> Column:
        """Return of each row the first column whose condition holds there, else the last one."""
        columns = list({id(column): column for _, column in known}.values())
        if len(columns) == 1:
            return columns[0]
        conditions = [when for when, _ in known[:-1]]
        first = self.parts.make_once("first", partial(self.find_first, conditions), *conditions)
        chosen = columns[-1]
        for column in columns[:-1]:
            is_own = np.array([other is column for _, other in known])
            chosen = np.where(is_own[first], column, chosen)
        return chosen

    def find_first(self, conditions: list[Column]) -> Column:
        """Return of each row the number of the first condition that holds, else one more."""
        held = [self.fill_rows(condition) for condition in conditions]
        first: Column = np.argmax(np.stack([*held, self.fill_rows(ALWAYS)]), axis=0)
        return first

    def compare_values(self, left: KnownColumn, right: KnownColumn) -> Column:
        kind = max(left.kind, right.kind, key=_get_places)
        differ = np.asarray(_rescale(left, kind) != _rescale(right, kind), dtype=bool)
        both = self.conjoin(self.conjoin(left.present, right.present), differ)
        if left.present is right.present:
            return both
        return self.disjoin(both, np.not_equal(left.present, right.present))

    def make_moment(self, reached: Column, known: Mapping[str, KnownColumn]) -> None:
        """Return nothing: columns are not asked about again."""

    def evaluate(self, expression: Expression, known: Mapping[str, KnownColumn]) -> Column:
        """Return the values of an expression on the rows, worked out once for the same columns."""
        read = self.parts.make_once("read", partial(_sort_fields, expression), expression)
        given = {name: known[name] for name in read if name in known}
        # By the columns and not by what holds them: those are made anew where edges meet.
        seen = [part for item in given.values() for part in (item.value, item.present)]
        make = partial(self.compute_column, expression, given)
        return self.parts.make_once(f"on {len(given)}", make, expression, *seen)

    def compute_column(self, expression: Expression, given: Mapping[str, KnownColumn]) -> Column:
        """Return the values of an expression on the rows, with what is known there."""
        values = {name: item.value for name, item in given.items() if not item.is_list}
        present = {name: self.fill_rows(item.present) for name, item in given.items()}
        # Of a list that a case does not know there are no items.
        lists = {
            name: replace(self.columns.lists[name], lengths=item.value)
            for name, item in given.items()
            if item.is_list
        }
        made = {
            name: split_lists(item.kind, self.fill_rows(item.value))
            for name, item in given.items()
            if isinstance(item.kind, ListType) and not item.is_list
        }
        rows = Columns(
            self.columns.count,
            {**self.columns.values, **values},
            {**self.columns.present, **present},
            {**self.columns.lists, **lists, **made},
        )
        return self.fill_rows(np.asarray(interpret(expression, Vector(rows))))

    def fill_rows(self, column: Column) -> Column:
        """Return a column with a value for each row."""
        return column if column.ndim else np.broadcast_to(column, (self.columns.count,))


def make_nothing_column(kind: ValueType, count: int) -> Column:
    """Return what evaluation reads on so many rows where a field has no value."""
    if isinstance(kind, ListType):
        return make_list_column([()] * count)
    is_text = isinstance(kind, TextType)
    return np.full(count, "" if is_text else 0, object if is_text else int)


def _settle_column(column: Column, first: Column) -> Column:
    return first if np.array_equal(column, first) else column


def _is_equal(one: KnownColumn, other: KnownColumn) -> bool:
    return one is other or (
        one.kind == other.kind
        and np.array_equal(one.value, other.value)
        and np.array_equal(one.present, other.present)
    )


def _sort_fields(expression: Expression) -> list[str]:
    return sorted(collect_read_fields(expression))


def _get_places(kind: ValueType) -> int:
    return kind.places if isinstance(kind, NumberType) else 0


def _rescale(item: KnownColumn, kind: ValueType) -> Column:
    """Return values at the scale of a kind: with more places, the same integer is less."""
    digits = _get_places(kind) - _get_places(item.kind)
    return item.value * 10**digits if digits else item.value
