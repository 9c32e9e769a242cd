"""The partial reading: what an expression comes to as far as a row tells, and unknown otherwise.

A row tells of the fields that are in it; None is a value that is known to be missing. A conjunction
with a false part is false, whatever the rest comes to, and a choice between equals is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from sopforge.domain.language.expressions import (
    Absolute,
    AddDays,
    AddMonths,
    Aggregate,
    AllOf,
    AnyOf,
    Arithmetic,
    Choice,
    Compare,
    Constant,
    Contains,
    DateOf,
    Elapsed,
    Element,
    Expression,
    Lookup,
    Not,
    OneOf,
    Outermost,
    Presence,
    Quotient,
    Read,
    Rescale,
    Size,
    Workdays,
    fields_read,
)
from sopforge.domain.values.types import Atom, Value
from sopforge.logic.readings.algebra import interpret_all
from sopforge.logic.readings.scalar import Scalar


class Unknown(Enum):
    """What a row does not tell."""

    UNKNOWN = "unknown"


UNKNOWN = Unknown.UNKNOWN
Told: TypeAlias = Atom | Unknown


@dataclass(frozen=True, slots=True)
class Partial:
    """Evaluates as the scalar reading does where all that matters is known."""

    scalar: Scalar

    def constant(self, node: Constant) -> Told:
        return self.scalar.constant(node)

    def read(self, node: Read) -> Told:
        return self.scalar.read(node) if node.field in self.scalar.row else UNKNOWN

    def element(self, node: Element) -> Told:
        return self.scalar.element(node)

    def presence(self, node: Presence) -> Told:
        return self.scalar.presence(node) if node.field in self.scalar.row else UNKNOWN

    def rescale(self, node: Rescale, operand: Told) -> Told:
        return _lifted(lambda part: self.scalar.rescale(node, part), operand)

    def arithmetic(self, node: Arithmetic, left: Told, right: Told) -> Told:
        return _lifted(lambda *parts: self.scalar.arithmetic(node, *parts), left, right)

    def quotient(self, node: Quotient, left: Told, right: Told) -> Told:
        return _lifted(lambda *parts: self.scalar.quotient(node, *parts), left, right)

    def absolute(self, node: Absolute, operand: Told) -> Told:
        return _lifted(lambda part: self.scalar.absolute(node, part), operand)

    def outermost(self, node: Outermost, operands: Sequence[Told]) -> Told:
        return _lifted(lambda *parts: self.scalar.outermost(node, parts), *operands)

    def elapsed(self, node: Elapsed, start: Told, end: Told) -> Told:
        return _lifted(lambda *parts: self.scalar.elapsed(node, *parts), start, end)

    def workdays(self, node: Workdays, start: Told, end: Told) -> Told:
        return _lifted(lambda *parts: self.scalar.workdays(node, *parts), start, end)

    def add_days(self, node: AddDays, date: Told, days: Told) -> Told:
        return _lifted(lambda *parts: self.scalar.add_days(node, *parts), date, days)

    def add_months(self, node: AddMonths, date: Told, months: Told) -> Told:
        return _lifted(lambda *parts: self.scalar.add_months(node, *parts), date, months)

    def date_of(self, node: DateOf, operand: Told) -> Told:
        return _lifted(lambda part: self.scalar.date_of(node, part), operand)

    def size(self, node: Size, operand: Told) -> Told:
        return _lifted(lambda part: self.scalar.size(node, part), operand)

    def compare(self, node: Compare, left: Told, right: Told) -> Told:
        return _lifted(lambda *parts: self.scalar.compare(node, *parts), left, right)

    def one_of(self, node: OneOf, operand: Told) -> Told:
        return _lifted(lambda part: self.scalar.one_of(node, part), operand)

    def contains(self, node: Contains, operand: Told) -> Told:
        return _lifted(lambda part: self.scalar.contains(node, part), operand)

    def all_of(self, node: AllOf, operands: Sequence[Told]) -> Told:
        if 0 in operands:
            return 0
        return _lifted(lambda *parts: self.scalar.all_of(node, parts), *operands)

    def any_of(self, node: AnyOf, operands: Sequence[Told]) -> Told:
        if 1 in operands:
            return 1
        return _lifted(lambda *parts: self.scalar.any_of(node, parts), *operands)

    def negation(self, node: Not, operand: Told) -> Told:
        return _lifted(lambda part: self.scalar.negation(node, part), operand)

    def choice(self, node: Choice, condition: Told, then: Told, otherwise: Told) -> Told:  # noqa: ARG002 - protocol
        if condition is UNKNOWN:
            return then if then == otherwise else UNKNOWN
        return then if condition else otherwise

    def lookup(self, node: Lookup, key: Told, entries: Sequence[Told]) -> Told:  # noqa: ARG002 - protocol
        if isinstance(key, int):
            return entries[key]
        return entries[0] if len(set(entries)) == 1 else UNKNOWN

    def aggregate(self, node: Aggregate) -> Told:
        return self.scalar.aggregate(node) if fields_read(node) <= set(self.scalar.row) else UNKNOWN


def evaluate_as_known(
    expressions: Iterable[Expression], row: Mapping[str, Value | None]
) -> list[Told]:
    """Return the value of each expression for every row that has these values, or ``UNKNOWN``.

    A value is never wrong, but ``UNKNOWN`` may be returned where deeper thought finds a value.
    """
    return interpret_all(expressions, Partial(Scalar(row)))


def _lifted(meaning: Callable[..., Atom], *operands: Told) -> Told:
    return UNKNOWN if UNKNOWN in operands else meaning(*operands)
