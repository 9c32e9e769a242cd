"""The partial reading: what an expression comes to as far as a row says, and unknown otherwise.

A row says something of the fields in it; None is a value that is known to be missing. A conjunction
with a false part is false, whatever the rest comes to, and a choice between equals is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from sopforge.language.domain.expressions import expressions as nodes
from sopforge.language.domain.expressions.algebra import interpret_all
from sopforge.language.domain.expressions.expressions import (
    Expression,
    collect_read_fields,
)
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.readings.scalar import Scalar


class Unknown(Enum):
    """What a row does not say."""

    UNKNOWN = "unknown"


UNKNOWN = Unknown.UNKNOWN
PartialValue: TypeAlias = Value | Unknown


@dataclass(frozen=True, slots=True)
class Partial:
    """Evaluates as the scalar reading does where all that matters is known."""

    scalar: Scalar

    def visit_constant(self, node: nodes.Constant) -> PartialValue:
        return self.scalar.visit_constant(node)

    def visit_missing(self, node: nodes.Missing) -> PartialValue:
        return 0

    def visit_read(self, node: nodes.Read) -> PartialValue:
        return self.scalar.visit_read(node) if node.field in self.scalar.row else UNKNOWN

    def visit_element(self, node: nodes.Element) -> PartialValue:
        return self.scalar.visit_element(node)

    def visit_presence(self, node: nodes.Presence) -> PartialValue:
        return self.scalar.visit_presence(node) if node.field in self.scalar.row else UNKNOWN

    def visit_rescale(self, node: nodes.Rescale, operand: PartialValue) -> PartialValue:
        return _apply_unless_unknown(lambda part: self.scalar.visit_rescale(node, part), operand)

    def visit_arithmetic(
        self,
        node: nodes.Arithmetic,
        left: PartialValue,
        right: PartialValue,
    ) -> PartialValue:
        return _apply_unless_unknown(
            lambda *parts: self.scalar.visit_arithmetic(node, *parts), left, right
        )

    def visit_quotient(
        self,
        node: nodes.Quotient,
        left: PartialValue,
        right: PartialValue,
    ) -> PartialValue:
        return _apply_unless_unknown(
            lambda *parts: self.scalar.visit_quotient(node, *parts), left, right
        )

    def visit_absolute(self, node: nodes.Absolute, operand: PartialValue) -> PartialValue:
        return _apply_unless_unknown(lambda part: self.scalar.visit_absolute(node, part), operand)

    def visit_outermost(
        self, node: nodes.Outermost, operands: Sequence[PartialValue]
    ) -> PartialValue:
        return _apply_unless_unknown(
            lambda *parts: self.scalar.visit_outermost(node, parts), *operands
        )

    def visit_elapsed(
        self, node: nodes.Elapsed, start: PartialValue, end: PartialValue
    ) -> PartialValue:
        return _apply_unless_unknown(
            lambda *parts: self.scalar.visit_elapsed(node, *parts), start, end
        )

    def visit_workdays(
        self,
        node: nodes.Workdays,
        start: PartialValue,
        end: PartialValue,
    ) -> PartialValue:
        return _apply_unless_unknown(
            lambda *parts: self.scalar.visit_workdays(node, *parts), start, end
        )

    def visit_add_days(
        self, node: nodes.AddDays, date: PartialValue, days: PartialValue
    ) -> PartialValue:
        return _apply_unless_unknown(
            lambda *parts: self.scalar.visit_add_days(node, *parts), date, days
        )

    def visit_add_months(
        self,
        node: nodes.AddMonths,
        date: PartialValue,
        months: PartialValue,
    ) -> PartialValue:
        return _apply_unless_unknown(
            lambda *parts: self.scalar.visit_add_months(node, *parts), date, months
        )

    def visit_date_of(self, node: nodes.DateOf, operand: PartialValue) -> PartialValue:
        return _apply_unless_unknown(lambda part: self.scalar.visit_date_of(node, part), operand)

    def visit_hour_of(self, node: nodes.HourOf, operand: PartialValue) -> PartialValue:
        return _apply_unless_unknown(lambda part: self.scalar.visit_hour_of(node, part), operand)

    def visit_weekday_of(self, node: nodes.WeekdayOf, operand: PartialValue) -> PartialValue:
        return _apply_unless_unknown(lambda part: self.scalar.visit_weekday_of(node, part), operand)

    def visit_size(self, node: nodes.Size, operand: PartialValue) -> PartialValue:
        return _apply_unless_unknown(lambda part: self.scalar.visit_size(node, part), operand)

    def visit_compare(
        self, node: nodes.Compare, left: PartialValue, right: PartialValue
    ) -> PartialValue:
        return _apply_unless_unknown(
            lambda *parts: self.scalar.visit_compare(node, *parts), left, right
        )

    def visit_one_of(self, node: nodes.OneOf, operand: PartialValue) -> PartialValue:
        return _apply_unless_unknown(lambda part: self.scalar.visit_one_of(node, part), operand)

    def visit_contains(self, node: nodes.Contains, operand: PartialValue) -> PartialValue:
        return _apply_unless_unknown(lambda part: self.scalar.visit_contains(node, part), operand)

    def visit_among(
        self, node: nodes.Among, operand: PartialValue, members: PartialValue
    ) -> PartialValue:
        return _apply_unless_unknown(
            lambda *parts: self.scalar.visit_among(node, *parts), operand, members
        )

    def visit_subset(
        self, node: nodes.Subset, left: PartialValue, right: PartialValue
    ) -> PartialValue:
        return _apply_unless_unknown(
            lambda *parts: self.scalar.visit_subset(node, *parts), left, right
        )

    def visit_combination(
        self, node: nodes.Combination, left: PartialValue, right: PartialValue
    ) -> PartialValue:
        return _apply_unless_unknown(
            lambda *parts: self.scalar.visit_combination(node, *parts), left, right
        )

    def visit_all_of(self, node: nodes.AllOf, operands: Sequence[PartialValue]) -> PartialValue:
        if 0 in operands:
            return 0
        return _apply_unless_unknown(
            lambda *parts: self.scalar.visit_all_of(node, parts), *operands
        )

    def visit_any_of(self, node: nodes.AnyOf, operands: Sequence[PartialValue]) -> PartialValue:
        if 1 in operands:
            return 1
        return _apply_unless_unknown(
            lambda *parts: self.scalar.visit_any_of(node, parts), *operands
        )

    def visit_negation(self, node: nodes.Not, operand: PartialValue) -> PartialValue:
        return _apply_unless_unknown(lambda part: self.scalar.visit_negation(node, part), operand)

    def visit_choice(
        self,
        node: nodes.Choice,
        condition: PartialValue,
        then: PartialValue,
        otherwise: PartialValue,
    ) -> PartialValue:
        if condition is UNKNOWN:
            return then if then == otherwise else UNKNOWN
        return then if condition else otherwise

    def visit_lookup(
        self,
        node: nodes.Lookup,
        key: PartialValue,
        entries: Sequence[PartialValue],
    ) -> PartialValue:
        if isinstance(key, int):
            return entries[key]
        return entries[0] if all(entry == entries[0] for entry in entries) else UNKNOWN

    def visit_aggregate(self, node: nodes.Aggregate) -> PartialValue:
        return (
            # A row has a list as a whole: its items are never known in part.
            self.scalar.visit_aggregate(node)
            if collect_read_fields(node) <= set(self.scalar.row)
            else UNKNOWN
        )

    def visit_selection(self, node: nodes.Selection) -> PartialValue:
        is_known = collect_read_fields(node) <= set(self.scalar.row)
        return self.scalar.visit_selection(node) if is_known else UNKNOWN


def evaluate_as_known(
    expressions: Iterable[Expression], row: Mapping[str, Value | None]
) -> list[PartialValue]:
    """Return the value of each expression for every row that has these values, or ``UNKNOWN``.

    A value is never wrong, but ``UNKNOWN`` may be returned where deeper thought finds a value.
    """
    return interpret_all(expressions, Partial(Scalar(row)))


def _apply_unless_unknown(meaning: Callable[..., Value], *operands: PartialValue) -> PartialValue:
    return UNKNOWN if UNKNOWN in operands else meaning(*operands)
