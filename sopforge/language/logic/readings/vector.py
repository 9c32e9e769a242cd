"""The vector reading: an expression on many rows at once, as numpy columns.

Columns hold 64-bit integers; the static intervals of the type checker are what keeps them from
wrapping. Text is compared as object columns. A list is a ``ListColumn``: one matrix per field of
its items, with a row per row and a column per place, and how many places of each row are used.
What a selection makes is an object column of lists, which are compared and chosen as texts are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from sopforge.language.domain.expressions import expressions as nodes
from sopforge.language.domain.expressions.algebra import interpret, interpret_all
from sopforge.language.domain.expressions.calendars import (
    DAYS_A_WEEK,
    HOURS_A_DAY,
    MINUTES_AN_HOUR,
    Calendar,
)
from sopforge.language.domain.expressions.expressions import (
    AggregateFunction,
    Expression,
    Extreme,
    Rounding,
)
from sopforge.language.domain.values.types import (
    MINUTES_A_DAY,
    BooleanType,
    ListType,
    TextType,
    Value,
    ValueType,
    list_items,
)
from sopforge.language.logic.readings.scalar import OPERATIONS, RELATIONS, SET_OPERATIONS

Column: TypeAlias = npt.NDArray[Any]  # integers, or objects where the values are text or lists
# Stands for "no item" in a least or greatest value: numbers of a model stay below 2^62.
LARGEST = np.iinfo(np.int64).max
PIECE = 16_384


@dataclass(frozen=True, slots=True)
class ListColumn:
    """The items of a list field: a matrix per item field, and the number of items per row."""

    fields: Mapping[str, Column]
    lengths: Column

    def slice_rows(self, start: int, end: int) -> ListColumn:
        """Return the items of the rows from ``start`` up to ``end``."""
        fields = {name: matrix[start:end] for name, matrix in self.fields.items()}
        return ListColumn(fields, self.lengths[start:end])

    def take_rows(self, places: Column) -> ListColumn:
        """Return the items of the rows at the given places."""
        fields = {name: matrix[places] for name, matrix in self.fields.items()}
        return ListColumn(fields, self.lengths[places])

    @property
    def used(self) -> Column:
        """Which places hold an item: a matrix of truth values."""
        size = next(iter(self.fields.values())).shape[1]
        used: Column = np.arange(size)[None, :] < self.lengths[:, None]
        return used


@dataclass(frozen=True, slots=True)
class Columns:
    """Rows as columns: the values of each field, its presence, and its items."""

    count: int
    values: Mapping[str, Column]
    present: Mapping[str, Column] = field(default_factory=dict)
    lists: Mapping[str, ListColumn] = field(default_factory=dict)

    def slice_rows(self, start: int, end: int) -> Columns:
        """Return the rows from ``start`` up to ``end``, without copying them."""
        return Columns(
            max(0, min(end, self.count) - start),
            {name: column[start:end] for name, column in self.values.items()},
            {name: column[start:end] for name, column in self.present.items()},
            {name: items.slice_rows(start, end) for name, items in self.lists.items()},
        )

    def take_rows(self, places: Column) -> Columns:
        """Return the rows at the given places, in their order."""
        return Columns(
            len(places),
            {name: column[places] for name, column in self.values.items()},
            {name: column[places] for name, column in self.present.items()},
            {name: items.take_rows(places) for name, items in self.lists.items()},
        )


def join_pieces(pieces: Sequence[Columns]) -> Columns:
    """Return the rows of pieces with the same columns, one piece after the other."""
    first, *others = pieces
    if not others:
        return first
    return Columns(
        sum(piece.count for piece in pieces),
        {name: np.concatenate([piece.values[name] for piece in pieces]) for name in first.values},
        {name: np.concatenate([piece.present[name] for piece in pieces]) for name in first.present},
        {name: _join_lists([piece.lists[name] for piece in pieces]) for name in first.lists},
    )


def _join_lists(pieces: Sequence[ListColumn]) -> ListColumn:
    names = pieces[0].fields
    return ListColumn(
        {name: np.concatenate([piece.fields[name] for piece in pieces]) for name in names},
        np.concatenate([piece.lengths for piece in pieces]),
    )


def make_list_column(lists: Sequence[Value]) -> Column:
    """Return lists as a column: each is one object, which numpy does not look into."""
    made = np.empty(len(lists), object)
    for place, value in enumerate(lists):
        made[place] = value
    return made


def build_lists(kind: ListType, items: ListColumn) -> Column:
    """Return lists that are given as matrices as a column of lists."""
    return _build_lists(kind, items.fields, items.used)


def _build_lists(kind: ListType, parts: Mapping[str, Column], kept: Column) -> Column:
    matrices = {
        name: parts[name].astype(_choose_stored_type(part)).tolist() for name, part in kind.fields
    }
    return make_list_column(
        [
            tuple(
                {name: matrix[row][place] for name, matrix in matrices.items()}
                for place, is_kept in enumerate(places)
                if is_kept
            )
            for row, places in enumerate(kept.tolist())
        ]
    )


def split_lists(kind: ListType, lists: Column) -> ListColumn:
    """Return the items of a column of lists as matrices, so that aggregates can be taken of it."""
    found = [list_items(value) for value in lists]
    fields = {}
    for name, part in kind.fields:
        is_text = isinstance(part, TextType)
        matrix = np.full((len(found), kind.size), "" if is_text else 0, object if is_text else int)
        for row, items in enumerate(found):
            for place, item in enumerate(items):
                matrix[row, place] = item[name]
        fields[name] = matrix
    return ListColumn(fields, np.array([len(items) for items in found], dtype=np.int64))


class _Integers:
    """Calendar arithmetic on columns."""

    def make_number(self, value: int) -> Column:
        return np.asarray(value)

    def add(self, left: Column, right: Column) -> Column:
        return left + right

    def subtract(self, left: Column, right: Column) -> Column:
        return left - right

    def multiply(self, left: Column, factor: int) -> Column:
        return left * factor

    def divide(self, left: Column, divisor: int) -> Column:
        return left // divisor

    def is_at_most(self, left: Column, right: Column) -> Column:
        return np.asarray(left <= right)

    def choose(self, condition: Column, then: Column, otherwise: Column) -> Column:
        return np.where(condition, then, otherwise)


_CALENDAR = Calendar(_Integers())


@dataclass(frozen=True, slots=True)
class Vector:
    """Evaluates on all rows; inside an aggregate, columns stand upright beside item matrices."""

    columns: Columns
    items: ListColumn | None = None

    def visit_constant(self, node: nodes.Constant) -> Column:
        if isinstance(node.type, ListType):
            return make_list_column([node.value]).reshape(())
        return np.asarray(node.value)

    def visit_missing(self, node: nodes.Missing) -> Column:
        return np.asarray(0)

    def visit_read(self, node: nodes.Read) -> Column:
        if isinstance(node.type, ListType) and node.field in self.columns.lists:
            return build_lists(node.type, self.columns.lists[node.field])
        return self._convert_booleans(
            node.type, self._expand_column(self.columns.values[node.field])
        )

    def visit_element(self, node: nodes.Element) -> Column:
        if self.items is None:
            raise TypeError(f"'{node.field}' of an item stands outside of an aggregate")
        return self._convert_booleans(node.type, self.items.fields[node.field])

    def visit_presence(self, node: nodes.Presence) -> Column:
        present = self.columns.present.get(node.field)
        return np.asarray(True) if present is None else self._expand_column(present)  # noqa: FBT003 - numpy

    def visit_rescale(self, node: nodes.Rescale, operand: Column) -> Column:
        scaled: Column = operand * 10**node.digits
        return scaled

    def visit_arithmetic(self, node: nodes.Arithmetic, left: Column, right: Column) -> Column:
        return OPERATIONS[node.operation](left, right)  # type: ignore[arg-type,return-value]  # by column

    def visit_quotient(self, node: nodes.Quotient, left: Column, right: Column) -> Column:
        dividend = left * 10**node.digits
        divisor = np.maximum(right, 1)  # below 1 only where a missing value was carried as 0
        if node.rounding is Rounding.DOWN:
            return np.asarray(dividend // divisor)
        if node.rounding is Rounding.UP:
            return np.asarray(-(-dividend // divisor))
        quotient, rest = np.divmod(np.abs(dividend), divisor)
        # Not `2 * rest >= divisor`: doubled, a remainder could leave 64 bits.
        rounded: Column = np.sign(dividend) * (quotient + (rest >= divisor - rest))
        return rounded

    def visit_absolute(self, node: nodes.Absolute, operand: Column) -> Column:
        return np.asarray(np.abs(operand))

    def visit_outermost(self, node: nodes.Outermost, operands: Sequence[Column]) -> Column:
        choose = np.minimum if node.extreme is Extreme.MINIMUM else np.maximum
        return reduce(choose, operands)

    def visit_elapsed(self, node: nodes.Elapsed, start: Column, end: Column) -> Column:
        return end - start

    def visit_workdays(self, node: nodes.Workdays, start: Column, end: Column) -> Column:
        return _CALENDAR.count_workdays(start, end, node.holidays)

    def visit_add_days(self, node: nodes.AddDays, date: Column, days: Column) -> Column:
        return date + days

    def visit_add_minutes(self, node: nodes.AddMinutes, moment: Column, count: Column) -> Column:
        later: Column = moment + count * node.each
        return later

    def visit_add_workdays(self, node: nodes.AddWorkdays, date: Column, count: Column) -> Column:
        return _CALENDAR.add_workdays(date, count, node.holidays)

    def visit_add_months(self, node: nodes.AddMonths, date: Column, months: Column) -> Column:
        return _CALENDAR.add_months(date, months)

    def visit_date_of(self, node: nodes.DateOf, operand: Column) -> Column:
        day: Column = operand // MINUTES_A_DAY + 1
        return day

    def visit_hour_of(self, node: nodes.HourOf, operand: Column) -> Column:
        hour: Column = operand // MINUTES_AN_HOUR % HOURS_A_DAY
        return hour

    def visit_weekday_of(self, node: nodes.WeekdayOf, operand: Column) -> Column:
        weekday: Column = (operand - 1) % DAYS_A_WEEK
        return weekday

    def visit_size(self, node: nodes.Size, operand: Column) -> Column:
        return np.bitwise_count(operand).astype(np.int64)

    def visit_compare(self, node: nodes.Compare, left: Column, right: Column) -> Column:
        return np.asarray(RELATIONS[node.relation](left, right))  # type: ignore[arg-type]  # by column

    def visit_one_of(self, node: nodes.OneOf, operand: Column) -> Column:
        equal = [operand == option.value for option in node.options]
        return np.asarray(reduce(np.logical_or, equal))

    def visit_contains(self, node: nodes.Contains, operand: Column) -> Column:
        return np.asarray(operand & (1 << node.position) != 0)

    def visit_among(self, node: nodes.Among, operand: Column, members: Column) -> Column:
        return np.asarray(members >> operand & 1 != 0)

    def visit_subset(self, node: nodes.Subset, left: Column, right: Column) -> Column:
        return np.asarray(left & ~right == 0)

    def visit_combination(self, node: nodes.Combination, left: Column, right: Column) -> Column:
        return SET_OPERATIONS[node.operation](left, right)  # type: ignore[arg-type,return-value]  # by column

    def visit_all_of(self, node: nodes.AllOf, operands: Sequence[Column]) -> Column:
        return reduce(np.logical_and, operands)

    def visit_any_of(self, node: nodes.AnyOf, operands: Sequence[Column]) -> Column:
        return reduce(np.logical_or, operands)

    def visit_negation(self, node: nodes.Not, operand: Column) -> Column:
        return np.logical_not(operand)

    def visit_choice(
        self,
        node: nodes.Choice,
        condition: Column,
        then: Column,
        otherwise: Column,
    ) -> Column:
        return np.where(condition, then, otherwise)

    def visit_lookup(self, node: nodes.Lookup, key: Column, entries: Sequence[Column]) -> Column:
        if all(entry.ndim == 0 for entry in entries):
            return np.asarray(np.take(np.array(entries), key))
        # Not `np.choose`, which takes no more than 64 columns: a table may have more rows.
        columns = np.stack(np.broadcast_arrays(key, *entries)[1:])
        places = np.broadcast_to(key, columns.shape[1:])[None]
        found: Column = np.take_along_axis(columns, places, 0)[0]
        return found

    def visit_aggregate(self, node: nodes.Aggregate) -> Column:
        items = self.columns.lists[node.list]
        inner = Vector(self.columns, items)
        counted = items.used
        if node.where is not None:
            counted = counted & interpret(node.where, inner)
        value = np.asarray(1) if node.value is None else interpret(node.value, inner)
        outside = Vector(self.columns)
        default = np.asarray(0) if node.default is None else interpret(node.default, outside)
        found = _compute_aggregate(
            node.function, np.broadcast_to(value, counted.shape), counted, default
        )
        # Unfolded, what is asked of an item may read an aggregate: it too is one value per row.
        return self._expand_column(found)

    def visit_selection(self, node: nodes.Selection) -> Column:
        items = self.columns.lists[node.list]
        inner = Vector(self.columns, items)
        kept = items.used
        if node.where is not None:
            kept = kept & interpret(node.where, inner)
        parts = {
            name: np.broadcast_to(interpret(part, inner), kept.shape)
            for part, (name, _) in zip(node.parts, node.type.fields, strict=True)
        }
        return _build_lists(node.type, parts, kept)

    def _convert_booleans(self, kind: ValueType, column: Column) -> Column:
        """Return a yes/no column as truth values, others as they are."""
        return column != 0 if isinstance(kind, BooleanType) else column

    def _expand_column(self, column: Column) -> Column:
        return column if self.items is None else column[:, None]


def evaluate_columns(expression: Expression, columns: Columns) -> Column:
    """Return the value of an expression on each row, a condition as 0 or 1."""
    return evaluate_all([expression], columns)[0]


def evaluate_all(expressions: Iterable[Expression], columns: Columns) -> list[Column]:
    """Return the values of several expressions; what they share is worked out once.

    Rows are taken in pieces that a processor's cache holds, for the columns between are many.
    """
    wanted = list(expressions)
    first = interpret_all(wanted, Vector(columns.slice_rows(0, PIECE)))
    if columns.count <= PIECE:
        stored = [part.astype(_choose_dtype(part)) for part in first]
        # An expression without fields has one value, which stands for all rows.
        return [np.broadcast_to(part, (columns.count,)) for part in stored]
    whole = [np.empty(columns.count, _choose_dtype(part)) for part in first]
    for start in range(0, columns.count, PIECE):
        end = start + PIECE
        reading = Vector(columns.slice_rows(start, end))
        # The first piece was worked out already, to learn the types of the columns.
        parts = interpret_all(wanted, reading) if start else first
        for column, part in zip(whole, parts, strict=True):
            column[start:end] = part
    return whole


def _choose_stored_type(kind: ValueType) -> type[object]:
    """Return the type of what a column holds of a kind: texts are objects."""
    return object if isinstance(kind, TextType) else np.int64


def _choose_dtype(column: Column) -> np.dtype[Any]:
    return np.dtype(np.int64) if column.dtype == bool else column.dtype


def _compute_aggregate(
    kind: AggregateFunction, value: Column, counted: Column, default: Column
) -> Column:
    match kind:
        case AggregateFunction.COUNT | AggregateFunction.SUM:
            return np.asarray(np.where(counted, value, 0).sum(axis=1))
        case AggregateFunction.ANY:
            return np.asarray((counted & value).any(axis=1))
        case AggregateFunction.ALL:
            return np.asarray((~counted | value).all(axis=1))
        case AggregateFunction.MINIMUM:
            least: Column = np.where(counted, value, LARGEST).min(axis=1, initial=LARGEST)
            return np.where(counted.any(axis=1), least, default)
        case AggregateFunction.MAXIMUM:
            greatest: Column = np.where(counted, value, -LARGEST).max(axis=1, initial=-LARGEST)
            return np.where(counted.any(axis=1), greatest, default)
        case AggregateFunction.FIRST | AggregateFunction.LAST | AggregateFunction.MEDIAN:
            return _take_one_item(kind, value, counted, default)


def _take_one_item(
    kind: AggregateFunction, value: Column, counted: Column, default: Column
) -> Column:
    """Return the value of the item at a place among those that count."""
    if not counted.shape[1]:
        return np.broadcast_to(default, counted.shape[:1])
    count = counted.sum(axis=1)
    if kind is AggregateFunction.MEDIAN:
        order = np.where(counted, value, LARGEST).argsort(axis=1, kind="stable")
    else:
        order = (~counted).argsort(axis=1, kind="stable")
    places = {
        AggregateFunction.LAST: count - 1,
        AggregateFunction.MEDIAN: (count - 1) // 2,
    }
    place = np.maximum(places.get(kind, count * 0), 0)[:, None]
    taken = np.take_along_axis(value, np.take_along_axis(order, place, 1), 1)[:, 0]
    return np.where(count > 0, taken, default)
