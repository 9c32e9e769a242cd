"""The partial reading: what an expression comes to as far as a row says, and unknown otherwise.

A row says something of the fields in it; None is a value that is known to be missing. A conjunction
with a false part is false, whatever the rest comes to, and a choice between equals is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import TypeAlias, cast

from sopforge.language.domain.expressions import expressions as nodes
from sopforge.language.domain.expressions.algebra import Algebra, interpret_all
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
    """Evaluates as the scalar reading does where all that matters is known.

    Of a node without a method here, nothing is known before all its operands are.
    """

    scalar: Scalar

    def __getattr__(self, visit: str) -> Callable[..., PartialValue]:
        return partial(_apply_unless_unknown, getattr(self.scalar, visit))

    def visit_read(self, node: nodes.Read) -> PartialValue:
        return self.scalar.visit_read(node) if node.field in self.scalar.row else UNKNOWN

    def visit_presence(self, node: nodes.Presence) -> PartialValue:
        return self.scalar.visit_presence(node) if node.field in self.scalar.row else UNKNOWN

    def visit_outermost(
        self, node: nodes.Outermost, operands: Sequence[PartialValue]
    ) -> PartialValue:
        return _apply_unless_unknown(
            lambda _, *parts: self.scalar.visit_outermost(node, parts), node, *operands
        )

    def visit_all_of(self, node: nodes.AllOf, operands: Sequence[PartialValue]) -> PartialValue:
        return 0 if 0 in operands else UNKNOWN if UNKNOWN in operands else 1

    def visit_any_of(self, node: nodes.AnyOf, operands: Sequence[PartialValue]) -> PartialValue:
        return 1 if 1 in operands else UNKNOWN if UNKNOWN in operands else 0

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
        self, node: nodes.Lookup, key: PartialValue, entries: Sequence[PartialValue]
    ) -> PartialValue:
        if isinstance(key, int):
            return entries[key]
        return entries[0] if all(entry == entries[0] for entry in entries) else UNKNOWN

    def visit_aggregate(self, node: nodes.Aggregate) -> PartialValue:
        # A row has a list as a whole: its items are never known in part.
        return self.scalar.visit_aggregate(node) if self._has_all(node) else UNKNOWN

    def visit_selection(self, node: nodes.Selection) -> PartialValue:
        return self.scalar.visit_selection(node) if self._has_all(node) else UNKNOWN

    def _has_all(self, node: Expression) -> bool:
        return collect_read_fields(node) <= set(self.scalar.row)


def evaluate_as_known(
    expressions: Iterable[Expression], row: Mapping[str, Value | None]
) -> list[PartialValue]:
    """Return the value of each expression for every row that has these values, or ``UNKNOWN``.

    A value is never wrong, but ``UNKNOWN`` may be returned where deeper thought finds a value.
    """
    algebra = cast("Algebra[PartialValue]", Partial(Scalar(row)))
    return interpret_all(expressions, algebra)


def _apply_unless_unknown(
    meaning: Callable[..., Value], node: Expression, *operands: PartialValue
) -> PartialValue:
    return UNKNOWN if UNKNOWN in operands else meaning(node, *operands)
