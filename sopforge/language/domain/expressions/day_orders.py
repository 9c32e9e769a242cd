"""Days of lists' items that conditions place before a day of the case.

``all(visit.made_on < reported_on for visit in visits)`` says of each visit that it was made before
the report, so that texts can speak of the visits "in the 90 days before" it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sopforge.language.domain.expressions.expressions import (
    Aggregate,
    AggregateFunction,
    AllOf,
    Compare,
    Element,
    Expression,
    Read,
    Relation,
)
from sopforge.language.domain.values.types import DateType

ORDERS = (Relation.LT, Relation.LE)


def iterate_day_orders(constraint: Expression) -> Iterator[tuple[Element, Relation, Read]]:
    """Yield the days that all items of a list have before a day of the case, or until it."""
    match constraint:
        case AllOf(parts):
            for part in parts:
                yield from iterate_day_orders(part)
        case Aggregate(function=AggregateFunction.ALL, where=None, value=AllOf(parts)):
            for part in parts:
                yield from iterate_day_orders(replace(constraint, value=part))
        case Aggregate(function=AggregateFunction.ALL, where=None, value=Compare() as test):
            yield from _read_order(test)
        case _:
            return


def _read_order(test: Compare) -> Iterator[tuple[Element, Relation, Read]]:
    for left, relation, right in (
        (test.left, test.relation, test.right),
        (test.right, test.relation.mirrored, test.left),
    ):
        if not isinstance(left, Element) or not isinstance(right, Read):
            continue
        if isinstance(left.type, DateType) and relation in ORDERS:
            yield left, relation, right
